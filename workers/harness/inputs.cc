#include "harness/inputs.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/float16.h"
#include "core/json_text.h"
#include "harness/random.h"

namespace xsp::worker {
namespace {

constexpr std::size_t kAlignment = 64;

/// Below the smallest normal half a value becomes 0: no input is subnormal.
std::uint16_t ToFloat16(float value) {
  return core::ToFloat16(std::fabs(value) < 0x1p-14f ? std::copysign(0.0f, value) : value);
}

template <typename T, typename Draw>
void FillWith(void* data, std::size_t count, Draw draw) {
  T* values = static_cast<T*>(data);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(draw());
}

/// The next value of a tensor, as a real number or as an integer.
class Values {
 public:
  Values(const InputSpec& spec, std::uint64_t seed) : spec_(spec), random_(seed) {}

  double Real() {
    switch (spec_.fill) {
      case Fill::kDefault:
        return random_.Normal();
      case Fill::kUniform:
        return random_.Uniform();
      case Fill::kValue:
        return spec_.value;
      default:
        return static_cast<double>(Fixed());
    }
  }

  std::int64_t Integer() {
    if (spec_.fill != Fill::kDefault && spec_.fill != Fill::kUniform) return Fixed();
    const auto width = static_cast<std::uint64_t>(spec_.range.second - spec_.range.first);
    return spec_.range.first + static_cast<std::int64_t>(random_.Bits() % width);
  }

  bool Boolean() {
    if (spec_.fill != Fill::kDefault && spec_.fill != Fill::kUniform) return Fixed() != 0;
    return (random_.Bits() & 1u) != 0;
  }

 private:
  std::int64_t Fixed() {
    if (spec_.fill == Fill::kZeros) return 0;
    if (spec_.fill == Fill::kOnes) return 1;
    if (spec_.fill == Fill::kValue) return static_cast<std::int64_t>(spec_.value);
    const std::int64_t row = spec_.shape.empty() ? 1 : spec_.shape.back();
    return next_++ % row;
  }

  const InputSpec& spec_;
  Random random_;
  std::int64_t next_ = 0;
};

void FillTensor(const xsp_worker_tensor& tensor, Values values) {
  const std::size_t count = tensor.bytes / xsp_worker_dtype_bytes(tensor.dtype);
  const auto real = [&] { return values.Real(); };
  const auto integer = [&] { return values.Integer(); };
  switch (tensor.dtype) {
    case XSP_FLOAT32:
      return FillWith<float>(tensor.data, count, real);
    case XSP_FLOAT64:
      return FillWith<double>(tensor.data, count, real);
    case XSP_FLOAT16:
      return FillWith<std::uint16_t>(tensor.data, count,
                                     [&] { return ToFloat16(static_cast<float>(values.Real())); });
    case XSP_BFLOAT16:
      return FillWith<std::uint16_t>(
          tensor.data, count, [&] { return core::ToBfloat16(static_cast<float>(values.Real())); });
    case XSP_INT64:
      return FillWith<std::int64_t>(tensor.data, count, integer);
    case XSP_INT32:
      return FillWith<std::int32_t>(tensor.data, count, integer);
    case XSP_INT16:
      return FillWith<std::int16_t>(tensor.data, count, integer);
    case XSP_INT8:
      return FillWith<std::int8_t>(tensor.data, count, integer);
    case XSP_UINT8:
      return FillWith<std::uint8_t>(tensor.data, count, integer);
    case XSP_BOOL:
      return FillWith<std::uint8_t>(tensor.data, count, [&] { return values.Boolean(); });
  }
}

}  // namespace

void Inputs::Free::operator()(void* data) const { std::free(data); }

Status Inputs::Make(const std::vector<InputSpec>& specs, std::uint64_t seed) {
  for (const InputSpec& spec : specs) {
    xsp_worker_tensor tensor = {};
    std::strncpy(tensor.name, spec.name.c_str(), sizeof tensor.name - 1);
    tensor.dtype = spec.dtype;
    tensor.rank = static_cast<int>(spec.shape.size());
    std::size_t bytes = xsp_worker_dtype_bytes(spec.dtype);
    bool fits = true;
    for (std::size_t i = 0; i < spec.shape.size(); ++i) {
      tensor.shape[i] = spec.shape[i];
      fits =
          fits && !__builtin_mul_overflow(bytes, static_cast<std::size_t>(spec.shape[i]), &bytes);
    }
    fits = fits && bytes <= SIZE_MAX - kAlignment;
    const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    tensor.data = fits ? std::aligned_alloc(kAlignment, rounded) : nullptr;
    if (!tensor.data) {
      return Error{ErrorKind::kEnvironment, "not enough memory for the input " + spec.name,
                   "use a smaller batch"};
    }
    tensor.bytes = bytes;
    memory_.emplace_back(tensor.data);
    // A stream of its own per tensor: adding one input does not change the others.
    FillTensor(tensor, Values(spec, seed + 0x5851f42d4c957f2du * (tensors_.size() + 1)));
    tensors_.push_back(tensor);
  }
  return Ok{};
}

std::string Inputs::Describe() const {
  nlohmann::json list = nlohmann::json::array();
  for (const xsp_worker_tensor& tensor : tensors_) {
    list.push_back(
        {{"name", tensor.name},
         {"dtype", xsp_worker_dtype_name(tensor.dtype)},
         {"shape", std::vector<std::int64_t>(tensor.shape, tensor.shape + tensor.rank)}});
  }
  return core::AsciiJsonText(list);
}

}  // namespace xsp::worker
