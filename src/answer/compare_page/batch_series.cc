#include "answer/compare_page/batch_series.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "answer/report/rows.h"
#include "derive/compare/latency.h"
#include "derive/compare/measured_points.h"
#include "derive/compare/measured_tables.h"
#include "store/directory.h"

namespace xsp::compare_page {
namespace {

namespace fs = std::filesystem;
using compare::Group;
using nlohmann::json;
using report::Rows;

/// What the points of a series have in common.
using Configuration = std::tuple<std::string, std::string, std::string, std::string, std::string>;

Configuration ConfigurationOf(const store::PointRow& point) {
  return {point.model, point.backend, point.device, point.precision, point.settings};
}

/// One point of a series.
struct SeriesPoint {
  std::size_t series = 0;
  std::size_t experiment = 0;
  std::string session;
  store::PointRow row;
  std::optional<double> device_ns;
  std::vector<std::vector<std::vector<double>>> calls;
  bool was_busy = false;
  bool is_compared = false;
};

json NumberOrNull(const std::optional<double>& number) {
  return number ? json(*number) : json(nullptr);
}

Result<std::map<std::int64_t, double>> DeviceTimes(const store::Database& database) {
  XSP_TRY(const Rows rows, Rows::Of(database,
                                    "SELECT point_id, device_work_ns::DOUBLE AS ns FROM point_time "
                                    "WHERE device_work_ns IS NOT NULL"));
  std::map<std::int64_t, double> times;
  for (std::size_t i = 0; i < rows.size(); ++i)
    times[rows.Integer(i, "point_id")] = rows.Number(i, "ns");
  return times;
}

/// Whether other programs took time from a run without profiling of the point.
bool WasBusy(const fs::path& experiment, const compare::MeasuredTables& tables,
             std::int64_t point_id) {
  for (const store::RunRow& run : tables.run) {
    if (run.point_id != point_id || run.rung != "model") continue;
    const auto folder = store::Inspect(experiment / run.path);
    if (!folder.ok()) continue;
    const json& document = folder.value().json;
    const auto found = document.find("disturbance");
    if (found != document.end() && found->is_object() && found->value("busy", json()) == true)
      return true;
  }
  return false;
}

/// Reads series and their points.
class SeriesReader {
 public:
  Status Read(const fs::path& experiment, const store::Database& database,
              const std::set<std::int64_t>& compared) {
    XSP_TRY(const compare::MeasuredTables tables, compare::ReadMeasuredCalls(database));
    XSP_TRY(const auto device_times, DeviceTimes(database));
    const std::string session = compare::SessionOf(experiment);
    std::map<Configuration, std::size_t> number_of;
    for (const store::PointRow& point : tables.point)
      if (compared.contains(point.point_id) && !number_of.contains(ConfigurationOf(point)))
        number_of.emplace(ConfigurationOf(point), AddSeries(experiment, point));
    for (const store::PointRow& point : tables.point) {
      const auto series = number_of.find(ConfigurationOf(point));
      if (series == number_of.end() || !point.batch) continue;
      const auto device = device_times.find(point.point_id);
      if (!point.latency_ns && device == device_times.end()) continue;
      points_.push_back(
          {series->second, experiments_, session, point,
           device == device_times.end() ? std::nullopt : std::optional(device->second),
           compare::ModelCalls(tables, point.point_id), WasBusy(experiment, tables, point.point_id),
           compared.contains(point.point_id)});
    }
    ++experiments_;
    return Ok{};
  }

  /// Ends the reading.
  json Write() {
    for (const SeriesPoint& point : points_)
      series_[point.series]["points"].push_back(
          {{"batch", *point.row.batch},
           {"latency_ns", NumberOrNull(point.row.latency_ns)},
           {"latency_low_ns", NumberOrNull(point.row.latency_low_ns)},
           {"latency_high_ns", NumberOrNull(point.row.latency_high_ns)},
           {"device_ns", NumberOrNull(point.device_ns)},
           {"processes", point.calls.size()},
           {"is_compared", point.is_compared}});
    json ranks = Ranks();
    return {{"series", std::move(series_)}, {"ranks", std::move(ranks)}};
  }

