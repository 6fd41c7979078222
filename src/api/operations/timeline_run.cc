#include "api/operations/timeline_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/json_text.h"
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

json RowsOf(const store::Table& table) { return core::ParseJson(store::ToJson(table)); }

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

/// Reads spans of one run. A condition on ids reads a few row groups only.
class SpanRows {
 public:
  SpanRows(const store::Database& database, std::int64_t origin_ns)
      : database_(database), columns_(Columns(origin_ns)) {}

  /// Those that meet `condition`, by start, with `more` columns.
  Result<json> Where(const std::string& condition, const char* more = "") const {
    XSP_TRY(const store::Table table,
            database_.Query(fmt::format("SELECT {}{} FROM span WHERE {} ORDER BY span.start_ns, id "
                                        "LIMIT {}",
                                        columns_, more, condition, kMaxRelated)));
    return RowsOf(table);
  }

 private:
  const store::Database& database_;
  std::string columns_;
};

/// The spans that contain one, the innermost first. A circle, or what is deeper, ends.
Result<json> Parents(const SpanRows& rows, json parent_id) {
  constexpr std::size_t kMaxDepth = 64;
  json parents = json::array();
  while (parent_id.is_number_integer() && parent_id > 0 && parents.size() < kMaxDepth) {
    XSP_TRY(json found,
            rows.Where(fmt::format("id = {}", parent_id.get<std::int64_t>()), ", parent_id"));
    if (found.empty()) break;
    parent_id = found[0]["parent_id"];
    found[0].erase("parent_id");
    parents.push_back(std::move(found[0]));
  }
  return parents;
}

/// Adds `spans` to `flows` but for those that are there already.
void AddFlows(const json& spans, const char* kind, bool is_outgoing, json& flows) {
  for (json span : spans) {
    const bool is_known = std::any_of(flows.begin(), flows.end(),
                                      [&](const json& flow) { return flow["id"] == span["id"]; });
    if (is_known || flows.size() >= kMaxRelated) continue;
    span["kind"] = kind;
    span["is_outgoing"] = is_outgoing;
    flows.push_back(std::move(span));
  }
}

/// What a span is connected with on other tracks: a launch with its work, as its parent or by the
/// source's id; and links.
Result<json> Flows(const SpanRows& rows, const json& span, std::int64_t origin_ns) {
  const auto id = span["id"].get<std::int64_t>(), track = span["track"].get<std::int64_t>();
  json flows = json::array();
  XSP_TRY(const json work, rows.Where(fmt::format("parent_id = {} AND track_id != {}", id, track)));
  AddFlows(work, "launch", true, flows);
  XSP_TRY(const json launch, rows.Where(fmt::format("id = {} AND track_id != {}",
                                                    span["parent_id"].get<std::int64_t>(), track)));
  AddFlows(launch, "launch", false, flows);
  if (span["correlation_id"].is_number_integer()) {
    const std::string others = fmt::format("correlation_id = {} AND track_id != {} AND start_ns",
                                           span["correlation_id"].get<std::int64_t>(), track);
    const std::int64_t start = span["start_ns"].get<std::int64_t>() + origin_ns;
    XSP_TRY(const json later, rows.Where(fmt::format("{} >= {}", others, start)));
    AddFlows(later, "launch", true, flows);
    XSP_TRY(const json earlier, rows.Where(fmt::format("{} < {}", others, start)));
    AddFlows(earlier, "launch", false, flows);
  }
  for (const bool is_outgoing : {true, false}) {
    XSP_TRY(const json linked,
            rows.Where(fmt::format("id IN (SELECT {} FROM link WHERE {} = {} LIMIT {})",
                                   is_outgoing ? "to_id" : "from_id",
                                   is_outgoing ? "from_id" : "to_id", id, kMaxRelated)));
    AddFlows(linked, "link", is_outgoing, flows);
  }
  return flows;
}

}  // namespace

Result<std::vector<TimelineRun>> TimelineRuns(const fs::path& store, const std::string& run) {
  XSP_TRY(const fs::path folder, store::Resolve(store, run));
  XSP_TRY(store::Directory directory, store::Inspect(folder));
  fs::path chosen;
  if (directory.kind == store::Directory::Kind::kRun) {
    chosen = folder;
    directory.runs = {{folder.filename().string(), folder}};
    if (auto parent = store::Inspect(folder.parent_path());
        parent.ok() && parent.value().kind == store::Directory::Kind::kExperiment)
      directory.runs = std::move(parent.value().runs);
  }
  std::vector<TimelineRun> runs;
  for (const store::RunFolder& found : directory.runs) {
    const auto text = os::ReadFile(found.path / "run.json");
    if (!text.ok()) continue;
    const json object = core::ParseJson(text.value());
    runs.push_back({found.name, found.path, object.is_object() ? SpansOf(object) : 0});
  }
  std::erase_if(runs, [](const TimelineRun& found) { return found.spans == 0; });
  std::stable_sort(runs.begin(), runs.end(), [&](const TimelineRun& a, const TimelineRun& b) {
    const bool a_is = a.folder.filename() == chosen.filename();
    const bool b_is = b.folder.filename() == chosen.filename();
    return a_is != b_is ? a_is : a.spans > b.spans;
  });
  if (!chosen.empty() && (runs.empty() || runs[0].folder.filename() != chosen.filename()))
    runs.clear();
  if (runs.empty())
    return Error{ErrorKind::kBadInput,
                 "no run has spans, so there is no timeline: " + folder.string(),
                 "Measure with the rung layer or kernel, or import a trace."};
  return runs;
}

Result<json> TimelineSpan(const fs::path& run, std::int64_t span_id, std::int64_t origin_ns) {
  XSP_TRY(const store::Database database, store::Database::Open({run}));
  const SpanRows rows(database, origin_ns);
  XSP_TRY(json found, rows.Where(fmt::format("id = {}", span_id), ", parent_id, correlation_id"));
  if (found.empty())
    return Error{ErrorKind::kBadInput, fmt::format("the run has no such span: {}", span_id),
                 "Ids of spans are those of the table span."};
  json span = std::move(found[0]);
  XSP_TRY(span["parents"], Parents(rows, span["parent_id"]));
  XSP_TRY(span["flows"], Flows(rows, span, origin_ns));
  const auto of_span = [&](const char* table, const char* columns) -> Result<json> {
    XSP_TRY(const store::Table read,
            database.Query(fmt::format("SELECT {} FROM {} WHERE span_id = {} LIMIT {}", columns,
                                       table, span_id, kMaxRelated)));
    return RowsOf(read);
  };
  XSP_TRY(span["metrics"], of_span("metric", "name, value, unit, provenance"));
  XSP_TRY(span["attributes"], of_span("attribute", "key, left(value, 1000) AS value"));
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
