#include "api/operations/timeline_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "os/files.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/directory.h"
#include "store/export.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kMaxRelated = 100;

json RowsOf(const store::Table& table) { return json::parse(store::ToJson(table), nullptr, false); }

std::int64_t SpansOf(const json& run) {
  std::int64_t spans = 0;
  const auto levels = run.find("spans");
  if (levels == run.end() || !levels->is_object()) return 0;
  for (const json& count : *levels)
    if (count.is_number_integer()) spans += count.get<std::int64_t>();
  return spans;
}

std::string SqlText(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += c;
    quoted += c;
  }
  return quoted + "'";
}

/// The columns of spans in documents.
std::string Columns(std::int64_t origin_ns) {
  return fmt::format(
      "id, level, type, name, track_id AS track, coalesce(lane, 0) AS lane, start_ns - {} AS "
      "start_ns, duration_ns",
      origin_ns);
}

}  // namespace

Result<std::vector<TimelineRun>> TimelineRuns(const fs::path& store, const std::string& run) {
  XSP_TRY(const fs::path folder, store::Resolve(store, run));
  XSP_TRY(const store::Directory directory, store::Inspect(folder));
  std::vector<TimelineRun> runs;
  if (directory.kind == store::Directory::Kind::kRun)
    runs.push_back({folder.filename().string(), folder, SpansOf(directory.json)});
  for (const store::RunFolder& of_experiment : directory.runs) {
    const auto text = os::ReadFile(of_experiment.path / "run.json");
    if (!text.ok()) continue;
    const json object = json::parse(text.value(), nullptr, false);
    runs.push_back(
        {of_experiment.name, of_experiment.path, object.is_object() ? SpansOf(object) : 0});
  }
  std::erase_if(runs, [](const TimelineRun& found) { return found.spans == 0; });
  std::stable_sort(runs.begin(), runs.end(),
                   [](const TimelineRun& a, const TimelineRun& b) { return a.spans > b.spans; });
  if (runs.empty())
    return Error{ErrorKind::kBadInput,
                 "no run has spans, so there is no timeline: " + folder.string(),
                 "Measure with the rung layer or kernel, or import a trace."};
  return runs;
}

Result<json> TimelineSpan(const fs::path& run, std::int64_t span_id, std::int64_t origin_ns) {
  XSP_TRY(const store::Database database, store::Database::Open({run}));
  const std::string columns = Columns(origin_ns);
  XSP_TRY(const store::Table row,
          database.Query(fmt::format("SELECT {}, parent_id, placed_by, correlation_id FROM span "
                                     "WHERE id = {}",
                                     columns, span_id)));
  if (row.rows.empty())
    return Error{ErrorKind::kBadInput, fmt::format("the run has no such span: {}", span_id),
                 "Ids of spans are those of the table span."};
  json span = RowsOf(row)[0];
  const auto add = [&](const char* name, const std::string& sql) -> Status {
    XSP_TRY(const store::Table table, database.Query(sql));
    span[name] = RowsOf(table);
    return Ok{};
  };
  XSP_RETURN_IF_ERROR(
      add("parents", fmt::format("WITH RECURSIVE up(id, depth) AS (SELECT {}::BIGINT, 1 UNION ALL "
                                 "SELECT span.parent_id, depth + 1 FROM up JOIN span ON span.id = "
                                 "up.id WHERE depth < {} AND span.parent_id > 0) SELECT {} FROM up "
                                 "JOIN span USING (id) ORDER BY depth",
                                 span["parent_id"].get<std::int64_t>(), kMaxRelated, columns)));
  XSP_RETURN_IF_ERROR(add("metrics", fmt::format("SELECT name, value, unit, provenance FROM metric "
                                                 "WHERE span_id = {} LIMIT {}",
                                                 span_id, kMaxRelated)));
  XSP_RETURN_IF_ERROR(
      add("attributes", fmt::format("SELECT key, left(value, 1000) AS value FROM attribute WHERE "
                                    "span_id = {} LIMIT {}",
                                    span_id, kMaxRelated)));
  // A launch is connected with its work as its parent, or by the source's id; links are the rest.
  XSP_RETURN_IF_ERROR(add(
      "flows",
      fmt::format(
          "WITH me AS (SELECT * FROM span WHERE id = {0}), other AS ("
          "SELECT span.id AS other_id, 'launch' AS kind, span.parent_id = me.id AS is_outgoing "
          "FROM "
          "span, me WHERE span.track_id != me.track_id AND (span.parent_id = me.id OR span.id = "
          "me.parent_id) UNION ALL "
          "SELECT span.id, 'launch', span.start_ns >= me.start_ns FROM span, me WHERE "
          "span.correlation_id = me.correlation_id AND span.track_id != me.track_id UNION ALL "
          "SELECT CASE WHEN from_id = {0} THEN to_id ELSE from_id END, kind, from_id = {0} FROM "
          "link WHERE from_id = {0} OR to_id = {0}) "
          "SELECT any_value(kind) AS kind, bool_or(is_outgoing) AS is_outgoing, {1} FROM other "
          "JOIN "
          "span ON span.id = other.other_id GROUP BY ALL ORDER BY start_ns LIMIT {2}",
          span_id, columns, kMaxRelated)));
  return span;
}

Result<json> TimelineHits(const fs::path& run, const std::string& text, std::int64_t from_ns,
                          int most, std::int64_t origin_ns) {
  XSP_TRY(const store::Database database, store::Database::Open({run}));
  const std::string matches = fmt::format("contains(lower(name), lower({}))", SqlText(text));
  XSP_TRY(const store::Table total,
          database.Query(fmt::format("SELECT count(*) AS spans, count(*) FILTER (start_ns < {}) AS "
                                     "before FROM span WHERE {}",
                                     from_ns, matches)));
  XSP_TRY(const store::Table rows,
          database.Query(fmt::format("SELECT {} FROM span WHERE {} AND start_ns >= {} ORDER BY "
                                     "span.start_ns, id LIMIT {}",
                                     Columns(origin_ns), matches, from_ns, most)));
  json hits = RowsOf(total)[0];
  hits["rows"] = RowsOf(rows);
  return hits;
}

Result<json> TimelineSums(const fs::path& run, std::int64_t from_ns, std::int64_t to_ns, int most) {
  XSP_TRY(const store::Database database, store::Database::Open({run}));
  XSP_TRY(
      const store::Table rows,
      database.Query(fmt::format(
          "WITH part AS (SELECT level, name, least(start_ns + coalesce(duration_ns, 0), {1}) - "
          "greatest(start_ns, {0}) AS within_ns FROM span WHERE start_ns < {1} AND start_ns + "
          "coalesce(duration_ns, 0) >= {0}), total AS (SELECT level, name, count(*) AS spans, "
          "sum(within_ns)::BIGINT AS duration_ns, max(within_ns) AS longest_ns FROM part GROUP BY "
          "ALL) SELECT *, count(*) OVER () AS names, sum(spans) OVER ()::BIGINT AS all_spans FROM "
          "total ORDER BY duration_ns DESC, spans DESC, level, name LIMIT {2}",
          from_ns, to_ns, most)));
  json sums = {{"spans", 0}, {"names", 0}, {"rows", RowsOf(rows)}};
  for (json& row : sums["rows"]) {
    sums["names"] = row["names"];
    sums["spans"] = row["all_spans"];
    row.erase("names");
    row.erase("all_spans");
  }
  return sums;
}

}  // namespace xsp::api
