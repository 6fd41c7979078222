#include "derive/history/history_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "core/clock_text.h"
#include "core/json_text.h"
#include "core/nearest_word.h"
#include "derive/history/measured_run.h"
#include "derive/history/metric_values.h"
#include "derive/history/stored_experiments.h"
#include "store/many_experiments.h"
#include "store/rows/point_row.h"
#include "store/typed_table.h"

namespace xsp::history {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A point with the index of its experiment.
struct Point {
  std::size_t experiment;
  store::PointRow row;
};

/// Settings that only concern how long it was measured, and with which inputs.
constexpr std::string_view kOfSampling[] = {"iterations", "seed", "processes"};

std::string SettingsOf(const store::PointRow& row) {
  json settings = core::ParseJson(row.settings);
  if (!settings.is_object()) return row.settings;
  for (const std::string_view name : kOfSampling) settings.erase(std::string(name));
  return core::JsonText(settings);
}

/// "PyTorch 2.15.0" without what begins with a digit.
std::string BackendName(std::string_view backend) {
  std::string name;
  while (!backend.empty()) {
    const std::string_view word = backend.substr(0, backend.find(' '));
    backend.remove_prefix(std::min(backend.size(), word.size() + 1));
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0) continue;
    name += (name.empty() ? "" : " ") + std::string(word);
  }
  return name;
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// A set of texts for a hint.
std::string Listed(const std::set<std::string>& texts) {
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

template <typename T>
bool IsOneOf(const std::vector<T>& wanted, const T& value) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

bool IsWanted(const store::PointRow& row, const Selection& selection) {
  const std::string backend = LowerCase(row.backend);
  const bool has_backend = selection.backends.empty() ||
                           std::any_of(selection.backends.begin(), selection.backends.end(),
                                       [&](const std::string& part) {
                                         return backend.find(LowerCase(part)) != backend.npos;
                                       });
  const bool has_batch =
      selection.batches.empty() || (row.batch && IsOneOf(selection.batches, *row.batch));
  return has_backend && has_batch && IsOneOf(selection.devices, row.device) &&
         IsOneOf(selection.precisions, row.precision);
}

Error NoSuchModel(const Selection& selection, const std::vector<Point>& points,
                  const fs::path& store) {
  std::set<std::string> models;
  for (const Point& point : points) models.insert(point.row.model);
  const std::vector<std::string_view> known(models.begin(), models.end());
  if (known.empty())
    return {ErrorKind::kBadInput,
            fmt::format("no experiment of {} in {}", selection.model, store.string()),
            "Measure it with `xsp run`, name a store with --store, or widen --since and --tag."};
  return {ErrorKind::kBadInput, fmt::format("no experiment of this model: {}", selection.model),
          fmt::format("The nearest models of the store are: {}.",
                      fmt::join(core::NearestWords(selection.model, known, 3), ", "))};
}

Error NoSuchPoint(const Selection& selection, const std::vector<Point>& points) {
  std::set<std::string> backends, devices, precisions, batches;
  for (const Point& point : points) {
    if (point.row.model != selection.model) continue;
    backends.insert(BackendName(point.row.backend));
    devices.insert(point.row.device);
    precisions.insert(point.row.precision);
    if (point.row.batch) batches.insert(std::to_string(*point.row.batch));
  }
  return {ErrorKind::kBadInput,
          fmt::format("no experiment of {} has all that was asked for", selection.model),
          fmt::format("It has backends: {}; devices: {}; precisions: {}; batch sizes: {}.",
                      Listed(backends), Listed(devices), Listed(precisions), Listed(batches))};
}

class Reader {
 public:
  Reader(const fs::path& store, const Selection& selection)
      : store_(store), selection_(selection), now_(selection.now) {
    if (now_.empty()) now_ = core::NowRfc3339();
  }

  Result<History> Read() {
    XSP_TRY(StoredExperiments stored, ListExperiments(store_, selection_.since, selection_.tags));
    history_.metric = selection_.metric;
    history_.experiments = stored.all;
    history_.left_out = std::move(stored.unreadable);
    stored_ = std::move(stored.wanted);
    const auto unreadable = static_cast<std::ptrdiff_t>(history_.left_out.size());
    const auto is_of_model = [this](const Point& point) {
      return point.row.model == selection_.model;
    };
    // Experiments that state another model are thousands in a large store.
    XSP_TRY(std::vector<Point> points, ReadPoints([this](const StoredExperiment& experiment) {
              return experiment.model.empty() || experiment.model == selection_.model;
            }));
    if (std::ranges::none_of(points, is_of_model)) {
      history_.left_out.erase(history_.left_out.begin() + unreadable, history_.left_out.end());
      XSP_TRY(points, ReadPoints([](const StoredExperiment&) { return true; }));
    }
    if (std::ranges::none_of(points, is_of_model)) return NoSuchModel(selection_, points, store_);
    std::vector<Point> wanted;
    for (const Point& point : points)
      if (is_of_model(point) && IsWanted(point.row, selection_)) wanted.push_back(point);
    if (wanted.empty()) return NoSuchPoint(selection_, points);
    for (const Point& point : points) ++points_of_[point.experiment];
    NoteMissingPoints();
    XSP_RETURN_IF_ERROR(AddEntries(wanted));
    return std::move(history_);
  }

 private:
  std::vector<fs::path> Paths(const std::set<std::size_t>& experiments) const {
    std::vector<fs::path> paths;
    for (const std::size_t experiment : experiments) paths.push_back(stored_[experiment].path);
    return paths;
  }

  void LeaveOut(std::size_t experiment, std::string reason) {
    history_.left_out.push_back(
        {stored_[experiment].name, stored_[experiment].created, std::move(reason)});
  }

  /// The points of the experiments that `is_asked`.
  Result<std::vector<Point>> ReadPoints(
      const std::function<bool(const StoredExperiment&)>& is_asked) {
    std::set<std::size_t> asked;
    for (std::size_t i = 0; i < stored_.size(); ++i)
      if (is_asked(stored_[i])) asked.insert(i);
    const std::vector<std::size_t> experiments(asked.begin(), asked.end());
    XSP_TRY(auto opened, store::ManyExperiments::Open(Paths(asked)));
    XSP_TRY(const store::Table read,
            opened.Query({"point"}, "SELECT * FROM point ORDER BY experiment, point_id"));
    for (const auto& bad : opened.unread()) LeaveOut(experiments[bad.experiment], bad.reason);
    XSP_TRY(std::vector<store::PointRow> rows, store::ToRows<store::PointRow>(read));
    std::vector<Point> points;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto experiment = static_cast<std::size_t>(std::get<std::int64_t>(read.rows[i][0]));
      points.push_back({experiments[experiment], std::move(rows[i])});
    }
    return points;
  }

  bool IsLeftOut(const StoredExperiment& experiment) const {
    return std::ranges::any_of(
        history_.left_out, [&](const LeftOut& one) { return one.experiment == experiment.name; });
  }

  /// Experiments of the model whose table of points is missing: one that cannot be read is already
  /// left out.
  void NoteMissingPoints() {
    std::error_code error;
    for (std::size_t i = 0; i < stored_.size(); ++i)
      if (stored_[i].model == selection_.model && !points_of_.contains(i) &&
          !fs::exists(stored_[i].path / "point.parquet", error) && !IsLeftOut(stored_[i]))
        LeaveOut(i, "it has no table of points, or was removed meanwhile");
  }

  Status AddEntries(const std::vector<Point>& points) {
    std::set<std::size_t> asked;
    for (const Point& point : points) asked.insert(point.experiment);
    const std::vector<std::size_t> experiments(asked.begin(), asked.end());
    const std::vector<fs::path> paths = Paths(asked);
    XSP_TRY(auto opened, store::ManyExperiments::Open(paths));
    XSP_TRY(auto runs, ReadRuns(opened));
    XSP_TRY(const auto times, ReadTimes(opened, selection_.metric));
    std::set<std::size_t> unreadable;
    for (const auto& bad : opened.unread()) {
      unreadable.insert(experiments[bad.experiment]);
      LeaveOut(experiments[bad.experiment], bad.reason);
    }
    std::map<std::size_t, std::size_t> place;
    for (std::size_t i = 0; i < experiments.size(); ++i) place[experiments[i]] = i;
    std::map<SeriesKey, std::vector<Entry>> series;
    for (const Point& point : points) {
      if (unreadable.contains(point.experiment)) continue;
      const PointId id{place[point.experiment], point.row.point_id};
      Add(point, runs[id], ValueOf(selection_.metric, point.row, times, id), series);
    }
    for (auto& [key, entries] : series) history_.series.push_back({key, std::move(entries)});
    if (history_.series.empty() && selection_.metric.kind == Metric::Kind::kLayer)
      return NoSuchLayer(paths.back(), selection_.metric);
    return Ok{};
  }

  void Add(const Point& point, const RunOfPoint& run, const MetricValue& value,
           std::map<SeriesKey, std::vector<Entry>>& series) {
    const StoredExperiment& stored = stored_[point.experiment];
    if (!(value.value > 0)) {
      const bool failed = point.row.status == "failed";
      LeaveOut(point.experiment,
               fmt::format("point {} {}{}", point.row.point_id,
                           failed ? "failed" : "has no " + selection_.metric.Name(),
                           run.message.empty() ? "" : ": " + run.message));
      return;
    }
    auto measured = ReadMeasuredRun(stored.path / run.path);
    if (run.path.empty() || !measured.ok()) {
      LeaveOut(point.experiment, run.path.empty()
                                     ? fmt::format("point {} has no run", point.row.point_id)
                                     : measured.error().what);
      return;
    }
    MeasuredRun& described = measured.value();
    if (!stored.xsp_version.empty())
      described.facts.push_back({"xsp.version", stored.xsp_version, ""});
    const SeriesKey key{
        point.row.model, BackendName(point.row.backend), point.row.device, point.row.precision,
        point.row.batch, SettingsOf(point.row),          described.machine};
    Entry entry;
    entry.experiment = stored.name;
    entry.path = stored.path;
    entry.created = stored.created;
    entry.point_id = point.row.point_id;
    entry.is_only_point = points_of_[point.experiment] == 1;
    entry.value = value.value;
    entry.low = value.low;
    entry.high = value.high;
    entry.processes = run.processes;
    entry.was_busy = described.was_busy ? described.was_busy : stored.was_busy;
    entry.session = stored.session;
    entry.has_own_date = stored.has_own_date;
    // Days differ by the zone at most; a clock that is wrong, by more.
    entry.is_in_future = stored.created.substr(0, 10) > now_.substr(0, 10);
    entry.facts = std::move(described.facts);
    series[key].push_back(std::move(entry));
  }

  const fs::path& store_;
  const Selection& selection_;
  std::string now_;
  std::vector<StoredExperiment> stored_;
  std::map<std::size_t, int> points_of_;  ///< By experiment.
  History history_;
};

}  // namespace

Result<History> ReadHistory(const fs::path& store, const Selection& selection) {
  return Reader(store, selection).Read();
}

}  // namespace xsp::history
