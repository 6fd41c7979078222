#ifndef XSP_MEASURE_SWEEPS_SWEEP_SESSION_H_
#define XSP_MEASURE_SWEEPS_SWEEP_SESSION_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/collect/collector.h"
#include "core/progress.h"
#include "core/result.h"
#include "measure/requests/experiment_request.h"
#include "measure/sessions/run_session.h"
#include "measure/sweeps/file_claim.h"
#include "measure/sweeps/point_estimate.h"
#include "measure/sweeps/stored_measurements.h"
#include "measure/sweeps/sweep.h"
#include "measure/sweeps/sweep_targets.h"
#include "os/interrupt.h"

namespace xsp::sweeps {

/// A point and how far it is.
struct SweptPoint {
  Point point;
  requests::ExperimentRequest request;    ///< As sessions::RunExperiment takes it.
  requests::ExperimentRequest completed;  ///< The same after protocols::CompleteRequest.
  /// missing, stored (in an earlier experiment), measured, partial (a part of it failed, now or in
  /// the stored experiment), failed, interrupted, elsewhere (it is for another machine); of a
  /// cluster: queued, running.
  std::string status = "missing";
  std::string experiment;  ///< That holds it; empty: none.
  /// Why it is failed, partial or elsewhere; missing: why what is stored does not count.
  std::string why;
  std::string hint;                  ///< What to do about `why`.
  std::optional<ErrorKind> failure;  ///< Of a failed or partial point.
  Estimate estimate;                 ///< Of measuring it, also where it is stored.
  double seconds = 0;                ///< That measuring took in this call.
};

/// What a sweep is measured with. Borrowed things outlive the session.
struct SweepContext {
  std::string name;  ///< Of the sweep.
  std::filesystem::path store;
  /// Of this machine; nothing: it only plans, and others measure. Then what the store has is what
  /// has the tag of the sweep's point, on whatever machine it was measured.
  std::optional<std::vector<collect::Fact>> stack;
  bool again = false;  ///< Measure what the store has, too.
  core::Progress* progress = nullptr;
  os::Interrupts* interrupts = nullptr;
  /// Measures one experiment: sessions::RunExperiment, on this machine.
  std::function<Result<sessions::ExperimentOutcome>(const requests::ExperimentRequest&)> measure;
  /// Held while a point is measured, so that two sweeps of one machine do not disturb each other.
  std::filesystem::path machine_lock;
};

/// The tag that the experiments of a sweep have; its value is the point's name.
std::string TagOfSweep(const std::string& sweep);

/// Plans and measures the points of a sweep. One thread.
class SweepSession {
 public:
  SweepSession(SweepContext context, std::vector<SweptPoint> points);

  /// Finds what the store has and estimates the time of every point. Makes and changes nothing.
  /// Errors: kEnvironment (the store cannot be read), kInterrupted.
  Status Plan();

  /// Measures what is missing, on this machine, one experiment a point. A point that fails, also
  /// because it cannot be claimed, costs itself only. What another process measures is waited for,
  /// and then taken from the store. After an interrupt the rest stays missing.
  void Measure();

  const std::vector<SweptPoint>& points() const { return points_; }

  /// Of what is missing: the sum of the estimates; without those that are not known.
  double SecondsLeft() const;

 private:
  enum class Step { kDone, kClaimedByOther };
  Status PlanPoint(SweptPoint& point);
  Status PlanForOthers(SweptPoint& point);
  Result<Step> Advance(SweptPoint& point, bool wait);
  Result<std::optional<FileClaim>> Claim(const Subject& subject, bool wait);
  Result<FileClaim> WaitFor(const std::filesystem::path& file, std::string_view elsewhere,
                            std::string_view whom);
  void FailWithNote(SweptPoint& point, const Error& error);
  bool TakeStored(SweptPoint& point, const StoredMatch& match);
  Status MeasurePoint(SweptPoint& point, const StoredMatch& match);
  void Tag(const std::string& experiment, const SweptPoint& point);
  void ReplaceInterrupted(SweptPoint& point, const StoredMatch& match);

  SweepContext context_;
  std::vector<SweptPoint> points_;
  StoredMeasurements stored_;
  SweepTargets targets_;
};

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_SWEEP_SESSION_H_
