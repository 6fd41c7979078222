#ifndef XSP_DERIVE_TIMELINE_PARENTS_FIRST_H_
#define XSP_DERIVE_TIMELINE_PARENTS_FIRST_H_

#include <vector>

#include "trace/trace.h"

namespace xsp::timeline {

/// Calls `visit(span)` for every span of a correlated trace, a parent before its children, else in
/// the order of ids. O(n). Of parents in a circle (a damaged run) each is visited once.
template <typename Visit>
void VisitParentsFirst(const trace::Trace& trace, Visit visit) {
  const trace::Column<trace::SpanId>& parent = trace.spans.parent;
  std::vector<bool> done(parent.size() + 1, false);
  std::vector<trace::SpanId> path;
  for (trace::SpanId id = 1; id <= parent.size(); ++id) {
    for (trace::SpanId at = id; at != 0 && !done[at]; at = parent[at - 1]) {
      done[at] = true;
      path.push_back(at);
    }
    for (; !path.empty(); path.pop_back()) visit(path.back());
  }
}

}  // namespace xsp::timeline

#endif  // XSP_DERIVE_TIMELINE_PARENTS_FIRST_H_
