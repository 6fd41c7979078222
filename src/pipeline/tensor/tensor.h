#ifndef XSP_PIPELINE_TENSOR_TENSOR_H_
#define XSP_PIPELINE_TENSOR_TENSOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "pipeline/base/errors.h"

namespace xsp::pipeline {

using core::Dtype;

/// A dense row-major array that owns its memory. The bytes are those of the elements in the order
/// of this machine.
struct Tensor {
  std::string name;
  Dtype dtype = Dtype::kFloat32;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> data;
};

/// A tensor that somebody else owns, such as an output of a model.
struct TensorView {
  std::string_view name;
  Dtype dtype = Dtype::kFloat32;
  std::span<const std::int64_t> shape;
  const void* data = nullptr;
};

TensorView ViewOf(const Tensor& tensor);

/// Product of the extents; 1 for a scalar. Nothing: an extent is negative or the product exceeds
/// 2^48.
std::optional<std::int64_t> ElementCount(std::span<const std::int64_t> shape);

/// "[1, 3, 224, 224]".
std::string ShapeText(std::span<const std::int64_t> shape);

/// The same values as `to`, shape and name kept. Floating point to integer rounds to nearest even
/// and saturates (NaN becomes 0); integer to integer saturates; to bool is "not 0". To float16 and
/// bfloat16 rounds to nearest even, as hardware does.
Tensor Cast(const Tensor& tensor, Dtype to);

/// Element `index` of `data`, which holds elements of `dtype`.
double ElementAt(const void* data, Dtype dtype, std::int64_t index);

/// Copies the tensors, one per sample of a batch, one after the other into `destination` of `bytes`
/// bytes, which is how a batch lies in an NCHW or NHWC tensor. Errors: bad_input when the samples
/// differ in type or shape, or do not fill the destination exactly.
Status StackInto(std::span<const Tensor* const> samples, void* destination, std::size_t bytes);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_TENSOR_TENSOR_H_
