#include "ingest/primitives/convolution_call.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace xsp::primitives {
namespace {

constexpr int kNone = -1;

// Where an operator has its arguments: places among all of them, but `input` among the tensors.
struct Signature {
  std::string_view name;
  std::size_t input;  // The weights follow it.
  int stride, padding, dilation = kNone;
  int transposed = kNone, output_padding = kNone, groups = kNone, output_mask = kNone;
  bool always_transposed = false;
};

// Of cuDNN's the form without a bias, which is as old as recorded values (PyTorch 2.1).
constexpr Signature kSignatures[] = {
    {"_conv_depthwise2d", 0, 4, 5, 6},
    {"_convolution", 0, 3, 4, 5, 6, 7, 8},
    {"_slow_conv2d_forward", 0, 4, 5},
    {"conv_depthwise3d", 0, 4, 5, 6},
    {"convolution", 0, 3, 4, 5, 6, 7, 8},
    {"convolution_backward", 1, 4, 5, 6, 7, 8, 9, 10},
    {"convolution_overrideable", 0, 3, 4, 5, 6, 7, 8},
    {"cudnn_convolution", 0, 3, 2, 4},
    {"cudnn_convolution_add_relu", 0, 5, 6, 7},
    {"cudnn_convolution_relu", 0, 3, 4, 5},
    {"cudnn_convolution_transpose", 0, 4, 2, 5, kNone, 3, 6, kNone, true},
    {"miopen_convolution", 0, 4, 3, 5},
    {"miopen_convolution_transpose", 0, 5, 3, 6, kNone, 4, 7, kNone, true},
    {"miopen_depthwise_convolution", 0, 4, 3, 5},
    {"mkldnn_convolution", 0, 4, 3, 5},
    {"slow_conv3d_forward", 0, 4, 5},
    {"slow_conv_dilated2d", 0, 4, 5, 6},
    {"slow_conv_dilated3d", 0, 4, 5, 6},
    {"slow_conv_transpose2d", 0, 4, 5, 7, kNone, 6, kNone, kNone, true},
    {"slow_conv_transpose3d", 0, 4, 5, 7, kNone, 6, kNone, kNone, true},
    {"thnn_conv2d", 0, 4, 5},
};

// The values of a call, by the place of the argument.
class Values {
 public:
  explicit Values(std::string_view text) {
    constexpr std::size_t kMost = 32;
    while (values_.size() < kMost) {
      const std::size_t cut = text.find(';');
      values_.push_back(text.substr(0, cut));
      if (cut == std::string_view::npos) break;
      text.remove_prefix(cut + 1);
    }
  }

  std::string_view At(int place) const {
    return place >= 0 && static_cast<std::size_t>(place) < values_.size()
               ? values_[static_cast<std::size_t>(place)]
               : std::string_view();
  }

  /// "[2,2]", one number for all dimensions, or `otherwise` where the operator has no such
  /// argument.
  std::optional<Dims> Sizes(int place, std::size_t dimensions, double otherwise) const {
    if (place == kNone) return Dims(dimensions, otherwise);
    std::string_view text = At(place);
    if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
    Dims sizes;
    while (sizes.size() <= dimensions) {
      const std::size_t cut = text.find(',');
      const auto size = ParseDimension(text.substr(0, cut));
      if (!size.has_value()) return std::nullopt;
      sizes.push_back(*size);
      if (cut == std::string_view::npos) break;
      text.remove_prefix(cut + 1);
    }
    if (sizes.size() == 1) sizes.assign(dimensions, sizes[0]);
    if (sizes.size() != dimensions) return std::nullopt;
    return sizes;
  }

  static std::optional<bool> Truth(std::string_view text) {
    if (text == "True" || text == "true" || text == "1") return true;
    if (text == "False" || text == "false" || text == "0") return false;
    return std::nullopt;
  }

