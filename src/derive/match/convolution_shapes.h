#ifndef XSP_DERIVE_MATCH_CONVOLUTION_SHAPES_H_
#define XSP_DERIVE_MATCH_CONVOLUTION_SHAPES_H_

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "derive/match/run_view.h"
#include "ingest/primitives/cost.h"

namespace xsp::match {

/// What convolutions compute in traces that have neither the shapes of their results nor their
/// strides: those of PyTorch before 2.1. Empty for all other runs. Borrows the run.
class ConvolutionShapes {
 public:
  explicit ConvolutionShapes(const RunView& run);

  /// The result of a convolution, "[[32,64,112,112]]": the first input of the operator that follows
  /// on the same thread, if its batch size and channels are the convolution's and some stride and
  /// padding make its other dimensions (primitives::CouldBeResult). Empty: not known.
  std::string_view ResultOf(trace::SpanId convolution) const;

  /// The cost of one gradient of a convolution (`..._convolution_backward_input` and `_weight`),
  /// from the operator around it. Nothing: `span` is no such operator, or shapes are missing.
  std::optional<primitives::Cost> GradientCost(trace::SpanId span) const;

 private:
  const RunView& run_;
  std::unordered_map<trace::SpanId, std::string> results_;
};

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_CONVOLUTION_SHAPES_H_
