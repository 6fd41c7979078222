#include "api/operations/run_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "answer/wording/quantity.h"
#include "api/operations/past_runs.h"
#include "capture/collect/stack_difference.h"
#include "core/statistics.h"
#include "derive/history/measured_run.h"
#include "measure/protocols/expected_time.h"
#include "measure/sessions/planned_experiment.h"
#include "pipeline/datasets/dataset.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using protocols::ExpectedTime;
using protocols::PlannedRun;

/// Seconds: the expected, and the least and most of the experiments that it rests on.
struct Range {
  double middle = 0, low = 0, high = 0;

  void Add(const Range& other) {
    middle += other.middle;
    low += other.low;
    high += other.high;
  }
};

/// "42 s", "3 min 20 s", "2 h 5 min"
std::string TimeText(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.2g} s", seconds);
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

json OrNull(const std::optional<double>& value) { return value ? json(*value) : json(); }

/// The plan of a request as a document.
class PlanWriter {
 public:
  PlanWriter(const requests::ExperimentRequest& request, const sessions::PlannedExperiment& planned,
             std::vector<StoredRun> stored)
      : request_(request), planned_(planned), stored_(std::move(stored)) {}

  Result<json> Write() {
    XSP_TRY(calls_, CallsOfProtocol());
    json points = json::array();
    for (const match::PointInput& point : planned_.plan.points) points.push_back(PointOf(point));
    json document = {{"model", planned_.model},
                     {"points", std::move(points)},
                     {"processes", processes_},
                     {"estimate",
                      {{"seconds", is_known_ ? json(sum_.middle) : json()},
                       {"low_s", is_known_ ? json(sum_.low) : json()},
                       {"high_s", is_known_ ? json(sum_.high) : json()},
                       {"limit_s", OrNull(limit_s_)}}}};
    document["sentences"] = Sentences();
    return document;
  }

 private:
  bool IsServer() const { return request_.scenario.kind == "server"; }
  bool IsOfRungs() const { return request_.scenario.kind.empty() && request_.dataset.text.empty(); }

  /// Model calls of a run by batch size 1, where a data set or load decides; else 0.
  Result<std::int64_t> CallsOfProtocol() const {
    if (!request_.dataset.text.empty()) {
      XSP_TRY(const std::unique_ptr<pipeline::Dataset> dataset, requests::Open(request_.dataset));
      return static_cast<std::int64_t>(requests::CountSamples(request_.dataset, *dataset));
    }
    return static_cast<std::int64_t>(request_.scenario.queries);
  }

  ExpectedTime Expected(const PlannedRun& run, const protocols::PastRun& past) const {
    if (IsOfRungs()) return ExpectTime(run, past);
    const std::int64_t items = request_.dataset.text.empty() ? 1 : run.batch;
    return ExpectTimeOfCalls(run, (calls_ + items - 1) / items, past);
  }

  std::vector<const PlannedRun*> RunsOf(std::int64_t point_id) const {
    std::vector<const PlannedRun*> runs;
    for (const std::vector<PlannedRun>& group : planned_.plan.groups)
      for (const PlannedRun& run : group)
        if (run.point_id == point_id) runs.push_back(&run);
    return runs;
  }

  json PointOf(const match::PointInput& point) {
    const workers::Backend& backend = protocols::BackendOf(point.point_id, planned_.backends);
    const std::vector<const PlannedRun*> runs = RunsOf(point.point_id);
    const json& job = runs.front()->session.job;
    json document = {{"point_id", point.point_id},
                     {"backend", backend.name},
                     {"framework", point.backend},
                     {"device", job.value("device", point.device)},
                     {"precision", point.precision},
                     {"batch", point.batch},
                     {"refused", nullptr}};
    const std::optional<Error>& refused = runs.front()->refused;
    if (refused) {
      document["refused"] = {{"what", refused->what}, {"hint", refused->hint}};
      document["rungs"] = json::array();
      document["stored"] = json::array();
      refusals_.insert(backend.name + ": " + refused->what);
      return document;
    }
    if (!backend.model.is_made) unmade_.insert(backend.model.format);
    document["model_is_made"] = backend.model.is_made;
    document["rungs"] = RungsOf(runs, backend.name);
    document["stored"] = StoredOf(backend.name, job);
    return document;
  }

  /// One entry for each rung of a point, of all its processes.
  json RungsOf(const std::vector<const PlannedRun*>& runs, const std::string& worker) {
    json rungs = json::array();
    for (const PlannedRun* run : runs) {
      const std::optional<Range> range = EstimateOf(*run, worker);
      ++processes_;
      is_known_ = is_known_ && range;
      if (range) sum_.Add(*range);
      AddLimit(*run);
      const auto same =
          std::ranges::find(rungs, json(run->rung), [](const json& rung) { return rung["rung"]; });
      if (same == rungs.end()) {
        rungs.push_back({{"rung", run->rung},
                         {"processes", 1},
                         {"seconds", range ? json(range->middle) : json()}});
        continue;
      }
      (*same)["processes"] = (*same)["processes"].get<int>() + 1;
      (*same)["seconds"] = range && !(*same)["seconds"].is_null()
                               ? json((*same)["seconds"].get<double>() + range->middle)
                               : json();
    }
    return rungs;
  }

  void AddLimit(const PlannedRun& run) {
    if (run.rung == "details" || run.rung == "counters") return;  // A fixed number of calls.
    const std::optional<double> limit = IsOfRungs() ? protocols::LimitOf(run) : std::nullopt;
    limit_s_ = limit && limit_s_ ? std::optional(*limit_s_ + *limit) : std::nullopt;
  }

