#ifndef XSP_CORE_STEP_TIMES_H_
#define XSP_CORE_STEP_TIMES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace xsp::core {

/// What one step of this process's work has taken so far, all its threads together.
struct StepTime {
  std::string name;
  double wall_s = 0;                ///< Steps that run at once each count in full.
  double cpu_s = 0;                 ///< Of the threads that were timed.
  std::int64_t peak_rss_bytes = 0;  ///< Of the process since its start, when the step last ended.
};

/// Times the calling thread from here to the end of its life, and adds that to the step `name`.
/// Threads that the work starts are not seen: they have a timer of their own, under the same name
/// or another. Any thread; about a microsecond.
class StepTimer {
 public:
  /// `name`: of static storage.
  explicit StepTimer(const char* name);
  StepTimer(const StepTimer&) = delete;
  StepTimer& operator=(const StepTimer&) = delete;
  ~StepTimer();

 private:
  const char* name_;
  std::int64_t wall_ns_, cpu_ns_;
};

/// Every step that ended, in the order in which they first began. Any thread.
std::vector<StepTime> StepTimes();

/// CPU seconds of the whole process so far, steps and all else.
double ProcessCpuSeconds();

}  // namespace xsp::core

#endif  // XSP_CORE_STEP_TIMES_H_
