#ifndef XSP_INGEST_PRIMITIVES_GRAPH_OPERATORS_H_
#define XSP_INGEST_PRIMITIVES_GRAPH_OPERATORS_H_

#include <string_view>

#include "ingest/primitives/cost.h"
#include "ingest/primitives/operator_call.h"
#include "ingest/primitives/operators.h"

namespace xsp::primitives {

// Nodes of a framework's graph: ONNX's operators and ONNX Runtime's own, TensorFlow's, OpenVINO's,
// MXNet's, OpenCV DNN's. One table for all: where two frameworks mean different things by one name,
// shapes decide, or the less is counted (docs/primitives.md, "Nodes of graphs").
// All pure; any thread; any text is safe.

/// Whether `type` is such a name: no namespace ("::"), and behind leading underscores a capital
/// letter
/// ("Conv", "_FusedMatMul"), or one of MXNet's own lower-case names ("elemwise_add").
bool IsGraphOperator(std::string_view type);

/// As RoleOf(). kNeverComputes: what only renames, reshapes or calls; kComputes: what is in the
/// table; kUnknown: any other.
OperatorRole GraphRoleOf(std::string_view type);

/// As EstimateOperator(). Status kKnown or kTrafficOnly; unit "vector".
Cost EstimateGraphOperator(std::string_view type, const Call& call);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_GRAPH_OPERATORS_H_
