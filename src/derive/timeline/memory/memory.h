#ifndef XSP_DERIVE_TIMELINE_MEMORY_MEMORY_H_
#define XSP_DERIVE_TIMELINE_MEMORY_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::memory {

// Names of holders that are no operator.
inline constexpr std::string_view kNoOperator = "(no operator)";
inline constexpr std::string_view kBefore = "(before recording)";
/// Below zero: what must have been freed, though no free was recorded.
inline constexpr std::string_view kUnseen = "(freed unseen)";
inline constexpr std::string_view kSmaller = "(smaller)";

/// From start_ns to until_ns, or at start_ns.
struct Segment {
  std::int64_t start_ns = 0, until_ns = 0;
  double low_bytes = 0, high_bytes = 0;  ///< Least and most that was allocated.
  std::optional<double> reserved_bytes;  ///< Most that the allocator held.
};

struct Holder {
  std::string_view operation;  ///< Outermost operator that allocated, or one of the names above.
  std::string_view module;     ///< Innermost module around that operator; empty: none.
  std::int64_t allocations = 0;
  double bytes = 0;
};

/// The memory of one device, or of the host, as one process sees it.
struct Memory {
  std::int64_t rank = trace::kNotApplicable;
  std::int64_t device = trace::kNotApplicable;  ///< kNotApplicable: the host.
  /// The allocator told its totals. Else they are added up from allocations and frees, and what was
  /// freed without having been allocated in the recording was there from its start.
  bool is_reported = false;
  /// Frees are tied to allocations by address. Else, where the trace has none, a free is taken for
  /// that of the latest allocation of its size.
  bool has_addresses = false;
  std::vector<Segment> segments;  ///< In order; from the first event to the end of the trace.
  std::int64_t peak_ns = 0;       ///< When the most was allocated, first.
  double peak_bytes = 0;
  std::vector<Holder> holders;  ///< At the peak; the largest first. They add up to peak_bytes.
};

/// From the counters allocation_bytes, allocation_address, allocated_bytes and reserved_bytes of
/// devices and hosts, as importers write them for every allocation and free (bytes below zero). By
/// rank, then host before devices.
///
/// An allocation belongs to the innermost operator or module that runs at its time on any thread of
/// the rank: the latest started one (counters do not name the thread).
///
/// Segments: one for each moment at which something changes; where these are more than
/// `max_segments`, of equal length, with the least and the most of each. At most `most_holders`
/// holders of operators; the rest is one kSmaller. O(n log n) in events and operators.
std::vector<Memory> FindMemory(const Timeline& timeline, std::size_t max_segments,
                               std::size_t most_holders);

}  // namespace xsp::timeline::memory

#endif  // XSP_DERIVE_TIMELINE_MEMORY_MEMORY_H_
