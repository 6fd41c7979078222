#include "os/clocks.h"

namespace xsp::os {

std::int64_t Now(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::int64_t RealtimeOffsetNs() {
  std::int64_t offset_ns = 0, closest_ns = 1'000'000'000;
  for (int i = 0; i < 5; ++i) {
    const std::int64_t before_ns = Now(CLOCK_MONOTONIC);
    const std::int64_t real_ns = Now(CLOCK_REALTIME);
    const std::int64_t after_ns = Now(CLOCK_MONOTONIC);
    if (after_ns - before_ns >= closest_ns) continue;
    closest_ns = after_ns - before_ns;
    offset_ns = real_ns - (before_ns + closest_ns / 2);
  }
  return offset_ns;
}

}  // namespace xsp::os
