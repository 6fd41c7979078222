#ifndef XSP_MEASURE_SLURM_SLURM_SWEEP_H_
#define XSP_MEASURE_SLURM_SLURM_SWEEP_H_

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "measure/slurm/batch_job.h"
#include "measure/slurm/queue.h"
#include "measure/slurm/submission.h"
#include "measure/sweeps/sweep_session.h"
#include "os/interrupt.h"

namespace xsp::slurm {

/// What a sweep is submitted with. Borrowed things outlive it.
struct SlurmContext {
  std::string sweep;            ///< Its name.
  std::filesystem::path store;  ///< Absolute; nodes have it under the same path.
  std::filesystem::path file;   ///< Of the sweep, absolute.
  std::string text;             ///< Of the file: nodes read a copy.
  std::vector<sweeps::MachineConstraint> machines;
  SlurmOptions options;
  bool again = false;   ///< Measure what the store has, too.
  std::string program;  ///< The path of xsp on the nodes.
  core::Progress* progress = nullptr;
  os::Interrupts* interrupts = nullptr;
  /// Points with what the store has of them now, as they were planned.
  std::function<Result<std::vector<sweeps::SweptPoint>>(std::vector<sweeps::SweptPoint>)> plan;
};

/// A point, planned, and the request of the operation `run` that measures it.
struct ClusterPoint {
  sweeps::SweptPoint swept;
  nlohmann::json request;
};

/// Of a job array: its id, the machine that its points are for, and how many of them.
struct JobOfSweep {
  std::string id, machine;
  std::size_t points = 0;
};

/// Carries out a sweep by Slurm: one job array per machine constraint, one task per point, each an
/// `xsp sweep` of that point on its node. What is in the queue already is not submitted again. One
/// thread.
class SlurmSweep {
 public:
  /// `points`: all of the sweep's, in their order.
  SlurmSweep(SlurmContext context, std::vector<ClusterPoint> points);

  /// Marks missing points that are in the queue, by whoever submitted them for this store: status
  /// `queued` or `running`; and those that a task has stored since they were planned. Changes
  /// nothing. Errors: kEnvironment (squeue gives no answer), those of planning.
  Status FindQueued();

  /// FindQueued(), then submits what is missing. Points of an array that Slurm refuses fail, unless
  /// it refuses all. Errors: as slurm::Submit; kEnvironment (the store is not writable),
  /// kInterrupted.
  Status Submit();

  /// Waits until all tasks have ended, and takes their results. The first interrupt cancels what
  /// Submit() submitted, and waits until it has stored what it has; a second one stops waiting.
  void Follow();

  const std::vector<ClusterPoint>& points() const { return points_; }

  /// Of missing points: the sum of the estimates that are known.
  double SecondsLeft() const;

  /// Arrays that have points of this sweep, as of FindQueued() and Submit().
  std::vector<JobOfSweep> jobs() const;

 private:
  using Clock = std::chrono::steady_clock;
  /// Of a point that is in the queue.
  struct Task {
    std::filesystem::path folder;  ///< Of its submission.
    int index = 0;                 ///< In its array.
    std::string job, machine;
    bool is_own = false;                     ///< This call submitted it.
    bool is_open = true;                     ///< Its result is still to come.
    QueuedTask last;                         ///< As the queue had it.
    std::optional<Clock::time_point> ended;  ///< When it was first seen as ended.
  };
  using Queue = std::map<std::pair<std::string, int>, QueuedTask>;  ///< By script and index.

  Result<Queue> ReadQueueByScript() const;
  void Join(const Submission& submission, const Queue& queue);
  Status PlanAgain(const std::vector<Submission>& submissions);
  Status SubmitArray(const std::string& machine, const std::vector<std::size_t>& indices);
  Result<std::string> SendArray(const Submission& submission, const BatchJob& job);
  BatchJob ArrayFor(const std::filesystem::path& folder, const std::string& machine,
                    const std::vector<std::size_t>& indices);
  std::vector<std::vector<std::size_t>> MissingByMachine() const;
  bool Look(const Queue& queue);
  bool LookAt(std::size_t point, Task& task, const QueuedTask* queued);
  void Close(std::size_t point, Task& task);
  bool IsWaitedFor(const Task& task) const;
  bool AnyWaitedFor() const;
  void CancelOwn();
  void NoteStuck();
  void Report() const;
  bool Wait(Clock::duration delay);

  SlurmContext context_;
  std::vector<ClusterPoint> points_;
  std::map<std::string, std::size_t> by_name_;  ///< The index of each point.
  std::map<std::size_t, Task> tasks_;           ///< By the index of the point.
  std::optional<ClusterNodes> nodes_;
  std::set<std::string> noted_;  ///< Reasons for which tasks do not start.
  bool is_cancelled_ = false;
  bool is_silent_ = false;  ///< The queue could not be read the last time.
};

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_SLURM_SWEEP_H_
