#ifndef XSP_DERIVE_TIMELINE_COLLECTIVES_COLLECTIVES_H_
#define XSP_DERIVE_TIMELINE_COLLECTIVES_COLLECTIVES_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::collectives {

/// One communicating kernel, and what it has to do with its partners on other ranks.
struct Collective {
  trace::SpanId span = 0;
  std::int64_t rank = trace::kNotApplicable;
  std::int64_t device = trace::kNotApplicable;
  std::int64_t stream = trace::kNotApplicable;
  std::int32_t step = -1;  ///< Index into Timeline::steps().
  std::string_view operation;
  std::string_view process_group, process_group_ranks, dtype;  ///< Empty: not known.
  double bytes = -1, group_size = -1;                          ///< Negative: not known.
  std::int64_t start_ns = 0, duration_ns = 0;
  std::int64_t exposed_ns = 0;  ///< Of that, in which nothing computed on the device.
  /// 0-based position among those of the same device, operation and process group; where no group
  /// is known, of the same stream number, as each communicator has a stream of its own.
  std::int64_t instance = 0;
  /// What comes now is trace::kNotApplicable where no other device has this instance.
  std::int64_t arrival_skew_ns = trace::kNotApplicable;  ///< Latest start - this start.
  std::int64_t transfer_ns = trace::kNotApplicable;      ///< Shortest duration of the instance.
};

/// All of them, by device and start. Instances are counted from the start of each rank's trace:
/// where ranks have different numbers, the rest of the longer stands alone. O(n log n) in device
/// spans, O(n) in attributes and metrics.
std::vector<Collective> FindCollectives(const Timeline& timeline);

}  // namespace xsp::timeline::collectives

#endif  // XSP_DERIVE_TIMELINE_COLLECTIVES_COLLECTIVES_H_
