#include "answer/report/timeline.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "answer/report/columns_json.h"
#include "answer/report/rows.h"

namespace xsp::report {
namespace {

using nlohmann::json;

/// The model span to show of one run, or the whole run where it has none.
struct Call {
  std::int64_t run_id;
  std::int64_t span_id;  // 0: the whole run.
  std::int64_t iteration;
  std::int64_t start_ns;
  std::int64_t duration_ns;
  bool is_segment = false;  // All that starts in it is shown, and what that launched.
};

Result<Rows> DeepestRuns(const store::Database& database) {
  return Rows::Of(database, R"(
      SELECT point_id, arg_max(run_id, depth) AS run_id FROM (
        SELECT point_id, run_id, list_position(['model','layer','library','kernel'], rung) AS depth
        FROM run WHERE status <> 'failed' AND process_pair IS NULL) WHERE depth IS NOT NULL
      GROUP BY point_id ORDER BY point_id)");
}

Result<std::vector<Call>> MedianCall(const store::Database& database, std::int64_t run_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH call AS (
        SELECT s.id, s.start_ns, s.duration_ns, CAST(m.value AS BIGINT) AS iteration,
               coalesce(t.disturbed, false) AS disturbed
        FROM span s JOIN metric m ON m.run_id = s.run_id AND m.span_id = s.id AND m.name = 'iteration'
        LEFT JOIN run r ON r.run_id = s.run_id
        LEFT JOIN sample t ON t.run_id = s.run_id AND t.iteration = CAST(m.value AS BIGINT)
          AND coalesce(t.rung, r.rung) = r.rung
        WHERE s.run_id = {} AND s.level = 'model' AND m.value >= 0 AND s.duration_ns IS NOT NULL)
      SELECT id, start_ns, duration_ns, iteration FROM call
      ORDER BY disturbed, abs(duration_ns - (SELECT median(duration_ns) FROM call)), iteration LIMIT 1)",
                                                          run_id)));
  std::vector<Call> calls;
  if (!rows.empty()) {
    calls.push_back({run_id, rows.Integer(0, "id"), rows.Integer(0, "iteration"),
                     rows.Integer(0, "start_ns"), rows.Integer(0, "duration_ns")});
    return calls;
  }
  XSP_TRY(const Rows whole, Rows::Of(database, fmt::format(R"(
      SELECT min(start_ns) AS start_ns, max(start_ns + coalesce(duration_ns, 0)) AS end_ns
      FROM span WHERE run_id = {})",
                                                           run_id)));
  if (!whole.empty() && !whole.IsNull(0, "start_ns")) {
    calls.push_back({run_id, 0, 0, whole.Integer(0, "start_ns"),
                     whole.Integer(0, "end_ns") - whole.Integer(0, "start_ns")});
  }
  return calls;
}

/// The model span or step without an iteration whose duration is nearest the median.
Result<std::vector<Call>> MedianSegment(const store::Database& database, std::int64_t run_id) {
  XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH segment AS (
        SELECT id, start_ns, duration_ns, level = 'model' AS is_call FROM span
        WHERE run_id = {} AND duration_ns > 0
          AND (level = 'model' OR (level = 'application' AND type = 'step'))),
      chosen AS (SELECT * FROM segment WHERE is_call = (SELECT bool_or(is_call) FROM segment))
      SELECT start_ns, duration_ns FROM chosen
      ORDER BY abs(duration_ns - (SELECT median(duration_ns) FROM chosen)), start_ns, id LIMIT 1)",
                                                          run_id)));
  std::vector<Call> calls;
  if (!rows.empty())
    calls.push_back(
        {run_id, 0, 0, rows.Integer(0, "start_ns"), rows.Integer(0, "duration_ns"), true});
  return calls;
}

/// What starts within a segment of time, and the kernels that were launched there, which may run
/// after it. Kernels without a known launch count by their start.
std::string InSegment(const Call& call) {
  return fmt::format(R"(WITH shown AS (
        SELECT id, parent_id, level, start_ns FROM span
        WHERE run_id = {0} AND NOT (level = 'application' AND type = 'python')
          AND track_id NOT IN (SELECT id FROM track WHERE run_id = {0} AND is_reference)),
      host AS (SELECT id FROM shown
               WHERE level <> 'kernel' AND start_ns >= {1} AND start_ns < {2})
      SELECT id FROM host UNION ALL
      SELECT k.id FROM shown k WHERE k.level = 'kernel' AND (k.parent_id IN (SELECT id FROM host)
        OR (coalesce(k.parent_id, 0) = 0 AND k.start_ns >= {1} AND k.start_ns < {2})))",
                     call.run_id, call.start_ns, call.start_ns + call.duration_ns);
}

/// A query for the ids of the spans of a call.
std::string IdsOf(const Call& call) {
  if (call.is_segment) return InSegment(call);
  if (call.span_id == 0) return fmt::format("SELECT id FROM span WHERE run_id = {}", call.run_id);
  // Everything below the model span, found by parents so that asynchronous kernels that outlive the
  // call are there too.
  return fmt::format(R"(WITH RECURSIVE below(id) AS (
               SELECT CAST({1} AS BIGINT) UNION ALL
               SELECT s.id FROM span s JOIN below b ON s.parent_id = b.id WHERE s.run_id = {0})
             SELECT id FROM below)",
                     call.run_id, call.span_id);
}

