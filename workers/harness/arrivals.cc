#include "harness/arrivals.h"

#include <time.h>

#include <algorithm>

#include "capture/wire/xsp.h"
#include "harness/channel.h"
#include "harness/random.h"

namespace xsp::worker {
namespace {

/// Longer than a sleep overruns on a machine that is not busy (50 us timer slack and a wake-up).
constexpr std::uint64_t kSpinNs = 200'000;
/// A signal's flag is looked at this often.
constexpr std::uint64_t kLongestSleepNs = 100'000'000;

}  // namespace

std::vector<std::uint64_t> PoissonArrivals(double rate_per_s, std::size_t count,
                                           std::uint64_t seed) {
  Random random(seed);
  std::vector<std::uint64_t> arrivals_ns;
  arrivals_ns.reserve(count);
  double at_ns = 0;
  for (std::size_t i = 0; i < count; ++i) {
    at_ns += random.Exponential() * 1e9 / rate_per_s;
    arrivals_ns.push_back(static_cast<std::uint64_t>(at_ns));
  }
  return arrivals_ns;
}

void WaitUntil(std::uint64_t time_ns) {
  std::uint64_t now_ns = xsp_now_ns();
  while (now_ns + kSpinNs < time_ns && !StopRequested()) {
    const std::uint64_t sleep_ns = std::min(time_ns - kSpinNs - now_ns, kLongestSleepNs);
    const timespec sleep = {static_cast<time_t>(sleep_ns / 1'000'000'000),
                            static_cast<long>(sleep_ns % 1'000'000'000)};
    nanosleep(&sleep, nullptr);
    now_ns = xsp_now_ns();
  }
  while (xsp_now_ns() < time_ns && !StopRequested()) {
  }
}

}  // namespace xsp::worker
