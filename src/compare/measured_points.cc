#include "compare/measured_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

namespace xsp::compare {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// Reads cells of a table by column name.
class Reader {
 public:
  explicit Reader(const store::Table& table) : table_(table) {}

  std::size_t rows() const { return table_.rows.size(); }

  std::int64_t Integer(std::size_t row, std::string_view column) const {
    const auto* value = std::get_if<std::int64_t>(Find(row, column));
    return value != nullptr ? *value : 0;
  }
  double Number(std::size_t row, std::string_view column) const {
    const store::Cell* cell = Find(row, column);
    if (const auto* value = std::get_if<double>(cell)) return *value;
    if (const auto* value = std::get_if<std::int64_t>(cell)) return static_cast<double>(*value);
    return kNotMeasured;
  }
  std::string Text(std::size_t row, std::string_view column) const {
    const auto* value = std::get_if<std::string>(Find(row, column));
    return value != nullptr ? *value : std::string();
  }
  bool Flag(std::size_t row, std::string_view column) const {
    const auto* value = std::get_if<bool>(Find(row, column));
    return value != nullptr && *value;
  }

 private:
  const store::Cell* Find(std::size_t row, std::string_view column) const {
    static const store::Cell null;
    const auto it = std::find(table_.columns.begin(), table_.columns.end(), column);
    if (it == table_.columns.end()) return &null;
    return &table_.rows[row][static_cast<std::size_t>(it - table_.columns.begin())];
  }

  const store::Table& table_;
};

/// Latencies of each run: the undisturbed calls, or all where too few of these are left (the rule
/// of match/).
std::map<std::int64_t, std::vector<double>> UsedSamples(const store::Table& table) {
  struct Samples {
    std::vector<double> undisturbed, all;
  };
  std::map<std::int64_t, Samples> runs;
  const Reader sample(table);
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    // What answered requests at some rate is no call of a closed loop.
    if (!std::isnan(sample.Number(row, "queue_ns"))) continue;
    Samples& samples = runs[sample.Integer(row, "run_id")];
    samples.all.push_back(sample.Number(row, "latency_ns"));
    if (!sample.Flag(row, "disturbed")) samples.undisturbed.push_back(samples.all.back());
  }
  std::map<std::int64_t, std::vector<double>> used;
  for (auto& [run, samples] : runs) {
    const bool few = match::TooFewUndisturbed(samples.undisturbed.size(), samples.all.size());
    used[run] = std::move(few ? samples.all : samples.undisturbed);
  }
  return used;
}

}  // namespace

std::vector<Group> ComparableGroups(const match::ExperimentTables& tables) {
  const Reader points(tables.point), runs(tables.run), layers(tables.layer);
  std::map<std::int64_t, MeasuredPoint> measured;
  auto samples = UsedSamples(tables.sample);
  std::map<std::int64_t, std::string> rungs;
  std::map<std::int64_t, std::int64_t> point_of;
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    const std::int64_t run = runs.Integer(row, "run_id");
    point_of[run] = runs.Integer(row, "point_id");
    if (runs.Text(row, "rung") == "model" && !samples[run].empty())
      measured[point_of[run]].processes.push_back(std::move(samples[run]));
  }
  for (const match::BaselineSamples& baseline : tables.baselines) {
    if (baseline.rung == "model" && !baseline.latencies_ns.empty())
      measured[point_of[baseline.run_id]].processes.push_back(baseline.latencies_ns);
  }
  for (std::size_t row = 0; row < layers.rows(); ++row) {
    measured[layers.Integer(row, "point_id")].layers.push_back(
        {layers.Integer(row, "layer_index"), layers.Text(row, "name"), layers.Text(row, "type"),
         layers.Text(row, "shape"), layers.Number(row, "latency_ns")});
  }
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> group_of;
  for (std::size_t row = 0; row < points.rows(); ++row) {
    const std::int64_t id = points.Integer(row, "point_id");
    MeasuredPoint& point = measured[id];
    point.point_id = id;
    if (point.processes.empty()) continue;
    const auto [at, is_new] = group_of.try_emplace(
        {points.Text(row, "model"), points.Integer(row, "batch")}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(std::move(point));
  }
  std::erase_if(groups, [](const Group& group) { return group.size() < 2; });
  return groups;
}

}  // namespace xsp::compare
