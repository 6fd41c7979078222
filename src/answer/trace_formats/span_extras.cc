#include "answer/trace_formats/span_extras.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "store/row_batch.h"

namespace xsp::trace_formats {
namespace {

using ExtrasById = std::unordered_map<std::int64_t, SpanExtras>;

Status ReadDetails(const store::Database& run, std::string_view condition, ExtrasById& extras) {
  const std::string sql = fmt::format(R"(
      WITH slice AS (SELECT id FROM span WHERE {})
      SELECT span_id, name AS key, value AS number, NULL::VARCHAR AS text
      FROM metric WHERE span_id IN (SELECT id FROM slice)
      UNION ALL
      SELECT span_id, key, NULL::DOUBLE, value
      FROM attribute WHERE span_id IN (SELECT id FROM slice))",
                                      condition);
  return run.Scan(sql, [&](const store::RowBatch& rows) -> Status {
    for (std::size_t i = 0; i < rows.size(); ++i)
      extras[rows.Integer(0, i)].details.push_back({std::string(rows.Text(1, i)),
                                                    !rows.IsNull(2, i), rows.Double(2, i),
                                                    std::string(rows.Text(3, i))});
    return Ok{};
  });
}

/// Both ends of each flow that begins or ends in the slice. A launch is the first library call of a
/// correlation id: of a call of the runtime and the driver's call in it, the former.
Status ReadFlows(const store::Database& run, std::string_view condition, ExtrasById& extras) {
  const std::string sql = fmt::format(R"(
      WITH slice AS (SELECT id, level, correlation_id FROM span WHERE {}),
      launch AS (
        SELECT correlation_id, min(id) AS id FROM span
        WHERE level = 'library'
          AND correlation_id IN (SELECT correlation_id FROM slice WHERE correlation_id IS NOT NULL)
        GROUP BY correlation_id),
      pair AS (
        SELECT l.id AS from_id, k.id AS to_id, 1 AS is_launch
        FROM slice k JOIN launch l USING (correlation_id) WHERE k.level = 'kernel'
        UNION ALL
        SELECT l.id, k.id, 1 FROM slice s JOIN launch l USING (id)
        JOIN span k ON k.correlation_id = l.correlation_id WHERE k.level = 'kernel'
        UNION ALL
        SELECT from_id, to_id, 0 FROM link
        WHERE from_id IN (SELECT id FROM slice) OR to_id IN (SELECT id FROM slice))
      SELECT p.from_id, p.to_id, max(p.is_launch)::BIGINT,
             (p.from_id IN (SELECT id FROM slice))::BIGINT,
             (p.to_id IN (SELECT id FROM slice))::BIGINT
      FROM pair p WHERE p.from_id > 0 AND p.to_id > 0 GROUP BY p.from_id, p.to_id)",
                                      condition);
  return run.Scan(sql, [&](const store::RowBatch& rows) -> Status {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t from = rows.Integer(0, i), to = rows.Integer(1, i);
      const bool is_launch = rows.Integer(2, i) != 0;
      if (rows.Integer(3, i) != 0) extras[from].flows_out.push_back({to, is_launch});
      if (rows.Integer(4, i) != 0) extras[to].flows_in.push_back({from, is_launch});
    }
    return Ok{};
  });
}

}  // namespace

Result<ExtrasById> ReadExtras(const store::Database& run, std::string_view condition) {
  ExtrasById extras;
  XSP_RETURN_IF_ERROR(ReadDetails(run, condition, extras));
  XSP_RETURN_IF_ERROR(ReadFlows(run, condition, extras));
  for (auto& [id, of_span] : extras) {
    std::ranges::stable_sort(of_span.details, {}, &SpanDetail::key);
    std::ranges::sort(of_span.flows_out, {}, &SpanFlow::other_id);
    std::ranges::sort(of_span.flows_in, {}, &SpanFlow::other_id);
  }
  return extras;
}

}  // namespace xsp::trace_formats
