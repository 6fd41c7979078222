#ifndef XSP_STORE_KERNEL_LAYERS_H_
#define XSP_STORE_KERNEL_LAYERS_H_

#include <cstddef>
#include <unordered_map>
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

/// Finds one for every kernel of the trace, in order of id. Modules and functions only group: they
/// are no operators. O(kernels x depth); a chain of parents that is a circle, or deeper than 1,000,
/// ends there. Borrows the trace, which has to be correlated when Next() is first called. One
/// thread at a time.
class KernelLayerFinder {
 public:
  explicit KernelLayerFinder(const trace::Trace& trace) : trace_(trace) {}

  /// Replaces `layers` by those of the next kernels, at most `most`; none: there are no more.
  void Next(std::size_t most, std::vector<KernelLayer>& layers);

 private:
  KernelLayer Find(trace::SpanId kernel) const;
  double ConfidenceOf(trace::SpanId span) const;
  bool IsOperator(trace::SpanId span) const;

  const trace::Trace& trace_;
  std::size_t next_ = 0;       ///< Row of the span table.
  std::vector<double> usual_;  ///< Of each PlacedBy; empty before the first call.
  std::unordered_map<trace::SpanId, double> said_;  ///< The metric `confidence`.
};

/// Those of all kernels at once.
std::vector<KernelLayer> KernelLayers(const trace::Trace& trace);

}  // namespace xsp::store

#endif  // XSP_STORE_KERNEL_LAYERS_H_
