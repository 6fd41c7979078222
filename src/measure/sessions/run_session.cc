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
#include "measure/requests/request_check.h"
#include "measure/sessions/experiment_session.h"
#include "measure/sessions/run_monitor.h"

namespace xsp::sessions {

namespace fs = std::filesystem;

namespace {

/// One experiment, or two whose workers alternate: the runs of a batch size of both are one group.
class Alternation {
 public:
  explicit Alternation(const std::vector<requests::ExperimentRequest>& requests)
      : progress_(requests.front().progress != nullptr ? *requests.front().progress : nobody_) {
    for (const requests::ExperimentRequest& request : requests)
      experiments_.push_back(std::make_unique<ExperimentSession>(request));
  }

  Result<AlternationOutcome> Run() {
    for (const auto& experiment : experiments_) {
      const bool is_first = experiment == experiments_.front();
      XSP_RETURN_IF_ERROR(experiment->Open(is_first ? nullptr : experiments_.front().get()));
    }
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

  /// One run of each in turn: where memory holds only some workers at once, these are of both, too.
  JoinedRuns Join() const {
    JoinedRuns joined;
    for (std::size_t group = 0; group < experiments_.front()->plan().groups.size(); ++group) {
      auto& runs = joined.groups.emplace_back();
      auto& experiments = joined.experiments.emplace_back();
      for (std::size_t i = 0, last = 1; last != 0; ++i) {
        last = 0;
        for (std::size_t k = 0; k < experiments_.size(); ++k) {
          const auto& own = experiments_[k]->plan().groups.at(group);
          if (i >= own.size()) continue;
          runs.push_back(own[i]);
          experiments.push_back(k);
          ++last;
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
      Status stored = Ok{};
      for (std::size_t k = 0; k < experiments_.size(); ++k) {
        executors::MeasuredGroup own{{}, measured.series};
        for (std::size_t i = 0; i < measured.runs.size(); ++i)
          if (joined.experiments[group][i] == k) own.runs.push_back(std::move(measured.runs[i]));
        // Each knows then what was measured, and keeps it.
        const Status of_one = experiments_[k]->Store(std::move(own), estimator);
        if (stored.ok()) stored = of_one;
      }
      XSP_RETURN_IF_ERROR(stored);
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
      compare::Group pair(2);
      pair[0].point_id = 1;
      pair[1].point_id = 2;
      for (store::AgreementRow& row :
           compare::CompareResults({pair}, {{1, reference[i].folder}, {2, own[i].folder}})) {
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
      } else if (const Error error = experiment->KeepRecordings(committed.error()); !failure) {
        failure = error;
      } else {
        failure->what += fmt::format("; {}", error.what);
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
  XSP_CHECK(requests.size() == 1 || requests.size() == 2);
  std::vector<requests::ExperimentRequest> complete;
  const std::string session = requests.size() > 1 ? live::NewSession() : std::string();
  for (const requests::ExperimentRequest& request : requests) {
    XSP_TRY(complete.emplace_back(), protocols::CompleteRequest(request));
    XSP_RETURN_IF_ERROR(RunMonitor::CheckRate(request.monitor_rate_hz));
    XSP_RETURN_IF_ERROR(requests::CheckRequest(complete.back()));
    complete.back().session = session;
    if (complete.size() > 1 && !request.keep_outputs.empty())
      complete.back().keep_outputs = request.keep_outputs / "against";
  }
  return Alternation(complete).Run();
}

}  // namespace xsp::sessions
