#ifndef XSP_MEASURE_PROTOCOLS_MEASUREMENT_H_
#define XSP_MEASURE_PROTOCOLS_MEASUREMENT_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/protocols/conditions.h"
#include "measure/protocols/sampling.h"
#include "measure/workers/worker_program.h"
#include "measure/workers/worker_session.h"
#include "os/interrupt.h"
#include "os/subprocess.h"

namespace xsp::protocols {

/// Model calls of the details pass: shapes and memory are the same in each.
inline constexpr int kDetailsIterations = 3;
/// Below this many samples an interval means little (design, section 4).
inline constexpr int kDefaultIterations = 30;

/// One run that is to be measured.
struct PlannedRun {
  std::string name;  ///< "b4-kernel"
  std::string side;  ///< Of which experiment, where two alternate; empty: the first, or alone.
  std::string rung;
  /// The rung above, in which the same worker makes as many calls again, block by block: what the
  /// rung costs is measured within one process. Empty: none.
  std::string baseline_rung;
  /// How finely the worker switches between the two. kProcess: it makes no baseline calls.
  workers::WorkerProgram::Switch switching = workers::WorkerProgram::Switch::kBlock;
  int process = 1;  ///< 1-based, of those of its rung that alternate.
  /// Of a process that is measured only to tell what the rung costs: its pair, 1-based. The other
  /// member is a process of the baseline rung, measured right before or after it. 0: none.
  int process_pair = 0;
  std::string process_pair_of;  ///< The rung whose cost it tells.
  std::int64_t point_id = 0;
  std::int64_t batch = 1;
  int iterations = kDefaultIterations;
  SamplingRule sampling;         ///< Of what is timed; `iterations` is how many calls are expected.
  std::optional<Error> refused;  ///< Why it cannot be started at all.
  bool is_optional = false;      ///< As Backend::is_optional.
  workers::SessionPlan session;
};

/// What came of it.
struct MeasuredRun {
  PlannedRun plan;
  std::string status = "failed";  ///< done, interrupted or failed
  std::optional<Error> failure;
  int calls = 0;  ///< Made after warm-up, as far as the worker confirmed them.
  int warmup_calls = 0;
  bool settled = false;
  bool ended_by_time = false;  ///< Sampling ended before the interval was as narrow as asked.
  std::string started;         ///< RFC 3339, UTC; empty: never started.
  /// From the start of its process until it was warm; 0: not known.
  double start_s = 0;
  /// Of all its turns, baseline calls and pauses before them included; 0: not known.
  double turns_s = 0;
  std::string stderr_tail;
  std::optional<os::ExitStatus> exit;
  std::int64_t peak_resident_bytes = 0;      ///< Of the worker; 0: not known.
  std::optional<Interference> interference;  ///< While it and its neighbours were measured.
  std::vector<std::string> measured_with;    ///< Names of the runs with which it alternated.
};

struct MeasureOptions {
  std::uint64_t seed = 1;
  double deadline_s = 0;  ///< As ExperimentRequest::deadline_s.
  /// How many times a worker as large as the largest must fit into the memory that is left before
  /// one more is started.
  double memory_margin = 1.25;
  /// Wait before a block shorter than kMinBlockS when another worker ran before: its threads may
  /// spin.
  double pause_s = 0.2;
};

/// How far the whole experiment is: a call at batch b counts b, so that the remaining time can be
/// estimated from the time that the calls so far took. Threading: none.
class ProgressEstimator {
 public:
  ProgressEstimator(core::Progress& progress, const std::vector<std::vector<PlannedRun>>& groups);
  /// `run` has made `calls` more calls (warm-up as a whole: kWarmupCalls), or was given up.
  void Advance(const PlannedRun& run, int calls);
  void GiveUp(const PlannedRun& run, int calls_left);
  void Say(std::string_view what);
  void Note(std::string_view what) { progress_.Note(what); }
  core::Progress& progress() const { return progress_; }

  static constexpr int kWarmupCalls = 25;  ///< What warm-up usually takes.

 private:
  core::Progress& progress_;
  double whole_ = 0;
  double done_ = 0;
  double skipped_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::string what_;
};

/// Measures the runs of one batch size (the rungs of each backend) in blocks of kMinBlockS that
/// alternate, in an order that is drawn anew each round. Each run has a worker process of its own;
/// they load and warm up one after another. Where the memory left would not hold one more, those
/// that run are measured and ended first. Pairs of processes follow, one process at a time, then
/// `details` runs, each alone. A run that fails costs only itself - unless it is the first of its
/// point and fails before its first call: then the point's other runs fail with it, unstarted.
///
/// After an interrupt the rest comes back as interrupted. In the order of `runs`.
std::vector<MeasuredRun> MeasureGroup(const std::vector<PlannedRun>& runs,
                                      const MeasureOptions& options, os::Interrupts& interrupts,
                                      ProgressEstimator& estimator);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_MEASUREMENT_H_
