#ifndef XSP_WORKERS_OPENVINO_NODE_TABLE_H_
#define XSP_WORKERS_OPENVINO_NODE_TABLE_H_

#include <openvino/openvino.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/wire/xsp.h"

namespace xsp::worker_openvino {

/// What OpenVINO made of a model's operators: one node of the compiled model.
struct Node {
  xsp_string name = 0;
  xsp_string type = 0;         ///< "Convolution", "FullyConnected", "Reorder", ...
  std::string implementation;  ///< "brgconv_avx512_bf16".
  std::string dtype;           ///< What it computes in.
  std::string fused_from;      ///< The model's operators in it, with commas.
  std::string input_shapes, input_types, output_shapes;  ///< Empty where a shape is not fixed.
};

/// The nodes of a compiled model. Immutable: any thread may read it.
class NodeTable {
 public:
  NodeTable() = default;
  /// From OpenVINO's runtime model of `compiled`. A model that this process has compiled before
  /// keeps the names of its nodes: OpenVINO numbers through all models of a process, so that
  /// Multiply_10035 is Multiply_10045 the next time. Main thread only.
  explicit NodeTable(const ov::CompiledModel& compiled);

  /// The node of that name; null when the runtime model does not show it (bodies of loops).
  const Node* Find(std::string_view name) const;
  /// The place of a node in the order of execution; those that are unknown come last.
  std::size_t Order(std::string_view name) const;
  /// What the nodes compute in, where all that compute in floating point do so in one type; else
  /// "".
  std::string FloatingPoint() const;
  /// Whether most of its convolutions and matrix products compute on 8-bit integers.
  bool IsQuantised() const;

 private:
  struct Placed {
    Node node;
    std::size_t order;
  };
  void KeepFirstNames();

  std::unordered_map<std::string, Placed> nodes_;    ///< By the names that OpenVINO announces.
  std::size_t products_ = 0, integer_products_ = 0;  ///< Convolutions and matrix products.
};

/// Writes what rung `details` holds of a node onto its span; the rungs below it need only
/// implementation and dtype (`shapes` false).
void DescribeLayer(xsp_span span, const Node& node, bool shapes);

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_NODE_TABLE_H_
