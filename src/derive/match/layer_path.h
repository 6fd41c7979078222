#ifndef XSP_DERIVE_MATCH_LAYER_PATH_H_
#define XSP_DERIVE_MATCH_LAYER_PATH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "derive/match/run_view.h"

namespace xsp::match {

/// The path in the model that a graph's node says with its name: "/layer1/layer1.0/conv1/Conv" (of
/// an ONNX file that PyTorch exported) and "StatefulPartitionedCall/layer1/conv1/Conv2D" (of
/// TensorFlow) end in their operator. Empty: the name says no place ("Conv_17").
std::string PathOfNodeName(std::string_view name);

/// Where the layers of a run lie in the model. Borrows the run.
class LayerPaths {
 public:
  explicit LayerPaths(const RunView& run);

  /// The first of: what the source says (attribute `path`), the modules around the layer (and its
  /// place inside of the innermost, `script_path`, where that is TorchScript), those
  /// around the forward operator whose gradient it computes (a link, or the same autograd sequence
  /// number in the same call), and the first node that says a place of those that were fused into
  /// it. Empty: none of them. O(depth), but for the first backward layer, which reads the call's
  /// operators.
  std::string Of(trace::SpanId layer, const Call& call);

 private:
  std::string OfItself(trace::SpanId span) const;
  std::string OfModulesAround(trace::SpanId span) const;
  std::string OfForward(trace::SpanId layer, const Call& call);
  void ReadForward(const Call& call);

  const RunView& run_;
  trace::StringId path_, script_path_, module_, modules_, sequence_, fused_from_;
  /// By sequence number: an operator in a module; 0: of several threads, which count each for
  /// themselves.
  std::optional<std::unordered_map<std::string_view, trace::SpanId>> forward_;
  /// By layer of the backward pass: the operator that its source links it to.
  std::unordered_map<trace::SpanId, trace::SpanId> linked_;
};

/// What to call layers, given the path (empty: none), operator and framework's name (empty: none)
/// of each: the path, with the operator or else the position where several layers share it; without
/// a path the framework's name, or operator and position.
struct NamedLayer {
  std::string path, type, node;
};
std::vector<std::string> LayerNames(const std::vector<NamedLayer>& layers);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_LAYER_PATH_H_
