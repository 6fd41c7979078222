// Level of detail: spans longer than a threshold stand as they are; of the shorter ones those that
// lie in no other short one are merged. Threshold and width of a segment of time are one number, so
// a merged span reaches at most into the next segment, and blocks of one enclosing span never
// overlap where the spans themselves do not.

#include "answer/report/run_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "answer/report/rows.h"
#include "answer/report/run_tracks.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

using nlohmann::json;

constexpr std::int64_t kAll = -1;  // A threshold that every span is longer than.

/// A part of time, ns; empty where start equals end.
struct Interval {
  std::int64_t start_ns = 0, end_ns = 0;
};

struct Step {
  std::string name;
  Interval time;
};

/// What is shown of a run and how finely.
struct Detail {
  std::int64_t run_id = 0;
  Interval run;     // From the first start to the last end on the tracks that are carried.
  Interval window;  // The shown step.
  std::string tracks;
  std::int64_t inside_ns = kAll;   // Spans that start in the window stand when longer than this,
  std::int64_t outside_ns = kAll;  // others when longer than that.

  std::string Where(std::string_view span = "") const {
    return fmt::format("({0}run_id = {1} AND {0}track_id IN ({2}))", span, run_id, tracks);
  }
  std::string InWindow(std::string_view span = "") const {
    return fmt::format("({0}start_ns >= {1} AND {0}start_ns < {2})", span, window.start_ns,
                       window.end_ns);
  }
  /// Whether a span is merged. One that never ended is longer than any other.
  std::string IsShort(std::string_view span = "") const {
    return fmt::format("(coalesce({0}duration_ns, {1}) <= CASE WHEN {2} THEN {3} ELSE {4} END)",
                       span, std::numeric_limits<std::int64_t>::max(), InWindow(span), inside_ns,
                       outside_ns);
  }
};

/// Texts by number, each once.
class Dictionary {
 public:
  std::int64_t Code(const std::string& text) {
    const auto [it, is_new] = codes_.emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (is_new) {
      texts_.push_back(text);
      bytes_ += text.size();
    }
    return it->second;
  }
  /// The numbers of those of `texts` that were given one.
  json NumbersOf(const std::vector<std::string>& texts) const {
    json list = json::array();
    for (const std::string& text : texts)
      if (const auto it = codes_.find(text); it != codes_.end()) list.push_back(it->second);
    return list;
  }

  /// All texts; when they take more than `most_bytes`, each cut to the length that fits.
  json Texts(std::size_t most_bytes) const {
    std::size_t longest = std::numeric_limits<std::size_t>::max();
    if (bytes_ > most_bytes) longest = std::max<std::size_t>(16, most_bytes / texts_.size());
    json list = json::array();
    for (const std::string& text : texts_)
      list.push_back(text.size() <= longest ? text : text.substr(0, longest - 3) + "\u2026");
    return list;
  }
  bool IsCutTo(std::size_t most_bytes) const { return bytes_ > most_bytes; }

 private:
  std::unordered_map<std::string, std::int64_t> codes_;
  std::vector<std::string> texts_;
  std::size_t bytes_ = 0;
};

/// Rows as the page reads them: starts as differences, names and kinds by number.
class Packed {
 public:
  Packed(Dictionary& names, Dictionary& kinds) : names_(names), kinds_(kinds) {}

  void Add(const Rows& rows, std::size_t i, std::int64_t track) {
    const std::int64_t start_ns = rows.Integer(i, "start_ns");
    track_.push_back(track);
    start_.push_back(start_ns - last_ns_);
    last_ns_ = start_ns;
    duration_.push_back(rows.IsNull(i, "duration_ns") ? json(nullptr)
                                                      : json(rows.Integer(i, "duration_ns")));
    name_.push_back(names_.Code(rows.Text(i, "name")));
    kind_.push_back(kinds_.Code(rows.Text(i, "level") + "/" + rows.Text(i, "type")));
  }
  json Json() && {
    return {{"track", std::move(track_)},
            {"start_step_ns", std::move(start_)},
            {"duration_ns", std::move(duration_)},
            {"name", std::move(name_)},
            {"kind", std::move(kind_)}};
  }
  std::size_t size() const { return track_.size(); }

