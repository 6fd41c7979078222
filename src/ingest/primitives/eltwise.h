#ifndef XSP_INGEST_PRIMITIVES_ELTWISE_H_
#define XSP_INGEST_PRIMITIVES_ELTWISE_H_

#include <optional>
#include <string_view>

#include "ingest/primitives/problem.h"

namespace xsp::primitives {

/// FLOP per element of a oneDNN element-wise algorithm ("eltwise_relu", "relu"), counting each
/// arithmetic operation of its definition in the oneDNN developer guide ("Eltwise") once, and a
/// comparison or a transcendental function once. `has_alpha`: alpha is not 0 (leaky relu).
/// Nothing for an unknown algorithm.
std::optional<double> EltwiseFlops(std::string_view algorithm, bool has_alpha);

/// What a primitive's fused operations add to it.
struct PostOps {
  double flops = 0;
  double read_bytes = 0;      ///< Operands of binary post-ops and weights of a fused convolution.
  bool reads_output = false;  ///< A sum adds to what the output held before.
  double output_scale = 1;    ///< Output elements over those of the problem (fused convolution).
};

/// Reads "attr-post-ops:..." out of a primitive's attributes; `output` are its output's dimensions.
/// Nothing when a post-op is not known.
std::optional<PostOps> EstimatePostOps(std::string_view attributes, const Dims& output);

/// "direction" in "alg:vanilla_lstm direction:unidirectional" -> "unidirectional"; empty if absent.
std::string_view FindOption(std::string_view text, std::string_view key);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_ELTWISE_H_
