#ifndef XSP_CAPTURE_COUNTERS_READING_H_
#define XSP_CAPTURE_COUNTERS_READING_H_

#include <linux/perf_event.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "capture/counters/event.h"

namespace xsp::counters {

/// What an event came to so far. Times in ns: how long it was to be counted, and how long a counter
/// was free for it. They differ where more events are asked for than the CPU has counters: the
/// kernel then multiplexes them.
struct Count {
  std::uint64_t value = 0;
  std::uint64_t enabled_ns = 0;
  std::uint64_t running_ns = 0;
};

/// Counts of all events of a list, in its order.
using Reading = std::array<Count, kMostEvents>;

/// What happened between two counts.
struct Difference {
  double value = 0;  ///< Scaled up to the whole time; meaningless where share is 0.
  double share = 0;  ///< 0 to 1: of the time in which it was counted. 1: nothing is estimated.
};

/// value x enabled / running, as perf stat scales (perf_event_open(2), "time_running"): right where
/// what was not counted was like what was. No time at all between the two counts as wholly counted:
/// then nothing can have happened unseen.
Difference Between(const Count& before, const Count& after);

/// Reads a counter by the page that the kernel keeps for it, without a system call: the loop that
/// linux/perf_event.h gives at perf_event_mmap_page. Only on the thread that the event counts, and
/// only while the page says cap_user_rdpmc and cap_user_time. `rdpmc(i)` reads hardware counter i;
/// `rdtsc()` the time stamp.
template <typename ReadCounter, typename ReadTime>
Count ReadPage(const volatile perf_event_mmap_page& page, ReadCounter rdpmc, ReadTime rdtsc) {
  Count count;
  std::uint32_t sequence;
  do {
    sequence = page.lock;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    count.enabled_ns = page.time_enabled;
    count.running_ns = page.time_running;
    const std::uint64_t cycles = rdtsc();
    const std::uint16_t shift = page.time_shift;
    const std::uint64_t mult = page.time_mult;
    const std::uint64_t rest = cycles & ((std::uint64_t{1} << shift) - 1);
    const std::uint64_t delta_ns =
        page.time_offset + (cycles >> shift) * mult + ((rest * mult) >> shift);
    const std::uint32_t index = page.index;
    std::int64_t value = page.offset;
    count.enabled_ns += delta_ns;
    if (index != 0) {
      // The counter is narrower than 64 bits and may be negative: shifted up and down again.
      const unsigned unused = 64u - page.pmc_width;
      value += static_cast<std::int64_t>(rdpmc(index - 1) << unused) >> unused;
      count.running_ns += delta_ns;
    }
    count.value = static_cast<std::uint64_t>(value);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  } while (page.lock != sequence);
  return count;
}

}  // namespace xsp::counters

#endif  // XSP_CAPTURE_COUNTERS_READING_H_
