#ifndef XSP_ANSWER_SUITE_JOB_RUNS_H_
#define XSP_ANSWER_SUITE_JOB_RUNS_H_

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "answer/suite/job_times.h"
#include "core/result.h"

namespace xsp::suite {

/// How long a program of a run took.
struct ProgramTime {
  std::string job;
  double seconds;  ///< From the common start to its end.
};

/// One run of `xsp suite jobs`: programs that were started together.
struct JobRun {
  std::string set;   ///< Name of the measurement that it belongs to.
  std::string kind;  ///< single, uniform, distributed, mixed
  int width = 1;     ///< Devices of a distributed run; 0: not said.
  std::vector<ProgramTime> programs;
};

/// What experiment.json of the run has under `tags`: `jobs.set`, `jobs.kind`, `jobs.width` and
/// `jobs.seconds`, a list of [job, seconds].
std::map<std::string, std::string> TagsOf(const JobRun& run);

/// Use of the machine during runs, as the system monitor saw it. kMissing: not known.
struct MachineUsage {
  double cpu;         ///< Share of the CPUs, 0 to 100; mean.
  double gpu;         ///< 0 to 100 of each GPU, summed; mean. kMissing also without a GPU.
  double memory;      ///< MB; the most.
  double gpu_memory;  ///< MB, summed over the GPUs; the most. kMissing also without a GPU.

  /// Memory of what a single run has to itself: that of its GPUs where there are any.
  double DeviceMemory() const;
};

/// Two jobs that were measured beside each other, on what a single run has to itself.
struct SharedTimes {
  std::size_t first, second;     ///< Of MeasuredJobs::table; first < second.
  double first_end, second_end;  ///< Seconds from the common start, medians.
  MachineUsage usage;
};

struct MeasuredJobs {
  JobTable table;  ///< In seconds; a device is what a single run has to itself.
  std::vector<SharedTimes> pairs;
};

/// The jobs that `xsp suite jobs` measured: on width 1 the median of the single runs, on the width
/// of a distributed run the median of these; memory is MachineUsage::DeviceMemory(). `sets`: names
/// of measurements; empty: all of the store. What is left out is reported in `*treatments`
/// (appended to; not null). Errors: kBadInput (no such measurement; none at all; jobs that were
/// measured on different machines), those of the store.
Result<MeasuredJobs> MeasuredJobsOf(const std::filesystem::path& store,
                                    const std::vector<std::string>& sets,
                                    std::vector<std::string>* treatments);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_JOB_RUNS_H_
