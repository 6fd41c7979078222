#include "api/operations/past_runs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "derive/history/stored_points.h"
#include "store/directory.h"
#include "store/many_experiments.h"
#include "store/rows/run_row.h"
#include "store/typed_table.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMostExperiments = 12;
constexpr std::size_t kMostClosest = 3;

/// Fields of a job that decide how long a call takes, beside its rung and model.
constexpr std::string_view kOfTime[] = {"device",  "precision", "graph",
                                        "threads", "options",   "batch"};

json FieldOf(const json& job, std::string_view name) {
  const auto found = job.is_object() ? job.find(std::string(name)) : job.end();
  return !job.is_object() || found == job.end() ? json() : *found;
}

double NumberOf(const json& object, std::string_view name) {
  const json value = FieldOf(object, name);
  return value.is_number() ? value.get<double>() : 0;
}

/// A point of the store whose runs are of use.
struct UsedPoint {
  std::size_t experiment;  ///< Index among the folders.
  std::int64_t point_id;
  const history::StoredPoint* point;
};

/// The points of the newest experiments of each worker, and the folders of these.
std::vector<UsedPoint> NewestPoints(const fs::path& store,
                                    const std::vector<history::StoredPoint>& points,
                                    std::vector<fs::path>* folders) {
  std::map<std::string, std::vector<std::string>> experiments;  // By worker.
  std::map<std::string, std::size_t> indices;
  std::vector<UsedPoint> used;
  for (const history::StoredPoint& point : points) {
    if (point.worker.empty() || point.row.status == "failed") continue;
    std::vector<std::string>& taken = experiments[point.worker];
    if (std::ranges::find(taken, point.experiment) == taken.end()) {
      if (taken.size() == kMostExperiments) continue;
      taken.push_back(point.experiment);
    }
    const auto [index, is_new] = indices.emplace(point.experiment, folders->size());
    if (is_new) folders->push_back(store / point.experiment);
    used.push_back({index->second, point.row.point_id, &point});
  }
  return used;
}

/// Nothing: it cannot be told how long it took.
std::optional<protocols::PastRun> PastOf(const store::RunRow& row, const json& run,
                                         std::optional<double> point_latency_ns) {
  const json job = FieldOf(run, "job");
  const json sampling = FieldOf(run, "sampling"), seconds = FieldOf(run, "seconds");
  const double latency_ns = row.latency_ns.value_or(point_latency_ns.value_or(0));
  protocols::PastRun past;
  past.batch = static_cast<std::int64_t>(NumberOf(job, "batch"));
  past.calls = static_cast<int>(NumberOf(run, "calls"));
  past.call_s = latency_ns / 1e9;
  if (past.batch < 1 || past.calls < 1 || !(past.call_s > 0)) return std::nullopt;
  past.rule = {static_cast<int>(NumberOf(job, "iterations")),
               NumberOf(sampling, "precision_target"), NumberOf(sampling, "time_limit_s"),
               std::max(1, static_cast<int>(NumberOf(sampling, "loads")))};
  past.warmup_calls = static_cast<int>(NumberOf(FieldOf(run, "warmup"), "calls"));
  past.baseline_call_s = row.baseline_ns.value_or(0) / 1e9;
  past.relative_half_width = row.latency_low_ns && row.latency_high_ns
                                 ? (*row.latency_high_ns - *row.latency_low_ns) / 2 / latency_ns
                                 : std::nan("");
  past.load_s = (row.load_ns.value_or(0) + row.first_call_ns.value_or(0)) / 1e9;
  if (const double start_s = NumberOf(seconds, "start"); start_s > 0) past.start_s = start_s;
  if (const double turns_s = NumberOf(seconds, "turns"); turns_s > 0) past.turns_s = turns_s;
  return past;
}

}  // namespace

Result<std::vector<StoredRun>> ReadPastRuns(const fs::path& store, const std::string& model,
                                            const std::string& machine) {
  XSP_TRY(const history::StoredPoints stored, history::ReadStoredPoints(store, {model, machine}));
  std::vector<fs::path> folders;
  const std::vector<UsedPoint> points = NewestPoints(store, stored.points, &folders);
  XSP_TRY(auto experiments, store::ManyExperiments::Open(folders));
  XSP_TRY(const store::Table table,
          experiments.Query({"run"},
                            "SELECT * FROM run WHERE status = 'done' AND process_pair IS "
                            "NULL ORDER BY experiment, run_id"));
  XSP_TRY(const std::vector<store::RunRow> rows, store::ToRows<store::RunRow>(table));
  std::vector<StoredRun> runs;
  for (const UsedPoint& used : points) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto experiment = static_cast<std::size_t>(std::get<std::int64_t>(table.rows[i][0]));
      if (experiment != used.experiment || rows[i].point_id != used.point_id) continue;
      const auto directory = store::Inspect(folders[experiment] / rows[i].path);
      if (!directory.ok()) continue;
      const auto past = PastOf(rows[i], directory.value().json, used.point->row.latency_ns);
      if (!past) continue;
      runs.push_back({used.point->experiment, used.point->created, rows[i].rung, used.point->worker,
                      FieldOf(directory.value().json, "job"), used.point->row.latency_ns, *past});
    }
  }
  return runs;
}

std::vector<std::string> DifferencesOf(const json& one, const json& other) {
  std::vector<std::string> differences;
  for (const std::string_view name : kOfTime)
    if (FieldOf(one, name) != FieldOf(other, name)) differences.emplace_back(name);
  if (FieldOf(FieldOf(one, "model"), "given") != FieldOf(FieldOf(other, "model"), "given"))
    differences.emplace_back("input");
  return differences;
}

ClosestRuns FindClosest(const std::vector<StoredRun>& runs, const std::string& worker,
                        const std::string& rung, const json& job) {
  // Batch sizes as far as a factor tells: from 4, 2 is as far as 8. Of those the larger comes
  // first.
  using Distance = std::tuple<std::size_t, double, double>;
  const auto distance = [&](const StoredRun& run) {
    const double batch = std::max(1.0, NumberOf(job, "batch"));
    const double other = static_cast<double>(run.past.batch);
    return Distance(DifferencesOf(job, run.job).size(), std::abs(std::log2(other / batch)), -other);
  };
  ClosestRuns closest;
  std::optional<Distance> least;
  for (const StoredRun& run : runs) {
    if (run.worker != worker || run.rung != rung) continue;
    if (FieldOf(run.job, "device") != FieldOf(job, "device")) continue;
    const Distance its = distance(run);
    if (!least || its < *least) {
      least = its;
      closest.runs.clear();
      closest.differs_by = DifferencesOf(job, run.job);
    }
    const bool is_taken = std::ranges::any_of(
        closest.runs, [&](const StoredRun* other) { return other->experiment == run.experiment; });
    if (its == *least && !is_taken && closest.runs.size() < kMostClosest &&
        DifferencesOf(job, run.job) == closest.differs_by)
      closest.runs.push_back(&run);
  }
  return closest;
}

}  // namespace xsp::api
