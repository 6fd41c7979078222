#include "answer/findings/focus.h"

#include <fmt/format.h>

#include <variant>

#include "store/table.h"

namespace xsp::findings {

Result<std::int64_t> BestPoint(const store::Database& database) {
  XSP_TRY(const store::Table best, database.Query(R"(
      SELECT point_id::BIGINT FROM point
      ORDER BY coalesce(batch, 1) / nullif(latency_ns, 0) DESC NULLS LAST, point_id LIMIT 1)"));
  return best.rows.empty() ? std::int64_t{0} : std::get<std::int64_t>(best.rows.front().front());
}

Result<Focus> FocusOn(const store::Database& database, std::int64_t point_id) {
  XSP_TRY(const store::Table table, database.Query(fmt::format(R"(
      SELECT CASE WHEN point_id IN (SELECT point_id FROM comparison) THEN backend ELSE '' END,
             batch::BIGINT
      FROM point WHERE point_id = {})",
                                                               point_id)));
  if (table.rows.empty()) return Focus{};
  Focus focus;
  focus.point_id = point_id;
  focus.backend = std::get<std::string>(table.rows.front()[0]);
  std::string where = focus.backend;
  if (!focus.backend.empty()) focus.of = fmt::format(" of {}", focus.backend);
  if (const auto* batch = std::get_if<std::int64_t>(&table.rows.front()[1]))
    where += fmt::format("{}batch {}", where.empty() ? "" : ", ", *batch);
  if (!where.empty()) focus.where = fmt::format(" ({})", where);
  return focus;
}

}  // namespace xsp::findings
