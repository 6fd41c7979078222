#ifndef XSP_DERIVE_TIMELINE_MEMORY_ALLOCATION_EVENTS_H_
#define XSP_DERIVE_TIMELINE_MEMORY_ALLOCATION_EVENTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "trace/trace.h"

namespace xsp::timeline::memory {

/// An allocation or a free, and what the allocator said of its totals after it.
struct Event {
  std::int64_t time_ns = 0;
  double bytes = 0;  ///< Below zero: freed.
  std::optional<double> address, allocated_bytes, reserved_bytes;
};

struct EventsOfDevice {
  std::int64_t rank = trace::kNotApplicable, device = trace::kNotApplicable;
  std::vector<Event> events;  ///< By time, else as recorded. Not empty.
};

/// Puts together what importers write as counters of one moment. By rank, then device.
std::vector<EventsOfDevice> ReadEvents(const trace::Trace& trace);

}  // namespace xsp::timeline::memory

#endif  // XSP_DERIVE_TIMELINE_MEMORY_ALLOCATION_EVENTS_H_
