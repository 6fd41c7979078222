#ifndef XSP_MEASURE_SLURM_QUEUE_H_
#define XSP_MEASURE_SLURM_QUEUE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::slurm {

/// What `squeue --format` is given so that ParseQueue() reads its answer. What may contain any
/// character stands last.
inline constexpr const char* kQueueFormat = "%F|%K|%T|%N|%r|%o";

/// A task of a job array, or a job that is none, as squeue shows it.
struct QueuedTask {
  std::string job;      ///< Id of the array: "12".
  int index = -1;       ///< In the array; -1: the job is no array.
  std::string state;    ///< "PENDING"
  std::string node;     ///< "node3"; empty before it starts.
  std::string reason;   ///< Why it waits or failed: "Resources"; empty: none.
  std::string command;  ///< Path of its script and its arguments.
};

/// How far a task is, of all the states that squeue(1) lists.
enum class Stage {
  kWaiting,  ///< Also after a node failed or it was preempted, and it was put into the queue again.
  kRunning,  ///< It has a node, or leaves it.
  kEnded,    ///< For good.
};

/// A state that is not known is taken for kRunning: the task is waited for.
Stage StageOf(std::string_view state);

/// Tasks of the answer of `squeue --noheader --array --states=all --format=kQueueFormat`. Lines of
/// another form are left out.
std::vector<QueuedTask> ParseQueue(std::string_view text);

/// When a job was submitted, started and ended, in seconds since 1970; nothing: not known, or not
/// yet.
struct JobTimes {
  std::string job, state;
  std::optional<std::int64_t> submitted, started, ended;
};

/// What `squeue --format` is given, with SLURM_TIME_FORMAT=%s, so that ParseTimes() reads its
/// answer.
inline constexpr const char* kTimesFormat = "%F|%T|%V|%S|%e";
std::vector<JobTimes> ParseTimes(std::string_view text);

/// Why Slurm will not start a waiting job by itself, and what to do; empty: it will.
std::string WhyStuck(const QueuedTask& task);

/// Features and types of generic resources of the nodes of a cluster.
struct ClusterNodes {
  std::vector<std::string> features;   ///< "avx512f"; each once, sorted.
  std::vector<std::string> gpu_types;  ///< "h100"; each once, sorted.
};

/// What `sinfo --format` is given so that ParseNodes() reads its answer.
inline constexpr const char* kNodesFormat = "%f|%G";

/// Of the answer of `sinfo --noheader --format=kNodesFormat`.
ClusterNodes ParseNodes(std::string_view text);

/// MaxArraySize in the answer of `scontrol show config`: indices of arrays are below it; 0: not
/// stated.
int ParseArrayLimit(std::string_view text);

/// The id in the answer of `sbatch --parsable`, "12" or "12;cluster"; empty: there is none.
std::string ParseJobId(std::string_view text);

}  // namespace xsp::slurm

#endif  // XSP_MEASURE_SLURM_QUEUE_H_
