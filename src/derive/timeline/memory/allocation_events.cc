#include "derive/timeline/memory/allocation_events.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace xsp::timeline::memory {
namespace {

enum Quantity : std::uint8_t { kAllocation, kAddress, kAllocated, kReserved, kOther, kUnknown };

Quantity QuantityOf(std::string_view counter) {
  if (counter == "allocation_bytes") return kAllocation;
  if (counter == "allocation_address") return kAddress;
  if (counter == "allocated_bytes") return kAllocated;
  if (counter == "reserved_bytes") return kReserved;
  return kOther;
}

}  // namespace

std::vector<EventsOfDevice> ReadEvents(const trace::Trace& trace) {
  const trace::CounterTable& counters = trace.counters;
  std::vector<Quantity> quantity_of(trace.strings.size(), kUnknown);
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<Event>> by_device;
  std::vector<Event>* events = nullptr;  // Those of the event that is being put together.
  trace::TrackId track = 0;
  std::array<bool, kOther> seen = {};
  for (std::size_t i = 0; i < counters.size(); ++i) {
    Quantity& quantity = quantity_of[counters.name[i]];
    if (quantity == kUnknown) quantity = QuantityOf(trace.Text(counters.name[i]));
    if (quantity == kOther) continue;
    const trace::Track& on = trace.tracks[counters.track[i] - 1];
    if (on.kind != trace::TrackKind::kDevice && on.kind != trace::TrackKind::kHost) continue;
    if (on.is_reference) continue;
    if (events == nullptr || counters.track[i] != track || seen[quantity] ||
        events->back().time_ns != counters.time_ns[i]) {
      if (events == nullptr || counters.track[i] != track)
        events = &by_device[{on.rank, on.device}];
      events->emplace_back();
      events->back().time_ns = counters.time_ns[i];
      track = counters.track[i];
      seen = {};
    }
    seen[quantity] = true;
    Event& event = events->back();
    const double value = counters.value[i];
    if (quantity == kAllocation) event.bytes = value;
    if (quantity == kAddress) event.address = value;
    if (quantity == kAllocated) event.allocated_bytes = value;
    if (quantity == kReserved) event.reserved_bytes = value;
  }
  std::vector<EventsOfDevice> found;
  for (auto& [place, of_device] : by_device) {
    const auto earlier = [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; };
    if (!std::is_sorted(of_device.begin(), of_device.end(), earlier))
      std::stable_sort(of_device.begin(), of_device.end(), earlier);
    found.push_back({place.first, place.second, std::move(of_device)});
  }
  return found;
}

}  // namespace xsp::timeline::memory