 private:
  Dictionary& names_;
  Dictionary& kinds_;
  std::int64_t last_ns_ = 0;
  json track_ = json::array(), start_ = json::array(), duration_ = json::array(),
       name_ = json::array(), kind_ = json::array();
};

/// The steps of the first rank that has some, or the model's calls, in order of time.
Result<std::vector<Step>> ReadSteps(const store::Database& database, const Detail& detail) {
  for (const std::string_view what :
       {"level = 'application' AND type = 'step'", "level = 'model'"}) {
    XSP_TRY(const Rows rows, Rows::Of(database, fmt::format(R"(
      WITH step AS (SELECT track_id, name, start_ns, duration_ns FROM span
                    WHERE {} AND {} AND duration_ns > 0)
      SELECT * FROM step WHERE track_id = (
        SELECT track_id FROM step GROUP BY track_id ORDER BY count(*) DESC, track_id LIMIT 1)
      ORDER BY start_ns)",
                                                            detail.Where(), what)));
    std::vector<Step> steps;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::int64_t start_ns = rows.Integer(i, "start_ns");
      steps.push_back(
          {rows.Text(i, "name"), {start_ns, start_ns + rows.Integer(i, "duration_ns")}});
    }
    if (!steps.empty()) return steps;
  }
  return std::vector<Step>{};
}

const Step* MedianStep(const std::vector<Step>& steps) {
  if (steps.empty()) return nullptr;
  std::vector<const Step*> by_duration;
  for (const Step& step : steps) by_duration.push_back(&step);
  std::ranges::stable_sort(
      by_duration, {}, [](const Step* step) { return step->time.end_ns - step->time.start_ns; });
  return by_duration[(by_duration.size() - 1) / 2];
}

/// The threshold with which a part of the run takes at most `rows` rows: of these a fifth are spans
/// that stand, two fifths segments, and two fifths what the spans that stand split in two.
Result<std::int64_t> Threshold(const store::Database& database, const Detail& detail,
                               const std::string& part, std::int64_t length_ns, std::size_t rows,
                               std::size_t tracks) {
  const std::size_t segments =
      std::max<std::size_t>(20, rows * 2 / 5 / std::max<std::size_t>(1, tracks));
  XSP_TRY(const Rows longest,
          Rows::Of(database, fmt::format(R"(
      SELECT count(*) AS n, min(d) AS d FROM (
        SELECT coalesce(duration_ns, {}) AS d FROM span WHERE {} AND {} ORDER BY d DESC LIMIT {}))",
                                         std::numeric_limits<std::int64_t>::max(), detail.Where(),
                                         part, rows / 5 + 1)));
  const bool all_stand = longest.Integer(0, "n") <= static_cast<std::int64_t>(rows / 5);
  return std::max(length_ns / static_cast<std::int64_t>(segments) + 1,
                  all_stand ? 0 : longest.Integer(0, "d"));
}

/// Chooses the thresholds so that spans and blocks fit into `rows`.
Status ChooseThresholds(const store::Database& database, std::int64_t total, std::size_t rows,
                        std::size_t tracks, Detail& detail) {
  if (total <= static_cast<std::int64_t>(rows)) return Ok{};
  const std::string outside = "NOT " + detail.InWindow();
  std::size_t left = rows;
  if (detail.window.end_ns > detail.window.start_ns) {
    XSP_TRY(const Rows counted,
            Rows::Of(database, fmt::format("SELECT count(*) AS n FROM span WHERE {} AND {}",
                                           detail.Where(), detail.InWindow())));
    const auto inside = static_cast<std::size_t>(counted.Integer(0, "n"));
    if (inside > rows / 2) {
      XSP_TRY(detail.inside_ns,
              Threshold(database, detail, detail.InWindow(),
                        detail.window.end_ns - detail.window.start_ns, rows / 2, tracks));
    }
    left -= std::min(inside, rows / 2);
  }
  XSP_TRY(detail.outside_ns, Threshold(database, detail, outside,
                                       detail.run.end_ns - detail.run.start_ns, left, tracks));
  return Ok{};
}

Result<Rows> Standing(const store::Database& database, const Detail& detail, std::size_t most) {
  return Rows::Of(database,
                  fmt::format(R"(
      SELECT * FROM (
        SELECT id, level, type, name, track_id, start_ns - {} AS start_ns, duration_ns
        FROM span WHERE {} AND NOT {} ORDER BY duration_ns DESC NULLS FIRST, id LIMIT {})
      ORDER BY start_ns, duration_ns DESC NULLS FIRST, id)",
                              detail.run.start_ns, detail.Where(), detail.IsShort(), most));
}

