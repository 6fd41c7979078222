#ifndef XSP_CAPTURE_COUNTERS_EVENT_H_
#define XSP_CAPTURE_COUNTERS_EVENT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace xsp::counters {

/// More are left out: a reading has room for so many.
inline constexpr std::size_t kMostEvents = 32;

/// Something that the kernel counts for a thread: perf_event_open(2).
struct Event {
  std::string name;          ///< Of the metric: "cycles".
  std::string unit = "1";    ///< Of the metric: "1", "ns", "flop".
  std::uint32_t type = 0;    ///< perf_event_attr.type: 0 hardware, 1 software, 3 cache, 4 raw.
  std::uint64_t config = 0;  ///< perf_event_attr.config.
  double factor = 1;         ///< Units a count.
  int group = 0;  ///< Events of one number are counted at the same time, or none of them.
};

/// Counted by the kernel itself, on every machine.
bool IsSoftware(const Event& event);

/// What the kernel counts everywhere: task_clock_ns, context_switches, cpu_migrations and
/// thread_page_faults, in one group.
std::vector<Event> SoftwareEvents();

/// Why an event cannot be counted.
struct Refusal {
  std::string name;
  int error = 0;  ///< errno of perf_event_open.
  /// Whether another event of the CPU's could be opened, so that its counters are visible.
  bool cpu_counts = false;
};

/// What the refusal means: "the CPU's counters are not visible here (ENOENT)". `paranoid`: what
/// /proc/sys/kernel/perf_event_paranoid holds, of which the text tells where it matters.
std::string WhyRefused(const Refusal& refusal, int paranoid);

/// What to do about it, as a sentence; never empty.
std::string RemedyOf(const Refusal& refusal, int paranoid);

/// "cycles, instructions: the CPU's counters are not visible here (ENOENT). Measure on ..."; empty
/// where nothing was refused. Alike reasons are reported once.
std::string RefusalSentence(const std::vector<Refusal>& refusals, int paranoid);

/// The kernel's setting; kNoParanoid: there is none, so the kernel has no perf_event_open.
inline constexpr int kNoParanoid = -100;
int ReadParanoid();

}  // namespace xsp::counters

#endif  // XSP_CAPTURE_COUNTERS_EVENT_H_
