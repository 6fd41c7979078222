#ifndef XSP_INGEST_CORRELATE_LAYERS_H_
#define XSP_INGEST_CORRELATE_LAYERS_H_

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace xsp::correlate {

/// All span ids, every parent before its children. O(n). Needs parents without circles, as Nest()
/// leaves them.
std::vector<trace::SpanId> ParentsFirst(const trace::Trace& trace);

/// Whether a span is a framework operator or graph node, not a module or function that groups them.
bool IsOperator(const trace::Trace& trace, trace::SpanId span);

/// Where each span stands among the layers; entry i is of span id i + 1.
///
/// A layer is an outermost operator inside a model span; where the trace has no model span, an
/// outermost operator (design, section 2).
struct LayerMap {
  std::vector<trace::SpanId> outermost_layer;     ///< Itself for a layer; 0: in none.
  std::vector<trace::SpanId> innermost_operator;  ///< Itself for an operator in a layer; 0: none.
  std::vector<std::uint8_t> in_model;             ///< 1: a model span surrounds it.
  bool has_model = false;                         ///< The trace has model spans at all.
};

/// O(n), given ParentsFirst().
LayerMap FindLayers(const trace::Trace& trace, const std::vector<trace::SpanId>& parents_first);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_LAYERS_H_
