#ifndef XSP_DERIVE_TIMELINE_CRITICAL_PATH_HOST_PIECES_H_
#define XSP_DERIVE_TIMELINE_CRITICAL_PATH_HOST_PIECES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "derive/timeline/timeline.h"

namespace xsp::timeline::critical_path {

/// The spans of one thread, and which is the innermost when. Borrows the trace.
class HostPieces {
 public:
  /// `spans`: of one track, in any order; those that never ended must not be among them.
  HostPieces(const trace::Trace& trace, std::vector<trace::SpanId> spans)
      : trace_(trace), spans_(std::move(spans)) {
    const auto place = [&](trace::SpanId span) {
      return std::tuple(Start(span), -End(span), trace_.spans.level[span - 1], span);
    };
    const auto before = [&](trace::SpanId a, trace::SpanId b) { return place(a) < place(b); };
    if (!std::is_sorted(spans_.begin(), spans_.end(), before))
      std::sort(spans_.begin(), spans_.end(), before);
  }

  /// Calls `piece(from_ns, to_ns, span)` for what [from_ns, to_ns) is made of, in order; span 0:
  /// none covers it. Times of successive calls must not go back. O(n) for all calls together.
  template <typename Piece>
  void ForEach(std::int64_t from_ns, std::int64_t to_ns, Piece piece) {
    while (from_ns < to_ns) {
      while (!open_.empty() && End(open_.back()) <= from_ns) open_.pop_back();
      for (; next_ < spans_.size() && Start(spans_[next_]) <= from_ns; ++next_)
        if (End(spans_[next_]) > from_ns) open_.push_back(spans_[next_]);
      std::int64_t until = to_ns;
      if (!open_.empty()) until = std::min(until, End(open_.back()));
      if (next_ < spans_.size()) until = std::min(until, Start(spans_[next_]));
      piece(from_ns, until, open_.empty() ? trace::SpanId{0} : open_.back());
      from_ns = until;
    }
  }

 private:
  std::int64_t Start(trace::SpanId span) const { return trace_.spans.start_ns[span - 1]; }
  std::int64_t End(trace::SpanId span) const {
    return trace_.spans.start_ns[span - 1] + trace_.spans.duration_ns[span - 1];
  }

  const trace::Trace& trace_;
  std::vector<trace::SpanId> spans_;
  std::vector<trace::SpanId> open_;
  std::size_t next_ = 0;
};

}  // namespace xsp::timeline::critical_path

#endif  // XSP_DERIVE_TIMELINE_CRITICAL_PATH_HOST_PIECES_H_
