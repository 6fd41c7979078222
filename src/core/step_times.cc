#include "core/step_times.h"

#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <mutex>

namespace xsp::core {
namespace {

std::int64_t ClockNs(clockid_t clock) {
  timespec now = {};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

double Seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

std::int64_t PeakRssBytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

struct Steps {
  std::mutex mutex;
  std::vector<StepTime> steps;

  StepTime& Find(const char* name) {
    const auto it = std::find_if(steps.begin(), steps.end(),
                                 [&](const StepTime& step) { return step.name == name; });
    return it != steps.end() ? *it : steps.emplace_back(StepTime{name, 0, 0, 0});
  }
};

Steps& TheSteps() {
  static Steps steps;
  return steps;
}

}  // namespace

StepTimer::StepTimer(const char* name)
    : name_(name), wall_ns_(ClockNs(CLOCK_MONOTONIC)), cpu_ns_(ClockNs(CLOCK_THREAD_CPUTIME_ID)) {
  const std::lock_guard lock(TheSteps().mutex);
  TheSteps().Find(name);
}

StepTimer::~StepTimer() {
  const double wall_s = Seconds(ClockNs(CLOCK_MONOTONIC) - wall_ns_);
  const double cpu_s = Seconds(ClockNs(CLOCK_THREAD_CPUTIME_ID) - cpu_ns_);
  const std::lock_guard lock(TheSteps().mutex);
  StepTime& step = TheSteps().Find(name_);
  step.wall_s += wall_s;
  step.cpu_s += cpu_s;
  step.peak_rss_bytes = std::max(step.peak_rss_bytes, PeakRssBytes());
}

std::vector<StepTime> StepTimes() {
  const std::lock_guard lock(TheSteps().mutex);
  return TheSteps().steps;
}

double ProcessCpuSeconds() { return Seconds(ClockNs(CLOCK_PROCESS_CPUTIME_ID)); }

}  // namespace xsp::core
