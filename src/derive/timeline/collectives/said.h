#ifndef XSP_DERIVE_TIMELINE_COLLECTIVES_SAID_H_
#define XSP_DERIVE_TIMELINE_COLLECTIVES_SAID_H_

#include <string_view>
#include <unordered_map>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::collectives {

/// What a trace says of a collective, on its kernel or on the operator that called it.
struct Said {
  std::string_view collective, process_group, process_group_ranks, dtype;  ///< Empty: nothing.
  double bytes = -1, group_size = -1;                                      ///< Negative: nothing.
};

/// All that a trace says of collectives. Borrows the trace.
class SaidOfCollectives {
 public:
  /// O(n) in attributes and metrics.
  explicit SaidOfCollectives(const Timeline& timeline);

  /// Of the kernel itself, else of what called it, innermost first; null: nothing.
  const Said* Of(const DeviceSpan& span) const;

 private:
  const Timeline& timeline_;
  std::unordered_map<trace::SpanId, Said> said_;  ///< Only of spans that name a collective.
};

}  // namespace xsp::timeline::collectives

#endif  // XSP_DERIVE_TIMELINE_COLLECTIVES_SAID_H_
