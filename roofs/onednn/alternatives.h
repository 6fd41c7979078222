#ifndef XSP_ROOFS_ONEDNN_ALTERNATIVES_H_
#define XSP_ROOFS_ONEDNN_ALTERNATIVES_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace xsp::onednn_alternatives {

/// A primitive of the forward pass, as oneDNN announces it and the table `kernel` has it.
struct Primitive {
  std::string kind;  ///< convolution, inner_product or matmul.
  std::string
      problem;  ///< "mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw224ow112kw7sw2dw0pw3", "4x256:256x128"
  std::string dtype;                  ///< Of the run: float32, bfloat16 or int8 (u8 times s8).
  std::vector<std::string> post_ops;  ///< relu, clip, sum; in this order.
  int output_bytes = 0;               ///< Of an element of the result; 0: that of dtype.
};

/// {"kind", "problem", "dtype", "post_ops"?, "output_bytes"?}; nothing where it is none.
std::optional<Primitive> PrimitiveFrom(const nlohmann::json& object);

/// Measures every alternative of `primitive` for about `limit_s` seconds at most and returns
/// {"alternatives": [{"dtype", "format", "algorithm", "implementation", "source_layout",
/// "weights_layout", "result_layout", "best_ns", "median_ns", "repeats"}], "not_available":
/// [{"dtype", "format", "algorithm", "reason"}], "complete": whether the time sufficed}.
///
/// An alternative is a memory format of source and result (any: the implementation chooses; plain;
/// channels_last; of products: plain, and transposed weights), an algorithm (auto, direct,
/// winograd) and an implementation: the first that the library offers, and those after it that are
/// no reference. Weights are in the layout that the implementation wants, as they can be reordered
/// once; they are others in each call, so that they come from memory as in a model. Data types:
/// that of the run first. Throws std::invalid_argument for a problem that is none.
nlohmann::json MeasureAlternatives(const Primitive& primitive, double limit_s);

/// "oneDNN 3.2.0".
std::string LibraryName();

}  // namespace xsp::onednn_alternatives

#endif  // XSP_ROOFS_ONEDNN_ALTERNATIVES_H_