/// The outermost of the spans that start in `slice` and do not stand, merged. Nothing lies in a
/// kernel; saying so also makes the engine hash the side without names, a third of the memory.
Result<Rows> Merged(const store::Database& database, const Detail& detail, Interval slice,
                    std::size_t most) {
  const std::int64_t longest_ns = std::max(detail.inside_ns, detail.outside_ns);
  return Rows::Of(
      database,
      fmt::format(R"(
      WITH part AS (
        SELECT s.track_id, s.level, s.type, s.name, coalesce(outer_span.id, 0) AS inside_of,
               {window_start} <= s.start_ns AS after_window, {in_window} AS in_window,
               CASE WHEN {in_window} THEN (s.start_ns - {window_start}) // {inside}
                    ELSE (s.start_ns - {run_start}) // {outside} END AS stretch,
               count(*) AS count, sum(coalesce(s.duration_ns, 0)) AS busy_ns, min(s.start_ns) AS start_ns,
               max(s.start_ns + coalesce(s.duration_ns, 0)) AS end_ns
        FROM span s LEFT JOIN (
          SELECT id, track_id, {short} AS is_short FROM span
          WHERE {where} AND ((start_ns >= {slice_start} - {longest} AND start_ns < {slice_end}) OR NOT {short})
            AND level <> 'kernel'
        ) outer_span ON outer_span.id = s.parent_id AND outer_span.track_id = s.track_id
        WHERE {s_where} AND {s_short} AND s.start_ns >= {slice_start} AND s.start_ns < {slice_end}
          AND NOT coalesce(outer_span.is_short, false)
        GROUP BY ALL)
      SELECT track_id, min(start_ns) - {run_start} AS start_ns, max(end_ns) - min(start_ns) AS duration_ns,
             sum(count)::BIGINT AS count, sum(busy_ns)::BIGINT AS busy_ns, arg_max(name, busy_ns) AS name,
             arg_max(level, busy_ns) AS level, arg_max(type, busy_ns) AS type
      FROM part GROUP BY track_id, inside_of, after_window, in_window, stretch
      ORDER BY start_ns, track_id LIMIT {most})",
                  fmt::arg("window_start", detail.window.start_ns),
                  fmt::arg("in_window", detail.InWindow("s.")),
                  fmt::arg("inside", std::max<std::int64_t>(1, detail.inside_ns)),
                  fmt::arg("outside", std::max<std::int64_t>(1, detail.outside_ns)),
                  fmt::arg("run_start", detail.run.start_ns), fmt::arg("short", detail.IsShort()),
                  fmt::arg("s_short", detail.IsShort("s.")), fmt::arg("where", detail.Where()),
                  fmt::arg("s_where", detail.Where("s.")), fmt::arg("longest", longest_ns),
                  fmt::arg("slice_start", slice.start_ns), fmt::arg("slice_end", slice.end_ns),
                  fmt::arg("most", most)));
}

/// What launched the kernels that stand.
Result<Rows> Launches(const store::Database& database, const Detail& detail) {
  return Rows::Of(
      database, fmt::format(R"(
      SELECT k.id AS kernel, l.track_id, l.start_ns - {} AS start_ns
      FROM (SELECT id, parent_id FROM span WHERE {} AND level = 'kernel' AND NOT {}) k
      JOIN span l ON l.id = k.parent_id AND l.run_id = {} AND l.level = 'library' ORDER BY k.id)",
                            detail.run.start_ns, detail.Where(), detail.IsShort(), detail.run_id));
}

