#ifndef XSP_STORE_KERNEL_LAYERS_H_
#define XSP_STORE_KERNEL_LAYERS_H_

#include <vector>

#include "trace/trace.h"

namespace xsp::store {

/// Which layer a kernel belongs to: a row of the table kernel_layer.
struct KernelLayer {
  trace::SpanId kernel = 0;
  trace::SpanId innermost = 0;  ///< Innermost operator; 0: not attributed.
  trace::SpanId outermost = 0;
  double confidence = 0;  ///< That of the least sure step up to `innermost` (PlacementConfidence).
};

/// One for every kernel of the trace, in order of id. Modules and functions only group: they are no
/// operators. O(kernels x depth); a chain of parents that is a circle, or deeper than 1,000, ends
/// there.
std::vector<KernelLayer> KernelLayers(const trace::Trace& trace);

}  // namespace xsp::store

#endif  // XSP_STORE_KERNEL_LAYERS_H_
