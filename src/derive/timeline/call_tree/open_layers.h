#ifndef XSP_DERIVE_TIMELINE_CALL_TREE_OPEN_LAYERS_H_
#define XSP_DERIVE_TIMELINE_CALL_TREE_OPEN_LAYERS_H_

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace xsp::timeline::call_tree {

/// Which layer a thread was in, at any time: the outermost operator that was open on it.
class OpenLayers {
 public:
  explicit OpenLayers(const trace::Trace& trace);

  /// 0: none.
  trace::SpanId At(trace::TrackId track, std::int64_t time_ns) const;

 private:
  struct Layer {
    std::int64_t start_ns, end_ns;
    trace::SpanId span;
  };
  std::vector<std::vector<Layer>> layers_;  ///< By track, then start.
};

}  // namespace xsp::timeline::call_tree

#endif  // XSP_DERIVE_TIMELINE_CALL_TREE_OPEN_LAYERS_H_
