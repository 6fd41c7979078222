#ifndef XSP_DERIVE_TIMELINE_COLLECTIVES_COLLECTIVE_ATTRIBUTES_H_
#define XSP_DERIVE_TIMELINE_COLLECTIVES_COLLECTIVE_ATTRIBUTES_H_

#include <string_view>
#include <unordered_map>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::collectives {

/// What a trace says of a collective, on its kernel or on the operator that called it.
struct CollectiveAttributes {
  std::string_view collective, process_group, process_group_ranks, dtype;  ///< Empty: nothing.
  double bytes = -1, group_size = -1;                                      ///< Negative: nothing.
};

/// All that a trace says of collectives. Borrows the trace.
class CollectiveAttributeIndex {
 public:
  /// O(n) in attributes and metrics.
  explicit CollectiveAttributeIndex(const Timeline& timeline);

  /// Of the kernel itself, else of what called it, innermost first; null: nothing.
  const CollectiveAttributes* Of(const DeviceSpan& span) const;

 private:
  const Timeline& timeline_;
  std::unordered_map<trace::SpanId, CollectiveAttributes>
      attributes_;  ///< Only of spans that name a collective.
};

}  // namespace xsp::timeline::collectives

#endif  // XSP_DERIVE_TIMELINE_COLLECTIVES_COLLECTIVE_ATTRIBUTES_H_
