#include "measure/sweeps/point_estimate.h"

#include <algorithm>
#include <vector>

#include "measure/protocols/plan.h"

namespace xsp::sweeps {
namespace {

using nlohmann::json;

/// The settings that decide how long each point is sampled.
json SamplingOf(const json& settings) {
  json sampling;
  for (const char* key : {"depth", "only", "iterations", "precision_target", "time_limit_s",
                          "processes", "loads", "warmup_limit_s", "scenario", "dataset"})
    sampling[key] = settings.value(key, json());
  return sampling;
}

double SecondsPerBatchSize(const StoredMeasurement& measurement) {
  const std::size_t points = std::max<std::size_t>(1, measurement.subject.batches.size());
  return measurement.seconds / static_cast<double>(points);
}

double MedianOf(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

Estimate EstimateFromStore(const Subject& subject, const StoredMeasurements& stored) {
  std::vector<double> same, similar;
  for (const auto& [name, measurement] : stored.all()) {
    const Subject& other = measurement.subject;
    if (measurement.status != "done" || !(measurement.seconds > 0) ||
        other.model != subject.model || other.worker != subject.worker)
      continue;
    const double seconds = SecondsPerBatchSize(measurement);
    if (other.settings == subject.settings && other.batches == subject.batches) {
      same.push_back(seconds);
    } else if (SamplingOf(other.settings) == SamplingOf(subject.settings)) {
      similar.push_back(seconds);
    }
  }
  const auto points = static_cast<double>(std::max<std::size_t>(1, subject.batches.size()));
  if (!same.empty()) return {MedianOf(std::move(same)) * points, "measured"};
  if (!similar.empty()) return {MedianOf(std::move(similar)) * points, "similar"};
  return {};
}

Estimate EstimateFromLimits(const requests::ExperimentRequest& request,
                            const workers::Backend& backend) {
  if (!request.scenario.kind.empty() || !request.dataset.text.empty()) return {};
  const auto plan = protocols::MakePlan(request, {backend}, 1, {});
  if (!plan.ok()) return {};
  double seconds = 0;
  for (const auto& group : plan.value().groups) {
    for (const protocols::PlannedRun& run : group) {
      // These passes make a handful of calls, whatever they take.
      if (run.rung == "details" || run.rung == "counters") continue;
      const bool is_limited = run.sampling.precision_target > 0 && run.sampling.time_limit_s > 0;
      if (!is_limited || !(request.warmup_limit_s > 0)) return {};
      seconds += request.warmup_limit_s + run.sampling.time_limit_s;
    }
  }
  if (!(seconds > 0)) return {};
  return {seconds, "upper bound"};
}

}  // namespace xsp::sweeps
