#ifndef XSP_WORKERS_ONNXRUNTIME_UNPADDED_SIZES_H_
#define XSP_WORKERS_ONNXRUNTIME_UNPADDED_SIZES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnxruntime/fused_nodes.h"
#include "onnxruntime/onnx_graph.h"

namespace xsp::worker_onnxruntime {

/// The size that a dimension of a node's tensor has in the model's file.
struct UnpaddedSize {
  std::size_t tensor, axis;
  std::int64_t size;

  friend bool operator==(const UnpaddedSize&, const UnpaddedSize&) = default;
};

/// Of one node. Tensors are counted as the profiler lists them: inputs that are left out are not.
struct UnpaddedNode {
  std::vector<UnpaddedSize> inputs, outputs;
};

/// By name of a node, for names that only one node has.
using UnpaddedNodes = std::unordered_map<std::string, UnpaddedNode>;

/// The channels of nodes in the blocked layout (domain com.microsoft.nchwc), which the library pads
/// to whole blocks of 8 or 16: in their values, weights and biases. `before` is the model's file,
/// `after` its optimised graph, `parts` what FindParts() says of the two.
///
/// A convolution has as many channels as the weights of the convolution in the file that it was
/// made of; whatever else reads such a value has its channels, a concatenation their sum. Where
/// neither is known, as where weights were computed while loading, the node is left out.
UnpaddedNodes FindUnpaddedSizes(const Graph& before, const Graph& after, const NodeParts& parts);

/// Shapes as the profiler has them, "[[2,8,16,16],[8,3,3,3]]", with `sizes` in place of larger
/// ones. Returned unchanged where they are not of this form. A size that is no less than a block
/// (16) below the one that is there is not put in: then it is no padding.
std::string WithoutPadding(std::string_view shapes, const std::vector<UnpaddedSize>& sizes);

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_UNPADDED_SIZES_H_
