#ifndef XSP_WORKERS_ONNXRUNTIME_FUSED_NODES_H_
#define XSP_WORKERS_ONNXRUNTIME_FUSED_NODES_H_

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "onnxruntime/onnx_graph.h"

namespace xsp::worker_onnxruntime {

/// What each node of an optimised graph was made of.
struct NodeParts {
  /// For each node its parts: indices of nodes of the graph before, rising. Empty: the optimiser
  /// put it in (a change of layout, a conversion of types), or it is unknown.
  std::vector<std::vector<std::size_t>> parts;
  /// Nodes with only those parts that names show: what the two graphs say of their
  /// inputs does not go together.
  std::size_t uncertain = 0;
};

/// Lays two graphs of one model side by side, `after` being what an optimiser made of `before`.
///
/// A node computes what lies in `before` between its results and its inputs. Both are found by the
/// names of values, which optimisers keep. Where they do not (layout transformations rename what
/// lies between transformed nodes) the node's own name tells one of its parts: it is that part's,
/// or that of the value which it computed, with `_nchwc`, `_bn_nchwc` or `_token_N` behind it. What
/// follows such a node in `before` and is no node of `after` was fused into it: of several nodes
/// that it could have gone into, into the one that reads the others' results. Nodes without names
/// whose values were renamed stay unknown, and so does what was fused beside them. Any graphs are
/// safe.
NodeParts FindParts(const Graph& before, const Graph& after);

/// The parts of the parts: `inner` of the first graph over `outer` of the second.
NodeParts Compose(const NodeParts& inner, const NodeParts& outer);

/// For each node of `after` whose name no other has and whose parts are known: their names, with
/// commas, a part without name by its first result.
std::unordered_map<std::string, std::string> NamesOfParts(const Graph& before, const Graph& after,
                                                          const NodeParts& parts);

/// Likewise the path of the first part that tells one.
std::unordered_map<std::string, std::string> PathsOfParts(const Graph& before, const Graph& after,
                                                          const NodeParts& parts);

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_FUSED_NODES_H_
