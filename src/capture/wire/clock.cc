#include "capture/wire/clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace xsp::wire {
namespace {

#if defined(__x86_64__)
bool TscIsInvariant() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) != 0 && (edx & (1u << 8)) != 0;
}

// A hypervisor may hide the flag; the kernel then still watches the TSC and drops it when it
// drifts.
bool KernelKeepsTimeByTsc() {
  const int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                      O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  char name[8] = {};
  const ssize_t length = read(fd, name, sizeof name - 1);
  close(fd);
  return length >= 3 && strncmp(name, "tsc", 3) == 0 && (name[3] == '\n' || name[3] == '\0');
}
#endif

std::int64_t RealtimeNs() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

ClockKind BestClock() {
#if defined(__x86_64__)
  return TscIsInvariant() || KernelKeepsTimeByTsc() ? ClockKind::kTsc : ClockKind::kMonotonicNs;
#elif defined(__aarch64__)
  return ClockKind::kArmCounter;
#else
  return ClockKind::kMonotonicNs;
#endif
}

ClockPair ReadClocks(ClockKind kind) {
  constexpr int kTries = 8;
  ClockPair best{};
  std::uint64_t narrowest = ~std::uint64_t{0};
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t before = Ticks(kind);
    const std::uint64_t monotonic_ns = MonotonicNs();
    const std::uint64_t after = Ticks(kind);
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    best.ticks = kind == ClockKind::kMonotonicNs ? monotonic_ns : before + (after - before) / 2;
    best.monotonic_ns = static_cast<std::int64_t>(monotonic_ns);
  }
  std::int64_t narrowest_ns = INT64_MAX;
  for (int i = 0; i < kTries; ++i) {
    const auto before_ns = static_cast<std::int64_t>(MonotonicNs());
    const std::int64_t realtime_ns = RealtimeNs();
    const auto after_ns = static_cast<std::int64_t>(MonotonicNs());
    if (after_ns - before_ns >= narrowest_ns) continue;
    narrowest_ns = after_ns - before_ns;
    best.realtime_ns = realtime_ns - (before_ns + narrowest_ns / 2) + best.monotonic_ns;
  }
  return best;
}

}  // namespace xsp::wire
