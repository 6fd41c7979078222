#ifndef XSP_DERIVE_TIMELINE_KERNEL_SEQUENCES_KERNEL_SEQUENCES_H_
#define XSP_DERIVE_TIMELINE_KERNEL_SEQUENCES_KERNEL_SEQUENCES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::kernel_sequences {

/// A stream that does nothing for longer than this ends a sequence.
inline constexpr std::int64_t kLongestGapNs = 100'000;
inline constexpr std::size_t kLongest = 32;

/// Names of kernels that follow each other on a stream of a device at least twice.
struct Sequence {
  std::vector<trace::SpanId> kernels;  ///< Those of its first occurrence, in order.
  std::int64_t occurrences = 0;        ///< Without overlap, taken from the front.
  std::int64_t duration_ns = 0;        ///< Sum of its kernels' durations, over all occurrences.
  std::int64_t gap_ns = 0;             ///< Sum of the gaps between its kernels, likewise.
};

/// The sequences of two to `longest` computing kernels of a device, those with the most time first,
/// at most `most`.
///
/// A sequence does not go on over a copy, a set or a communication kernel, nor into the work of
/// another step, nor over a gap above kLongestGapNs. It is maximal: no kernel before it, and none
/// after it unless it has `longest` kernels, could be added without losing an occurrence. Left out
/// are
///   - what repeats itself, as the sequence that it repeats is another one: all of it is one more
///     than one and a half times, or more than half of it is one three times or more, or more than
///     a quarter of its places overlap the occurrence before;
///   - of two of which one contains the other and which occur equally often but for a tenth, the
///   one
///     with less time (among the 10 * `most` with the most time).
/// Of a kernel that runs again and again, the run of that length which takes the most time is a
/// sequence.
///
/// O(n * longest) in kernels.
std::vector<Sequence> FindSequences(const Timeline& timeline, const Device& device,
                                    std::size_t most, std::size_t longest = kLongest);

}  // namespace xsp::timeline::kernel_sequences

#endif  // XSP_DERIVE_TIMELINE_KERNEL_SEQUENCES_KERNEL_SEQUENCES_H_
