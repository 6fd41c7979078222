#ifndef XSP_CAPTURE_WIRE_CLOCK_H_
#define XSP_CAPTURE_WIRE_CLOCK_H_

#include <time.h>

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "capture/wire/format.h"

namespace xsp::wire {

/// CLOCK_MONOTONIC, ns.
inline std::uint64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// The cheapest clock that runs at one rate on every core: the TSC where the CPU calls it invariant
/// or the kernel keeps time by it, the generic timer of AArch64, else CLOCK_MONOTONIC.
ClockKind BestClock();

/// Now in ticks of `kind`. Not ordered against the instructions around it: a fence would cost more
/// than the few ns it could move.
inline std::uint64_t Ticks([[maybe_unused]] ClockKind kind) {
#if defined(__x86_64__)
  if (kind == ClockKind::kTsc) return __rdtsc();
  return MonotonicNs();
#elif defined(__aarch64__)
  std::uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return MonotonicNs();
#endif
}

/// Reads the three clocks as close together as a few tries allow (about 1 us).
ClockPair ReadClocks(ClockKind kind);

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_CLOCK_H_
