#include "derive/compare/measured_points.h"

#include <limits>
#include <map>
#include <utility>

namespace xsp::compare {
namespace {

constexpr double kNotMeasured = std::numeric_limits<double>::quiet_NaN();

/// Latencies of each run's own calls by block, which alternated with other processes'. Disturbed
/// calls are among them: leaving them out would favour the program whose calls are shorter.
std::map<std::int64_t, std::vector<std::vector<double>>> BlocksOfRuns(
    const std::vector<store::SampleRow>& samples,
    const std::map<std::int64_t, std::string>& rungs) {
  std::map<std::int64_t, std::map<std::int64_t, std::vector<double>>> runs;
  for (const store::SampleRow& sample : samples) {
    const auto own = rungs.find(sample.run_id);
    // What answered requests at some rate is no call of a closed loop.
    if (own == rungs.end() || (sample.rung && *sample.rung != own->second) || sample.queue_ns)
      continue;
    runs[sample.run_id][sample.block.value_or(0)].push_back(static_cast<double>(sample.latency_ns));
  }
  std::map<std::int64_t, std::vector<std::vector<double>>> blocks;
  for (auto& [run, of_run] : runs)
    for (auto& [number, block] : of_run) blocks[run].push_back(std::move(block));
  return blocks;
}

}  // namespace

std::vector<Group> ComparableGroups(const match::ExperimentTables& tables) {
  std::map<std::int64_t, MeasuredPoint> measured;
  std::map<std::int64_t, std::string> rungs;
  for (const store::RunRow& run : tables.run) rungs[run.run_id] = run.rung;
  auto blocks = BlocksOfRuns(tables.sample, rungs);
  for (const store::RunRow& run : tables.run) {
    if (run.rung == "model" && !run.process_pair && !blocks[run.run_id].empty())
      measured[run.point_id].processes.push_back(std::move(blocks[run.run_id]));
  }
  for (const store::LayerRow& layer : tables.layer) {
    measured[layer.point_id].layers.push_back(
        {layer.layer_index, layer.name, layer.type, layer.shape.value_or(""),
         layer.latency_ns.value_or(kNotMeasured), layer.path.value_or("")});
  }
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> group_of;
  for (const store::PointRow& row : tables.point) {
    MeasuredPoint& point = measured[row.point_id];
    point.point_id = row.point_id;
    if (point.processes.empty()) continue;
    const auto [at, is_new] =
        group_of.try_emplace({row.model, row.batch.value_or(0)}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(std::move(point));
  }
  std::erase_if(groups, [](const Group& group) { return group.size() < 2; });
  return groups;
}

}  // namespace xsp::compare
