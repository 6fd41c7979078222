#ifndef XSP_CAPTURE_COUNTERS_COUNTER_SET_H_
#define XSP_CAPTURE_COUNTERS_COUNTER_SET_H_

#include <linux/perf_event.h>

#include <span>
#include <vector>

#include "capture/counters/event.h"
#include "capture/counters/reading.h"

namespace xsp::counters {

/// What a set counts.
enum class Scope {
  kThread,  ///< The thread that made it. Groups hold; read without a system call where the CPU and
            ///< the kernel let us (cap_user_rdpmc).
  /// That thread, and every thread and process that it starts afterwards, with theirs. Each event
  /// on its own: the kernel groups none that are inherited.
  kInherited,
};

/// Counters that are open and counting. What cannot be counted is refused, and the others count.
/// Hardware events count in user mode only, whatever the rights, so that figures mean the same
/// everywhere; software events in both, as they happen in the kernel.
///
/// Threading: Read() of kThread on the thread that made it; else any thread.
class CounterSet {
 public:
  /// `events`: borrowed; the first kMostEvents of them.
  CounterSet(std::span<const Event> events, Scope scope);
  ~CounterSet();
  CounterSet(const CounterSet&) = delete;
  CounterSet& operator=(const CounterSet&) = delete;

  /// What could not be opened, in the order of the events.
  const std::vector<Refusal>& refusals() const { return refusals_; }
  bool IsCounted(std::size_t event) const {
    return event < counters_.size() && counters_[event].file >= 0;
  }

  /// Counts so far. An event that is not counted, or cannot be read any more, stays 0.
  void Read(Reading& reading) const;

 private:
  struct Counter {
    int file = -1;
    const perf_event_mmap_page* page = nullptr;
  };
  /// Events that are counted together, in the order in which the kernel tells of them: the first
  /// leads.
  struct Group {
    std::vector<std::size_t> members;
  };

  int Open(const Event& event, Scope scope, int leader_file, bool user_only) const;
  int OpenAllowed(const Event& event, Scope scope, int leader_file) const;
  void Map(Counter& counter) const;
  bool ReadPages(const Group& group, Reading& reading) const;

  std::vector<Counter> counters_;
  std::vector<Group> groups_;
  std::vector<Refusal> refusals_;
};

}  // namespace xsp::counters

#endif  // XSP_CAPTURE_COUNTERS_COUNTER_SET_H_
