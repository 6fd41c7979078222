#include "measure/sessions/run_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "derive/compare/outputs.h"
#include "measure/live/live_streams.h"
#include "measure/protocols/conditions.h"
#include "measure/protocols/protocol.h"
#include "measure/sessions/experiment_session.h"
#include "measure/sessions/run_monitor.h"

namespace xsp::sessions {

namespace fs = std::filesystem;

namespace {

/// Experiments whose workers alternate: the runs of a batch size of all of them are one group.
class Alternation {
 public:
  explicit Alternation(const std::vector<requests::ExperimentRequest>& requests)
      : progress_(requests.front().progress != nullptr ? *requests.front().progress : nobody_) {
    for (std::size_t i = 0; i < requests.size(); ++i)
      experiments_.push_back(std::make_unique<ExperimentSession>(requests[i], i));
  }

  Result<AlternationOutcome> Run() {
    for (const auto& experiment : experiments_) XSP_RETURN_IF_ERROR(experiment->Open());
    const protocols::MachineCounters before = protocols::ReadMachineCounters();
    if (const Status stored = MeasureAndStore(); !stored.ok()) {
      Error error = stored.error();
      for (const auto& experiment : experiments_) error = experiment->KeepRecordings(error);
      return error;
    }
    return Commit(Between(before, protocols::ReadMachineCounters()));
  }

 private:
  /// The runs of each batch size of all experiments.
  struct JoinedRuns {
    std::vector<std::vector<protocols::PlannedRun>> groups;
    std::vector<std::vector<std::size_t>> experiments;  ///< Whose each run is.
  };

  /// One run of each in turn: where memory holds only some workers at once, these are of all
  /// experiments, too.
  JoinedRuns Join() const {
    const std::size_t groups = experiments_.front()->plan().groups.size();
    JoinedRuns joined{.groups = std::vector<std::vector<protocols::PlannedRun>>(groups),
                      .experiments = std::vector<std::vector<std::size_t>>(groups)};
    for (std::size_t group = 0; group < groups; ++group) {
      std::size_t most = 0;
      for (const auto& experiment : experiments_)
        most = std::max(most, experiment->plan().groups[group].size());
      for (std::size_t i = 0; i < most; ++i) {
        for (std::size_t k = 0; k < experiments_.size(); ++k) {
          const auto& runs = experiments_[k]->plan().groups[group];
          if (i >= runs.size()) continue;
          joined.groups[group].push_back(runs[i]);
          joined.experiments[group].push_back(k);
        }
      }
    }
    return joined;
  }

  Status MeasureAndStore() {
    ExperimentSession& first = *experiments_.front();
    const JoinedRuns joined = Join();
    protocols::ProgressEstimator estimator(progress_, joined.groups);
    for (std::size_t group = 0; group < joined.groups.size(); ++group) {
      XSP_TRY(const auto streams, first.StartStreams(first.plan().groups[group]));
      executors::MeasuredGroup measured = first.Measure(joined.groups[group], estimator);
      first.EndStreams(*streams);
      for (std::size_t k = 0; k < experiments_.size(); ++k) {
        executors::MeasuredGroup own{{}, measured.series};
        for (std::size_t i = 0; i < measured.runs.size(); ++i)
          if (joined.experiments[group][i] == k) own.runs.push_back(std::move(measured.runs[i]));
        XSP_RETURN_IF_ERROR(experiments_[k]->Store(std::move(own), estimator));
      }
    }
    return Ok{};
  }

  /// Results of the first experiment against those of the second.
  std::vector<store::AgreementRow> CompareResults() const {
    std::vector<store::AgreementRow> agreement;
    if (experiments_.size() < 2) return agreement;
    const auto& own = experiments_[0]->outputs();
    const auto& reference = experiments_[1]->outputs();
    for (std::size_t i = 0; i < own.size() && i < reference.size(); ++i) {
      std::error_code error;
      if (!fs::exists(own[i].folder, error) || !fs::exists(reference[i].folder, error)) continue;
      constexpr std::int64_t kReference = 1, kOwn = 2;
      for (store::AgreementRow& row :
           compare::CompareResults({{{.point_id = kReference}, {.point_id = kOwn}}},
                                   {{kReference, reference[i].folder}, {kOwn, own[i].folder}})) {
        row.point_id = row.against_point_id = own[i].point_id;
        agreement.push_back(std::move(row));
      }
    }
    return agreement;
  }

  /// One that cannot be stored does not cost the others.
  Result<AlternationOutcome> Commit(const protocols::Interference& interference) {
    AlternationOutcome outcome{.experiments = {}, .agreement = CompareResults()};
    std::optional<Error> failure;
    for (const auto& experiment : experiments_) {
      Result<ExperimentOutcome> committed = experiment->Commit(interference);
      if (committed.ok()) {
        outcome.experiments.push_back(std::move(committed).value());
      } else if (!failure) {
        failure = experiment->KeepRecordings(committed.error());
      }
    }
    if (!failure) return outcome;
    for (const ExperimentOutcome& stored : outcome.experiments)
      failure->what += fmt::format("; {} is stored", stored.path.string());
    return *failure;
  }

  core::NoProgress nobody_;
  core::Progress& progress_;
  std::vector<std::unique_ptr<ExperimentSession>> experiments_;
};

}  // namespace

Result<ExperimentOutcome> RunExperiment(const requests::ExperimentRequest& request) {
  XSP_TRY(AlternationOutcome outcome, RunAlternately({request}));
  return std::move(outcome.experiments.front());
}

Result<AlternationOutcome> RunAlternately(
    const std::vector<requests::ExperimentRequest>& requests) {
  std::vector<requests::ExperimentRequest> complete;
  const std::string session = requests.size() > 1 ? live::NewSession() : std::string();
  for (const requests::ExperimentRequest& request : requests) {
    XSP_TRY(complete.emplace_back(), protocols::CompleteRequest(request));
    XSP_RETURN_IF_ERROR(RunMonitor::CheckRate(request.monitor_rate_hz));
    complete.back().session = session;
    if (complete.size() > 1 && !request.keep_outputs.empty())
      complete.back().keep_outputs = request.keep_outputs / "against";
  }
  return Alternation(complete).Run();
}

}  // namespace xsp::sessions
