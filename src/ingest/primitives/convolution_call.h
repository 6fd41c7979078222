#ifndef XSP_INGEST_PRIMITIVES_CONVOLUTION_CALL_H_
#define XSP_INGEST_PRIMITIVES_CONVOLUTION_CALL_H_

#include <optional>
#include <string_view>
#include <vector>

#include "ingest/primitives/cost.h"
#include "ingest/primitives/operator_call.h"

namespace xsp::primitives {

/// Of each spatial dimension; dilation 1 is dense, padding is that of each end.
struct ConvolutionGeometry {
  Dims stride, padding, dilation;
};

/// What a call of an ATen convolution does, from the shapes of its tensors and the values of its
/// other arguments.
struct ConvolutionCall {
  /// 2 for every multiply-add: output points (of a transposed one input points) times the kernel
  /// of one group, as torch.utils.flop_counter counts; backward once for each gradient of the two
  /// products. Biases are free.
  double flops = 0;
  std::vector<Dims> outputs;  ///< Of what is computed; backward the gradients of the mask.
  /// Of a forward convolution that is not transposed.
  std::optional<ConvolutionGeometry> geometry = std::nullopt;
};

/// The convolution `name` ("convolution", "mkldnn_convolution", "convolution_backward", ...).
/// `values` holds one entry for each of its arguments, ";;;[2,2];[0,0]": empty where it is a tensor
/// or nothing. Nothing for other operators, and where values are missing or do not fit. Pure; any
/// text is safe. Argument orders: PyTorch's native_functions.yaml.
std::optional<ConvolutionCall> ReadConvolution(std::string_view name, const Call& call,
                                               std::string_view values);

/// Whether some stride (to 8), padding and dilation (to 4) of a convolution make a result of these
/// dimensions from `input` [n, ic, ...] and `weights` [oc, ic / groups, ...]. Pure.
bool CouldBeResult(const Dims& input, const Dims& weights, const Dims& result);

/// The only geometry, within the same limits, with which a convolution makes `result`. Nothing:
/// there are several or none. A stride that no second output needs is 1. Pure.
std::optional<ConvolutionGeometry> OnlyGeometry(const Dims& input, const Dims& weights,
                                                const Dims& result);

/// The work of one gradient of a convolution, from the shapes and types of the operator that
/// computes both: input, gradient of the result, weights (ATen's `cudnn_convolution_backward` and
/// its like before PyTorch 1.11, whose parts `..._backward_input` and `..._backward_weight` lack
/// the shape of what they compute). Each gradient costs as much as the convolution. Unreadable
/// where the shapes do not fit.
Cost EstimateConvolutionGradient(std::string_view input_shapes, std::string_view input_types,
                                 bool of_weights);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_CONVOLUTION_CALL_H_
