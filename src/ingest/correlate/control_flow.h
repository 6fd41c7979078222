#ifndef XSP_INGEST_CORRELATE_CONTROL_FLOW_H_
#define XSP_INGEST_CORRELATE_CONTROL_FLOW_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Operators that only decide which others run, and how often (If, Loop, While, TensorIterator, a
/// function's call), and that hold such, become `function`: they group, and the nodes of their
/// bodies are the layers, once for each iteration. One without a recorded body stays a layer.
/// Parents must be known. O(spans).
void OpenControlFlow(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_CONTROL_FLOW_H_