  std::optional<Range> EstimateOf(const PlannedRun& run, const std::string& worker) {
    if (IsServer()) return std::nullopt;
    const ClosestRuns closest = FindClosest(stored_, worker, run.rung, run.session.job);
    if (closest.runs.empty()) return std::nullopt;
    std::vector<double> seconds;
    for (const StoredRun* past : closest.runs) {
      const ExpectedTime expected = Expected(run, past->past);
      if (expected.ends_by_time) ended_by_time_.insert(run.name);
      lacks_start_ = lacks_start_ || !past->past.start_s;
      seconds.push_back(expected.seconds());
    }
    Rest(run, closest);
    const auto [low, high] = std::ranges::minmax(seconds);
    return Range{core::Median(seconds), low, high};
  }

  /// Notes what an estimate rests on.
  void Rest(const PlannedRun& run, const ClosestRuns& closest) {
    if (closest.differs_by.empty()) {
      for (const StoredRun* past : closest.runs) same_.insert(past->experiment);
      return;
    }
    std::string others = fmt::format("{}", fmt::join(closest.differs_by, " and "));
    if (closest.differs_by == std::vector<std::string>{"batch"})
      others = fmt::format("batch size ({}, to which calls are in proportion)",
                           closest.runs.front()->past.batch);
    similar_.insert(fmt::format("Batch size {} by runs of {} with another {}.", run.batch,
                                closest.runs.front()->experiment, others));
  }

  /// What the store has of the same settings, the newest first.
  json StoredOf(const std::string& worker, const json& job) const {
    constexpr std::size_t kMost = 5;
    json list = json::array();
    std::set<std::string> listed;
    for (const StoredRun& run : stored_) {
      if (list.size() == kMost) break;
      if (run.worker != worker || !DifferencesOf(job, run.job).empty()) continue;
      if (!listed.insert(run.experiment).second) continue;
      list.push_back({{"experiment", run.experiment},
                      {"created", run.created},
                      {"latency_ns", OrNull(run.latency_ns)}});
    }
    return list;
  }

  std::string TimeSentence() const {
    if (processes_ == 0) return "Nothing can be measured.";
    if (is_known_) {
      const bool has_range = sum_.high - sum_.low > 0.1 * sum_.middle;
      return fmt::format(
          "About {}{} for starting, warming up and sampling; storing the results, and roofs that "
          "were never measured here, come on top.",
          TimeText(sum_.middle),
          has_range ? fmt::format(" ({} to {})", TimeText(sum_.low), TimeText(sum_.high)) : "");
    }
    if (limit_s_)
      return fmt::format(
          "At most {} of warm-up and sampling, by the limits of each rung. This is an upper bound, "
          "not an estimate; loading the models, the fixed calls of the rung details, and calls "
          "that last longer than a limit come on top.",
          TimeText(*limit_s_));
    if (IsServer()) return "The time is not known: the highest rate is searched for.";
    return "The time is not known: nothing similar is in the store, and no limit of time applies.";
  }

  json Sentences() const {
    json sentences = json::array({TimeSentence()});
    if (!same_.empty())
      sentences.push_back(fmt::format(
          "It rests on runs with the same settings on this machine: {}.", fmt::join(same_, ", ")));
    for (const std::string& sentence : similar_) sentences.push_back(sentence);
    if (lacks_start_)
      sentences.push_back(
          "Some of these runs were stored by an earlier version, which did not note how long they "
          "took: their times follow from their calls, without the start of their processes.");
    if (!is_known_ && !(same_.empty() && similar_.empty()))
      sentences.push_back("Of other rungs or backends there are no runs in the store.");
    if (!ended_by_time_.empty())
      sentences.push_back(fmt::format(
          "The limit of time is expected to end the sampling of {} before the interval is as "
          "narrow as requested.",
          fmt::join(ended_by_time_, ", ")));
    for (const std::string& format : unmade_)
      sentences.push_back(fmt::format(
          "The model is built first, once, in the format {}; this is not part of the estimate.",
          format));
    for (const std::string& refusal : refusals_) sentences.push_back("Not possible: " + refusal);
    return sentences;
  }

  const requests::ExperimentRequest& request_;
  const sessions::PlannedExperiment& planned_;
  const std::vector<StoredRun> stored_;
  std::int64_t calls_ = 0;
  int processes_ = 0;
  bool is_known_ = true;
  Range sum_;
  std::optional<double> limit_s_ = 0.0;
  bool lacks_start_ = false;
  std::set<std::string> same_, similar_, ended_by_time_, unmade_, refusals_;
};

Result<json> PlanOf(const requests::ExperimentRequest& request) {
  XSP_TRY(const requests::ExperimentRequest complete, protocols::CompleteRequest(request));
  XSP_TRY(const sessions::PlannedExperiment planned, sessions::PlanExperiment(request));
  const std::string machine = history::MachineOf(collect::FromJson(planned.executor->stack()));
  XSP_TRY(std::vector<StoredRun> stored, ReadPastRuns(request.store, planned.model, machine));
  return PlanWriter(complete, planned, std::move(stored)).Write();
}

}  // namespace

Result<json> PlanDocument(const std::vector<requests::ExperimentRequest>& requests) {
  std::vector<json> plans;
  for (requests::ExperimentRequest request : requests) {
    if (requests.size() > 1) request.session = "planned";
    XSP_TRY(plans.emplace_back(), PlanOf(request));
  }
  if (plans.size() > 1) plans.front()["against"] = std::move(plans.back());
  return std::move(plans.front());
}

}  // namespace xsp::api
