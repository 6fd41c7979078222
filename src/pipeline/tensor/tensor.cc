#include "pipeline/tensor/tensor.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/float16.h"

namespace xsp::pipeline {
namespace {

template <typename T>
T Load(const void* data, std::int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char*>(data) + index * static_cast<std::int64_t>(sizeof(T)),
              sizeof value);
  return value;
}

template <typename T>
void Store(void* data, std::int64_t index, T value) {
  std::memcpy(static_cast<char*>(data) + index * static_cast<std::int64_t>(sizeof(T)), &value,
              sizeof value);
}

template <typename T>
T ToInteger(double value) {
  if (std::isnan(value)) return 0;
  const double rounded = std::nearbyint(value);
  // The upper bound of int64 is not a double: compare with the next one, which is 2^63.
  if (rounded >= std::ldexp(1.0, std::numeric_limits<T>::digits)) {
    return std::numeric_limits<T>::max();
  }
  if (rounded <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  return static_cast<T>(rounded);
}

void StoreAs(void* data, Dtype dtype, std::int64_t index, double value) {
  switch (dtype) {
    case Dtype::kFloat32:
      return Store(data, index, static_cast<float>(value));
    case Dtype::kFloat64:
      return Store(data, index, value);
    case Dtype::kFloat16:
      return Store(data, index, core::ToFloat16(static_cast<float>(value)));
    case Dtype::kBfloat16:
      return Store(data, index, core::ToBfloat16(static_cast<float>(value)));
    case Dtype::kInt64:
      return Store(data, index, ToInteger<std::int64_t>(value));
    case Dtype::kInt32:
      return Store(data, index, ToInteger<std::int32_t>(value));
    case Dtype::kInt16:
      return Store(data, index, ToInteger<std::int16_t>(value));
    case Dtype::kInt8:
      return Store(data, index, ToInteger<std::int8_t>(value));
    case Dtype::kUint8:
      return Store(data, index, ToInteger<std::uint8_t>(value));
    case Dtype::kBool:
      return Store(data, index, static_cast<std::uint8_t>(value != 0));
  }
}

}  // namespace

TensorView ViewOf(const Tensor& tensor) {
  return {tensor.name, tensor.dtype, tensor.shape, tensor.data.data()};
}

std::optional<std::int64_t> ElementCount(std::span<const std::int64_t> shape) {
  constexpr std::int64_t kMax = std::int64_t{1} << 48;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count) || count > kMax) {
      return std::nullopt;
    }
  }
  return count;
}

std::string ShapeText(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t extent : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  }
  return text + "]";
}

double ElementAt(const void* data, Dtype dtype, std::int64_t index) {
  switch (dtype) {
    case Dtype::kFloat32:
      return Load<float>(data, index);
    case Dtype::kFloat64:
      return Load<double>(data, index);
    case Dtype::kFloat16:
      return core::FromFloat16(Load<std::uint16_t>(data, index));
    case Dtype::kBfloat16:
      return core::FromBfloat16(Load<std::uint16_t>(data, index));
    case Dtype::kInt64:
      return static_cast<double>(Load<std::int64_t>(data, index));
    case Dtype::kInt32:
      return Load<std::int32_t>(data, index);
    case Dtype::kInt16:
      return Load<std::int16_t>(data, index);
    case Dtype::kInt8:
      return Load<std::int8_t>(data, index);
    case Dtype::kUint8:
      return Load<std::uint8_t>(data, index);
    case Dtype::kBool:
      return Load<std::uint8_t>(data, index) != 0;
  }
  return 0;
}

Tensor Cast(const Tensor& tensor, Dtype to) {
  if (tensor.dtype == to) return tensor;
  Tensor result;
  result.name = tensor.name;
  result.dtype = to;
  result.shape = tensor.shape;
  const auto count = static_cast<std::int64_t>(tensor.data.size() / core::DtypeBytes(tensor.dtype));
  result.data.resize(static_cast<std::size_t>(count) * core::DtypeBytes(to));
  for (std::int64_t i = 0; i < count; ++i) {
    StoreAs(result.data.data(), to, i, ElementAt(tensor.data.data(), tensor.dtype, i));
  }
  return result;
}

Status StackInto(std::span<const Tensor* const> samples, void* destination, std::size_t bytes) {
  std::size_t offset = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Tensor& sample = *samples[i];
    const Tensor& first = *samples[0];
    if (sample.dtype != first.dtype || sample.shape != first.shape) {
      return BadInput("samples of one batch differ: sample 0 is " +
                          std::string(core::DtypeName(first.dtype)) + ShapeText(first.shape) +
                          ", sample " + std::to_string(i) + " is " + core::DtypeName(sample.dtype) +
                          ShapeText(sample.shape),
                      "resize or pad to a fixed size, or use batch 1");
    }
    if (sample.data.size() > bytes - offset) break;
    std::memcpy(static_cast<char*>(destination) + offset, sample.data.data(), sample.data.size());
    offset += sample.data.size();
  }
  const std::size_t given = samples.empty() ? 0 : samples.size() * samples[0]->data.size();
  if (offset != bytes || given != bytes) {
    return BadInput(
        "the pipeline's samples do not fill the model's input: " + std::to_string(given) +
            " bytes from " + std::to_string(samples.size()) + " samples" +
            (samples.empty() ? std::string()
                             : " of " + std::string(core::DtypeName(samples[0]->dtype)) +
                                   ShapeText(samples[0]->shape)) +
            ", " + std::to_string(bytes) + " bytes in the input",
        "make the steps end in the input's shape and element type");
  }
  return Ok{};
}

}  // namespace xsp::pipeline