json StepsJson(const std::vector<Step>& steps, std::size_t most, std::int64_t base_ns) {
  Dictionary names;
  json name = json::array(), start = json::array(), duration = json::array();
  for (const Step& step : steps) {
    if (name.size() == most) break;
    name.push_back(names.Code(step.name));
    start.push_back(step.time.start_ns - base_ns);
    duration.push_back(step.time.end_ns - step.time.start_ns);
  }
  return {{"name", {{"dict", names.Texts(100'000)}, {"codes", std::move(name)}}},
          {"start_ns", std::move(start)},
          {"duration_ns", std::move(duration)}};
}

json TracksJson(const TrackChoice& choice) {
  json list = json::array();
  for (std::size_t i = 0; i < choice.tracks.size(); ++i) {
    const RunTrack& track = choice.tracks[i];
    list.push_back({{"id", track.id},
                    {"kind", track.kind},
                    {"name", track.name},
                    {"rank", track.rank < 0 ? json(nullptr) : json(track.rank)},
                    {"is_device", track.IsDevice()},
                    {"spans", track.spans},
                    {"folded", i >= choice.unfolded}});
  }
  return list;
}

/// "10,406,601".
std::string Grouped(std::int64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

/// What the page does not carry of the run, for people.
struct Omitted {
  std::int64_t total = 0, standing = 0, merged = 0, blocks = 0;
  bool names_cut = false;
  std::size_t steps = 0;
};

void AddCut(const Detail& detail, const TrackChoice& choice, const Omitted& left,
            const TimelineLimits& limits, const Step* shown, json& cuts) {
  const auto ns = [](std::int64_t value) {
    return wording::FormatQuantity(static_cast<double>(value), "ns");
  };
  std::string text;
  if (left.merged > 0) {
    text = fmt::format("Of {} spans {} stand as they are: ", Grouped(left.total),
                       Grouped(left.standing));
    if (shown != nullptr)
      text += detail.inside_ns == kAll
                  ? fmt::format("all that start in `{}`, elsewhere those longer than {}",
                                shown->name, ns(detail.outside_ns))
                  : fmt::format("in `{}` those longer than {}, elsewhere those longer than {}",
                                shown->name, ns(detail.inside_ns), ns(detail.outside_ns));
    else
      text += fmt::format("those longer than {}", ns(detail.outside_ns));
    text += fmt::format(
        ". The {} others are merged into {} blocks by track and segment of time; a block shows how "
        "many lie in it outermost, their time, and the name with most of it. ",
        Grouped(left.merged), Grouped(left.blocks));
  }
  if (choice.left_out > 0)
    text += fmt::format("{} more tracks with {} spans are not drawn. ", choice.left_out,
                        Grouped(choice.left_out_spans));
  if (choice.reference_spans > 0)
    text +=
        fmt::format("{} spans of a capture, which only says what others replay, are not drawn. ",
                    Grouped(choice.reference_spans));
  if (left.steps > limits.steps)
    text += fmt::format("The ruler marks the first {} of {} steps. ", limits.steps, left.steps);
  if (left.names_cut) text += "Long names are cut. ";
  if (text.empty()) return;
  const std::int64_t drawn = left.standing + left.merged;
  cuts.push_back({{"table", "timeline"},
                  {"shown", left.standing + left.blocks},
                  {"total", drawn + choice.left_out_spans + choice.reference_spans},
                  {"text", text + "All spans: `xsp query RUN 'SELECT * FROM span'`."}});
}

}  // namespace

Result<json> RunTimeline(const store::Database& database, std::int64_t point_id,
                         std::int64_t run_id, const TimelineLimits& limits, json& cuts) {
  XSP_TRY(std::vector<RunTrack> all, ReadRunTracks(database, run_id));
  const TrackChoice choice = ChooseTracks(std::move(all), limits.tracks);
  if (choice.tracks.empty()) return json(nullptr);

  Detail detail;
  detail.run_id = run_id;
  detail.tracks = IdList(choice.tracks);
  detail.run = {choice.tracks[0].start_ns, choice.tracks[0].end_ns};
  std::unordered_map<std::int64_t, std::int64_t> index_of_track;
  Omitted left;
  for (std::size_t i = 0; i < choice.tracks.size(); ++i) {
    const RunTrack& track = choice.tracks[i];
    index_of_track.emplace(track.id, static_cast<std::int64_t>(i));
    detail.run.start_ns = std::min(detail.run.start_ns, track.start_ns);
    detail.run.end_ns = std::max(detail.run.end_ns, track.end_ns);
    left.total += track.spans;
  }
  XSP_TRY(const std::vector<Step> steps, ReadSteps(database, detail));
  left.steps = steps.size();
  const Step* shown = MedianStep(steps);
  if (shown != nullptr) detail.window = shown->time;
  XSP_RETURN_IF_ERROR(
      ChooseThresholds(database, left.total, limits.rows, choice.tracks.size(), detail));

  Dictionary names, kinds;
  Packed spans(names, kinds);
  std::unordered_map<std::int64_t, std::size_t> row_of;
  XSP_TRY(const Rows standing, Standing(database, detail, limits.rows));
  for (std::size_t i = 0; i < standing.size(); ++i) {
    row_of.emplace(standing.Integer(i, "id"), i);
    spans.Add(standing, i, index_of_track.at(standing.Integer(i, "track_id")));
  }
  left.standing = static_cast<std::int64_t>(standing.size());
  left.merged = left.total - left.standing;

  Packed blocks(names, kinds);
  json count = json::array(), busy = json::array();
  const std::int64_t slices = left.merged == 0 ? 0 : 1 + left.total / limits.spans_at_once;
  for (std::int64_t slice = 0; slice < slices; ++slice) {
    const std::int64_t length = (detail.run.end_ns - detail.run.start_ns) / slices + 1;
    const std::int64_t start_ns = detail.run.start_ns + slice * length;
    XSP_TRY(const Rows merged,
            Merged(database, detail, {start_ns, start_ns + length},
                   limits.rows - std::min(limits.rows, spans.size() + blocks.size())));
    for (std::size_t i = 0; i < merged.size(); ++i) {
      blocks.Add(merged, i, index_of_track.at(merged.Integer(i, "track_id")));
      count.push_back(merged.Integer(i, "count"));
      busy.push_back(merged.Integer(i, "busy_ns"));
    }
  }
  left.blocks = static_cast<std::int64_t>(blocks.size());

  json launched = json::array(), by_track = json::array(), by_start = json::array();
  XSP_TRY(const Rows launches, Launches(database, detail));
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto kernel = row_of.find(launches.Integer(i, "kernel"));
    const auto track = index_of_track.find(launches.Integer(i, "track_id"));
    if (kernel == row_of.end() || track == index_of_track.end()) continue;
    launched.push_back(kernel->second);
    by_track.push_back(track->second);
    by_start.push_back(launches.Integer(i, "start_ns"));
  }

  XSP_TRY(const Rows collectives,
          Rows::Of(database,
                   fmt::format("SELECT DISTINCT name FROM collective WHERE run_id = {}", run_id)));
  std::vector<std::string> communicating;
  for (std::size_t i = 0; i < collectives.size(); ++i)
    communicating.push_back(collectives.Text(i, "name"));

  left.names_cut = names.IsCutTo(limits.name_bytes);
  AddCut(detail, choice, left, limits, shown, cuts);
  json block_columns = std::move(blocks).Json();
  block_columns["count"] = std::move(count);
  block_columns["busy_ns"] = std::move(busy);
  json timeline{{"point_id", point_id},
                {"run_id", run_id},
                {"duration_ns", detail.run.end_ns - detail.run.start_ns},
                {"total", left.total},
                {"tracks", TracksJson(choice)},
                {"steps", StepsJson(steps, limits.steps, detail.run.start_ns)},
                {"shown", nullptr},
                {"names", names.Texts(limits.name_bytes)},
                {"kinds", kinds.Texts(limits.name_bytes)},
                {"communicating", names.NumbersOf(communicating)},
                {"spans", std::move(spans).Json()},
                {"blocks", std::move(block_columns)},
                {"launches",
                 {{"span", std::move(launched)},
                  {"track", std::move(by_track)},
                  {"start_ns", std::move(by_start)}}}};
  if (shown != nullptr)
    timeline["shown"] = {{"name", shown->name},
                         {"start_ns", shown->time.start_ns - detail.run.start_ns},
                         {"duration_ns", shown->time.end_ns - shown->time.start_ns}};
  return timeline;
}

Result<json> RunTimelines(const store::Database& database, json& cuts) {
  XSP_TRY(const Rows runs,
          Rows::Of(database,
                   "SELECT point_id, run_id FROM run WHERE status <> 'failed' AND rung IN "
                   "('imported', 'recorded') ORDER BY run_id"));
  json list = json::array();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    XSP_TRY(json timeline, RunTimeline(database, runs.Integer(i, "point_id"),
                                       runs.Integer(i, "run_id"), {}, cuts));
    if (!timeline.is_null()) list.push_back(std::move(timeline));
  }
  return list;
}

}  // namespace xsp::report
