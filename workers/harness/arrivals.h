#ifndef XSP_WORKERS_HARNESS_ARRIVALS_H_
#define XSP_WORKERS_HARNESS_ARRIVALS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace xsp::worker {

/// When each of `count` requests arrives, ns after the first could: a Poisson process of
/// `rate_per_s` (gaps exponential with mean 1/rate), non-decreasing. The same seed gives the same
/// arrivals; another rate stretches them. `rate_per_s` must be positive.
std::vector<std::uint64_t> PoissonArrivals(double rate_per_s, std::size_t count,
                                           std::uint64_t seed);

/// Waits until `time_ns` (CLOCK_MONOTONIC): sleeps, then spins for the last segment, so that the
/// wake-up of a sleep does not count into a latency. Returns at once when it is past, and early
/// after a signal asked to stop.
void WaitUntil(std::uint64_t time_ns);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_ARRIVALS_H_