Result<Rows> SpansOf(const store::Database& database, const Call& call, std::size_t most_spans) {
  return Rows::Of(database, fmt::format(R"(
      SELECT * FROM (
        SELECT s.id, s.parent_id, s.level, s.type, s.name, s.track_id, s.start_ns - {2} AS start_ns, s.duration_ns,
               count(*) OVER () AS total
        FROM span s WHERE s.run_id = {0} AND s.id IN ({1})
        ORDER BY s.level = 'model' DESC, s.duration_ns DESC NULLS FIRST LIMIT {3})
      ORDER BY start_ns, id)",
                                        call.run_id, IdsOf(call), call.start_ns, most_spans));
}

/// The index of each layer of the call: its outermost operator spans in order of start, as in
/// match/.
std::vector<std::int64_t> LayerIndexes(
    const Rows& spans, const std::unordered_map<std::int64_t, std::int64_t>& row_of) {
  constexpr std::int64_t kNone = -1;
  std::vector<std::int64_t> layer(spans.size(), kNone);
  std::int64_t next = 0;
  // Parents start before their children, so one pass in order of start sees them first. A parent
  // that starts at the same time has the lower id only if recorded first; ids break the tie.
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto parent = row_of.find(spans.Integer(i, "parent_id"));
    if (parent != row_of.end() && layer[static_cast<std::size_t>(parent->second)] != kNone) {
      layer[i] = layer[static_cast<std::size_t>(parent->second)];
    } else if (spans.Text(i, "level") == "layer" && spans.Text(i, "type") != "module" &&
               spans.Text(i, "type") != "function") {
      layer[i] = next++;
    }
  }
  return layer;
}

Result<json> TimelineOf(const store::Database& database, std::int64_t point_id, const Call& call,
                        std::size_t most_spans, json& cuts) {
  XSP_TRY(const Rows spans, SpansOf(database, call, most_spans));
  if (spans.empty()) return json(nullptr);
  std::unordered_map<std::int64_t, std::int64_t> row_of;
  for (std::size_t i = 0; i < spans.size(); ++i)
    row_of.emplace(spans.Integer(i, "id"), static_cast<std::int64_t>(i));

  XSP_TRY(const Rows tracks,
          Rows::Of(database,
                   fmt::format("SELECT id, kind, name FROM track WHERE run_id = {} ORDER BY id",
                               call.run_id)));
  std::unordered_map<std::int64_t, std::int64_t> track_of;
  json track_list = json::array();
  json parents = json::array();
  json track_indexes = json::array();
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto parent = row_of.find(spans.Integer(i, "parent_id"));
    parents.push_back(parent == row_of.end() ? -1 : parent->second);
    const std::int64_t track = spans.Integer(i, "track_id");
    auto known = track_of.find(track);
    if (known == track_of.end()) {
      known = track_of.emplace(track, static_cast<std::int64_t>(track_list.size())).first;
      json entry = {{"id", track}, {"kind", "thread"}, {"name", fmt::format("track {}", track)}};
      for (std::size_t t = 0; t < tracks.size(); ++t)
        if (tracks.Integer(t, "id") == track)
          entry = {
              {"id", track}, {"kind", tracks.Text(t, "kind")}, {"name", tracks.Text(t, "name")}};
      track_list.push_back(std::move(entry));
    }
    track_indexes.push_back(known->second);
  }
  const auto total = static_cast<std::size_t>(spans.Integer(0, "total"));
  if (total > spans.size()) {
    cuts.push_back(
        {{"table", "timeline"},
         {"shown", spans.size()},
         {"total", total},
         {"text",
          fmt::format("The longest {} of {} spans; all: `xsp query RUN 'SELECT * FROM span'`.",
                      spans.size(), total)}});
  }
  json columns = ColumnsJson(spans.table(), Repeats::kEach);
  return json{{"point_id", point_id},
              {"run_id", call.run_id},
              {"iteration", call.iteration},
              {"duration_ns", call.duration_ns},
              {"tracks", std::move(track_list)},
              {"spans",
               {{"level", columns["level"]},
                {"type", columns["type"]},
                {"name", columns["name"]},
                {"start_ns", columns["start_ns"]},
                {"duration_ns", columns["duration_ns"]},
                {"parent", std::move(parents)},
                {"track", std::move(track_indexes)},
                {"layer_index", LayerIndexes(spans, row_of)}}}};
}

}  // namespace

Result<json> CallTimeline(const store::Database& database, std::int64_t point_id,
                          std::int64_t run_id, std::size_t most_spans, json& cuts) {
  XSP_TRY(std::vector<Call> calls, MedianCall(database, run_id));
  if (calls.empty()) return json(nullptr);
  if (calls.front().span_id == 0) {
    XSP_TRY(std::vector<Call> segments, MedianSegment(database, run_id));
    if (!segments.empty()) calls = std::move(segments);
  }
  return TimelineOf(database, point_id, calls.front(), most_spans, cuts);
}

Result<json> Timelines(const store::Database& database, std::size_t most_spans, json& cuts) {
  XSP_TRY(const Rows runs, DeepestRuns(database));
  json timelines = json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    XSP_TRY(const std::vector<Call> calls, MedianCall(database, runs.Integer(i, "run_id")));
    for (const Call& call : calls) {
      XSP_TRY(json timeline,
              TimelineOf(database, runs.Integer(i, "point_id"), call, most_spans, cuts));
      if (!timeline.is_null()) timelines.push_back(std::move(timeline));
    }
  }
  return timelines;
}

}  // namespace xsp::report