 private:
  std::vector<std::string_view> values_;
};

struct Geometry {
  Dims stride, padding, dilation, output_padding;
};

std::optional<Geometry> ReadGeometry(const Signature& of, const Values& values,
                                     std::size_t dimensions) {
  auto stride = values.Sizes(of.stride, dimensions, 1);
  auto padding = values.Sizes(of.padding, dimensions, 0);
  auto dilation = values.Sizes(of.dilation, dimensions, 1);
  auto output_padding = values.Sizes(of.output_padding, dimensions, 0);
  if (!stride || !padding || !dilation || !output_padding) return std::nullopt;
  return Geometry{std::move(*stride), std::move(*padding), std::move(*dilation),
                  std::move(*output_padding)};
}

// One spatial dimension of the result (torch.nn.Conv2d and ConvTranspose2d state the formulas).
double SizeOf(const Geometry& of, std::size_t i, double input, double kernel, bool transposed) {
  const double reach = of.dilation[i] * (kernel - 1);
  if (transposed)
    return (input - 1) * of.stride[i] - 2 * of.padding[i] + reach + of.output_padding[i] + 1;
  return std::floor((input + 2 * of.padding[i] - reach - 1) / of.stride[i]) + 1;
}

std::optional<Dims> ResultOf(const Dims& input, const Dims& weights, const Geometry& geometry,
                             bool transposed, double groups) {
  Dims result = {input[0], transposed ? weights[1] * groups : weights[0]};
  for (std::size_t i = 0; i + 2 < input.size(); ++i) {
    const double size = SizeOf(geometry, i, input[i + 2], weights[i + 2], transposed);
    if (!(size >= 0) || !std::isfinite(size)) return std::nullopt;  // Infinite: a stride of 0.
    result.push_back(size);
  }
  return result;
}

// Which gradients "[True,True,False]" asks for: of the input, of the weights, of the bias.
std::optional<std::vector<bool>> MaskOf(std::string_view text) {
  if (!text.starts_with('[') || !text.ends_with(']')) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<bool> mask;
  while (mask.size() < 3) {
    const std::size_t cut = text.find(',');
    const auto asked = Values::Truth(text.substr(0, cut));
    if (!asked.has_value()) return std::nullopt;
    mask.push_back(*asked);
    if (cut == std::string_view::npos) break;
    text.remove_prefix(cut + 1);
  }
  if (mask.size() != 3) return std::nullopt;
  return mask;
}

std::optional<ConvolutionCall> Backward(const Dims& gradient, const Dims& input,
                                        const Dims& weights, bool transposed,
                                        std::string_view output_mask) {
  const auto mask = MaskOf(output_mask);
  if (!mask.has_value() || gradient.size() != input.size()) return std::nullopt;
  const Dims kernel(weights.begin() + 1, weights.end());
  const double pass = 2 * Elements(transposed ? input : gradient) * Elements(kernel);
  ConvolutionCall found;
  const Dims gradients[] = {input, weights, {gradient[1]}};
  for (std::size_t i = 0; i < std::size(gradients); ++i) {
    if (!(*mask)[i]) continue;
    found.outputs.push_back(gradients[i]);
    found.flops += i < 2 ? pass : 0;
  }
  return found;
}

}  // namespace

std::optional<ConvolutionCall> ReadConvolution(std::string_view name, const Call& call,
                                               std::string_view values_text) {
  const auto* of = std::find_if(std::begin(kSignatures), std::end(kSignatures),
                                [&](const Signature& signature) { return signature.name == name; });
  if (of == std::end(kSignatures) || values_text.empty() || call.inputs.size() < of->input + 2)
    return std::nullopt;
  const Dims& input = call.inputs[of->input].dims;
  const Dims& weights = call.inputs[of->input + 1].dims;
  if (input.size() < 3 || weights.size() != input.size()) return std::nullopt;
  const Values values(values_text);
  bool transposed = of->always_transposed;
  if (of->transposed != kNone) {
    const auto value = Values::Truth(values.At(of->transposed));
    if (!value.has_value()) return std::nullopt;
    transposed = *value;
  }
  if (of->output_mask != kNone)
    return Backward(call.inputs[0].dims, input, weights, transposed, values.At(of->output_mask));
  const auto geometry = ReadGeometry(*of, values, input.size() - 2);
  const auto groups = values.Sizes(of->groups, 1, 1);
  if (!geometry.has_value() || !groups.has_value()) return std::nullopt;
  auto result = ResultOf(input, weights, *geometry, transposed, groups->front());
  if (!result.has_value()) return std::nullopt;
  const Dims kernel(weights.begin() + 1, weights.end());
  const double flops = 2 * Elements(transposed ? input : *result) * Elements(kernel);
  ConvolutionCall found{flops, {std::move(*result)}};
  if (!transposed)
    found.geometry = ConvolutionGeometry{geometry->stride, geometry->padding, geometry->dilation};
  return found;
}

