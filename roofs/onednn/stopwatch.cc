#include "stopwatch.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace xsp::onednn_alternatives {
namespace {

double CurrentNs() {
  return std::chrono::duration<double, std::nano>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// How often the kernel took a CPU from this process for another one.
long Preemptions() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

CallTimes Summarise(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2], static_cast<std::int64_t>(times.size())};
}

}  // namespace

CallTimes TimeCalls(const std::function<void(std::int64_t)>& call, const Budget& budget) {
  constexpr double kWarmUpNs = 1e7;
  std::int64_t calls = 0;
  double fastest_ns = 1e300;
  const double start_ns = CurrentNs();
  // The first call may compile or allocate; so it never counts.
  while (calls < 2 || (CurrentNs() - start_ns < kWarmUpNs && calls < 20)) {
    const double before_ns = CurrentNs();
    call(calls++);
    fastest_ns = std::min(fastest_ns, CurrentNs() - before_ns);
  }
  constexpr std::size_t kFewest = 5;
  std::vector<double> undisturbed, all;
  const bool hopeless = fastest_ns > budget.hopeless_ns;
  const double first_ns = CurrentNs();
  for (;;) {
    const long preemptions = Preemptions();
    const double before_ns = CurrentNs();
    call(calls++);
    const double after_ns = CurrentNs();
    all.push_back(after_ns - before_ns);
    if (Preemptions() == preemptions) undisturbed.push_back(all.back());
    const double spent_ns = after_ns - first_ns;
    const auto count = static_cast<std::int64_t>(undisturbed.size());
    if (all.size() >= 3 && (hopeless || spent_ns > budget.most_ns)) break;
    if (count >= budget.most || (count >= budget.least && spent_ns > budget.least_ns)) break;
  }
  return Summarise(undisturbed.size() >= std::min(kFewest, all.size()) ? std::move(undisturbed)
                                                                       : std::move(all));
}

}  // namespace xsp::onednn_alternatives
