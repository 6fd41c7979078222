#include "derive/compare/measured_points.h"

#include <limits>
#include <map>
#include <optional>
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

/// A point that has a model call, with its row of the table `point`. Borrows the row.
struct CalledPoint {
  const store::PointRow* row;
  MeasuredPoint measured;
};

/// In the order of the table `point`.
std::vector<CalledPoint> CalledPoints(const MeasuredTables& tables, std::size_t experiment) {
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
  std::vector<CalledPoint> points;
  for (const store::PointRow& row : tables.point) {
    MeasuredPoint& point = measured[row.point_id];
    point.experiment = experiment;
    point.point_id = row.point_id;
    if (!point.processes.empty()) points.push_back({&row, std::move(point)});
  }
  return points;
}

bool CanBePaired(const store::PointRow& a, const store::PointRow& b) {
  return a.batch == b.batch && a.precision == b.precision && a.device == b.device;
}

bool IsSameProgram(const store::PointRow& a, const store::PointRow& b) {
  return a.model == b.model && a.backend == b.backend;
}

/// For each point of `a` the index of its partner in `b`.
std::vector<std::optional<std::size_t>> FindPartners(const std::vector<CalledPoint>& a,
                                                     const std::vector<CalledPoint>& b) {
  std::vector<std::optional<std::size_t>> partners(a.size());
  std::vector<bool> taken(b.size(), false);
  for (const bool any_program : {false, true}) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size() && !partners[i]; ++j) {
        const store::PointRow &own = *a[i].row, &other = *b[j].row;
        if (taken[j] || !CanBePaired(own, other)) continue;
        if (!any_program && !IsSameProgram(own, other)) continue;
        partners[i] = j;
        taken[j] = true;
      }
    }
  }
  return partners;
}

}  // namespace

std::vector<Group> ComparableGroups(const MeasuredTables& tables) {
  std::vector<Group> groups;
  std::map<std::pair<std::string, std::int64_t>, std::size_t> group_of;
  for (CalledPoint& point : CalledPoints(tables, 0)) {
    const auto [at, is_new] =
        group_of.try_emplace({point.row->model, point.row->batch.value_or(0)}, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(std::move(point.measured));
  }
  std::erase_if(groups, [](const Group& group) { return group.size() < 2; });
  return groups;
}

std::vector<std::vector<std::vector<double>>> ModelCalls(const MeasuredTables& tables,
                                                         std::int64_t point_id) {
  for (CalledPoint& point : CalledPoints(tables, 0))
    if (point.row->point_id == point_id) return std::move(point.measured.processes);
  return {};
}

std::vector<Group> PairedPoints(const MeasuredTables& a, const MeasuredTables& b) {
  std::vector<CalledPoint> of_a = CalledPoints(a, 0), of_b = CalledPoints(b, 1);
  const auto partners = FindPartners(of_a, of_b);
  std::vector<Group> pairs;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    if (!partners[i]) continue;
    Group& pair = pairs.emplace_back();
    pair.push_back(std::move(of_a[i].measured));
    pair.push_back(std::move(of_b[*partners[i]].measured));
  }
  return pairs;
}

}  // namespace xsp::compare