namespace {

// Whether one dimension of a result can come from one of an input.
bool CouldComeFrom(double input, double kernel, double result) {
  for (double dilation = 1; dilation <= (kernel > 1 ? 4 : 1); ++dilation) {
    const double reach = dilation * (kernel - 1);
    for (double stride = 1; stride <= 8; ++stride) {
      // The least padding with which the last window fits.
      const double padding =
          std::max(0.0, std::ceil(((result - 1) * stride + reach + 1 - input) / 2));
      if (padding > std::max(reach, 0.0)) continue;
      if (std::floor((input + 2 * padding - reach - 1) / stride) + 1 == result) return true;
    }
  }
  return false;
}

struct OneDimension {
  double stride, padding, dilation;
};

// The only way in which one dimension of a result comes from one of an input.
std::optional<OneDimension> OnlyWay(double input, double kernel, double result) {
  std::optional<OneDimension> found;
  for (double dilation = 1; dilation <= (kernel > 1 ? 4 : 1); ++dilation) {
    const double reach = dilation * (kernel - 1);
    for (double stride = 1; stride <= (result > 1 ? 8 : 1); ++stride) {
      // More padding makes more of a result: what fits are neighbours.
      const double first =
          std::max(0.0, std::ceil(((result - 1) * stride + reach + 1 - input) / 2));
      for (double padding = first; padding <= reach; ++padding) {
        if (std::floor((input + 2 * padding - reach - 1) / stride) + 1 != result) break;
        if (found) return std::nullopt;
        found = {stride, padding, dilation};
      }
    }
  }
  return found;
}

}  // namespace

std::optional<ConvolutionGeometry> OnlyGeometry(const Dims& input, const Dims& weights,
                                                const Dims& result) {
  if (input.size() < 3 || weights.size() != input.size() || result.size() != input.size() ||
      result[0] != input[0] || result[1] != weights[0])
    return std::nullopt;
  ConvolutionGeometry geometry;
  for (std::size_t i = 2; i < input.size(); ++i) {
    if (weights[i] < 1 || weights[i] > input[i] + 64 || result[i] < 1) return std::nullopt;
    const auto way = OnlyWay(input[i], weights[i], result[i]);
    if (!way) return std::nullopt;
    geometry.stride.push_back(way->stride);
    geometry.padding.push_back(way->padding);
    geometry.dilation.push_back(way->dilation);
  }
  return geometry;
}

bool CouldBeResult(const Dims& input, const Dims& weights, const Dims& result) {
  if (input.size() < 3 || weights.size() != input.size() || result.size() != input.size() ||
      result[0] != input[0] || result[1] != weights[0])
    return false;
  for (std::size_t i = 2; i < input.size(); ++i) {
    if (weights[i] < 1 || result[i] < 1 || !CouldComeFrom(input[i], weights[i], result[i]))
      return false;
  }
  return true;
}

Cost EstimateConvolutionGradient(std::string_view input_shapes, std::string_view input_types,
                                 bool of_weights) {
  Cost cost;
  const auto call = ReadCall(input_shapes, input_types, "", false);
  if (!call.has_value() || call->inputs.size() < 3) return cost;
  const Tensor &input = call->inputs[0], &gradient = call->inputs[1], &weights = call->inputs[2];
  if (!CouldBeResult(input.dims, weights.dims, gradient.dims)) return cost;
  const Tensor& made = of_weights ? weights : input;
  const Tensor& other = of_weights ? input : weights;
  cost.status = CostStatus::kKnown;
  cost.flops =
      2 * gradient.Elements() * Elements(Dims(weights.dims.begin() + 1, weights.dims.end()));
  cost.read_bytes =
      gradient.Elements() * gradient.type->bytes + other.Elements() * other.type->bytes;
  cost.write_bytes = made.Elements() * made.type->bytes;
  cost.dtype = input.type->name;
  return cost;
}

}  // namespace xsp::primitives