 private:
  std::size_t AddSeries(const fs::path& experiment, const store::PointRow& point) {
    series_.push_back({{"experiment", experiment.filename().string()},
                       {"model", point.model},
                       {"backend", point.backend},
                       {"device", point.device},
                       {"precision", point.precision},
                       {"settings", point.settings},
                       {"points", json::array()}});
    return series_.size() - 1;
  }

  /// Of each group of points that compete the verdicts between them.
  json Ranks() const {
    std::map<std::pair<std::string, std::int64_t>, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (points_[i].row.latency_ns)
        groups[{points_[i].row.model, *points_[i].row.batch}].push_back(i);
    json ranks = json::array();
    for (const auto& [of, members] : groups) {
      if (members.size() < 2) continue;
      ranks.push_back({{"model", of.first}, {"batch", of.second}, {"rows", RankRows(members)}});
    }
    return ranks;
  }

  json RankRows(std::vector<std::size_t> members) const {
    std::stable_sort(members.begin(), members.end(), [&](std::size_t x, std::size_t y) {
      return *points_[x].row.latency_ns < *points_[y].row.latency_ns;
    });
    Group group;
    for (const std::size_t i : members)
      if (points_[i].calls.size() >= 2)
        group.push_back({0, static_cast<std::int64_t>(i), points_[i].calls, {}});
    std::map<std::size_t, std::int64_t> faster;
    std::map<std::size_t, std::vector<std::size_t>> tied;
    for (const store::ComparisonRow& row : compare::CompareLatencies({group})) {
      const auto point = static_cast<std::size_t>(row.point_id);
      const auto against = static_cast<std::size_t>(row.against_point_id);
      if (row.verdict == "no difference found" || !AreComparable(point, against))
        tied[point].push_back(points_[against].series);
      else if (row.verdict == "slower")
        ++faster[point];
    }
    json rows = json::array();
    for (const std::size_t i : members) {
      const bool is_ranked = points_[i].calls.size() >= 2 && group.size() >= 2;
      rows.push_back({{"series", points_[i].series},
                      {"rank", is_ranked ? json(1 + faster[i]) : json(nullptr)},
                      {"tied_with", tied[i]},
                      {"processes", points_[i].calls.size()},
                      {"was_busy", points_[i].was_busy},
                      {"latency_ns", *points_[i].row.latency_ns},
                      {"latency_low_ns", NumberOrNull(points_[i].row.latency_low_ns)},
                      {"latency_high_ns", NumberOrNull(points_[i].row.latency_high_ns)}});
    }
    return rows;
  }

  /// Points that alternated met alike what else ran.
  bool AreComparable(std::size_t x, std::size_t y) const {
    const SeriesPoint &a = points_[x], &b = points_[y];
    const bool alternated =
        a.experiment == b.experiment || (!a.session.empty() && a.session == b.session);
    return alternated || !(a.was_busy || b.was_busy);
  }

  json series_ = json::array();
  std::vector<SeriesPoint> points_;
  std::size_t experiments_ = 0;
};

}  // namespace

Result<json> BatchSeries(const std::vector<compare::SideSource>& sides,
                         const Experiments& experiments) {
  // In the order of the sides.
  std::vector<fs::path> order;
  std::map<fs::path, std::set<std::int64_t>> compared;
  for (const compare::SideSource& side : sides) {
    if (!compared.contains(side.experiment)) order.push_back(side.experiment);
    compared[side.experiment].insert(side.point_id);
  }
  SeriesReader reader;
  for (const fs::path& experiment : order) {
    const auto database = experiments.find(experiment);
    XSP_CHECK(database != experiments.end());
    XSP_RETURN_IF_ERROR(reader.Read(experiment, database->second, compared[experiment]));
  }
  return reader.Write();
}

}  // namespace xsp::compare_page
