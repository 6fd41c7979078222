#include "derive/compare/measured_points.h"

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

/// Latencies of each run's own calls by block, which alternated with other processes'. Disturbed
/// calls are among them: leaving them out would favour the program whose calls are shorter.
std::map<std::int64_t, std::vector<std::vector<double>>> BlocksOfRuns(
    const store::Table& table, const std::map<std::int64_t, std::string>& rungs) {
  std::map<std::int64_t, std::map<std::int64_t, std::vector<double>>> runs;
  const Reader sample(table);
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const std::int64_t run = sample.Integer(row, "run_id");
    const std::string rung = sample.Text(row, "rung");
    const auto own = rungs.find(run);
    // What answered requests at some rate is no call of a closed loop.
    if (own == rungs.end() || (!rung.empty() && rung != own->second) ||
        !std::isnan(sample.Number(row, "queue_ns")))
      continue;
    runs[run][sample.Integer(row, "block")].push_back(sample.Number(row, "latency_ns"));
  }
  std::map<std::int64_t, std::vector<std::vector<double>>> blocks;
  for (auto& [run, of_run] : runs)
    for (auto& [number, block] : of_run) blocks[run].push_back(std::move(block));
  return blocks;
}

}  // namespace

std::vector<Group> ComparableGroups(const match::ExperimentTables& tables) {
  const Reader points(tables.point), runs(tables.run), layers(tables.layer);
  std::map<std::int64_t, MeasuredPoint> measured;
  std::map<std::int64_t, std::string> rungs;
  for (std::size_t row = 0; row < runs.rows(); ++row)
    rungs[runs.Integer(row, "run_id")] = runs.Text(row, "rung");
  auto blocks = BlocksOfRuns(tables.sample, rungs);
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    const std::int64_t run = runs.Integer(row, "run_id");
    const bool takes_turns = runs.Integer(row, "process_pair") == 0;
    if (runs.Text(row, "rung") == "model" && takes_turns && !blocks[run].empty())
      measured[runs.Integer(row, "point_id")].processes.push_back(std::move(blocks[run]));
  }
  for (std::size_t row = 0; row < layers.rows(); ++row) {
    measured[layers.Integer(row, "point_id")].layers.push_back(
        {layers.Integer(row, "layer_index"), layers.Text(row, "name"), layers.Text(row, "type"),
         layers.Text(row, "shape"), layers.Number(row, "latency_ns"), layers.Text(row, "path")});
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
