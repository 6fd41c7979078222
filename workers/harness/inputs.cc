#include "harness/inputs.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>

namespace xsp::worker {
namespace {

constexpr std::size_t kAlignment = 64;

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same everywhere, unlike <random>'s
/// distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t Bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// In (0, 1].
  double Uniform() { return (static_cast<double>(Bits() >> 11) + 1) * 0x1p-53; }

  /// Standard normal (Box and Muller 1958).
  double Normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log(Uniform()));
    const double angle = 2 * std::numbers::pi * Uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

/// Rounds to nearest even, as hardware does. A normal value never reaches infinity here.
std::uint16_t ToBfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

/// For |value| < 65504; values below the smallest normal half become 0.
std::uint16_t ToFloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000u;
  const std::uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude < 0x38800000u) return static_cast<std::uint16_t>(sign);
  const std::uint32_t rounded = magnitude + 0xfffu + ((magnitude >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000u) >> 13));
}

template <typename T, typename Draw>
void Fill(void* data, std::size_t count, Draw draw) {
  T* values = static_cast<T*>(data);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(draw());
}

void FillTensor(const xsp_worker_tensor& tensor, const InputSpec& spec, Random& random) {
  const std::size_t count = tensor.bytes / xsp_worker_dtype_bytes(tensor.dtype);
  const auto normal = [&] { return random.Normal(); };
  const auto width = static_cast<std::uint64_t>(spec.range.second - spec.range.first);
  const auto integer = [&] {
    return spec.range.first + static_cast<std::int64_t>(random.Bits() % width);
  };
  switch (tensor.dtype) {
    case XSP_FLOAT32:
      return Fill<float>(tensor.data, count, normal);
    case XSP_FLOAT64:
      return Fill<double>(tensor.data, count, normal);
    case XSP_FLOAT16:
      return Fill<std::uint16_t>(tensor.data, count,
                                 [&] { return ToFloat16(static_cast<float>(random.Normal())); });
    case XSP_BFLOAT16:
      return Fill<std::uint16_t>(tensor.data, count,
                                 [&] { return ToBfloat16(static_cast<float>(random.Normal())); });
    case XSP_INT64:
      return Fill<std::int64_t>(tensor.data, count, integer);
    case XSP_INT32:
      return Fill<std::int32_t>(tensor.data, count, integer);
    case XSP_INT16:
      return Fill<std::int16_t>(tensor.data, count, integer);
    case XSP_INT8:
      return Fill<std::int8_t>(tensor.data, count, integer);
    case XSP_UINT8:
      return Fill<std::uint8_t>(tensor.data, count, integer);
    case XSP_BOOL:
      return Fill<std::uint8_t>(tensor.data, count, [&] { return random.Bits() & 1; });
  }
}

}  // namespace

void Inputs::Free::operator()(void* data) const { std::free(data); }

MaybeFailure Inputs::Make(const std::vector<InputSpec>& specs, std::uint64_t seed) {
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
      return Failure{XSP_WORKER_ENVIRONMENT, "not enough memory for the input " + spec.name,
                     "use a smaller batch"};
    }
    tensor.bytes = bytes;
    memory_.emplace_back(tensor.data);
    // A stream of its own per tensor: adding one input does not change the others.
    Random random(seed + 0x5851f42d4c957f2du * (tensors_.size() + 1));
    FillTensor(tensor, spec, random);
    tensors_.push_back(tensor);
  }
  return std::nullopt;
}

std::string Inputs::Describe() const {
  nlohmann::json list = nlohmann::json::array();
  for (const xsp_worker_tensor& tensor : tensors_) {
    list.push_back(
        {{"name", tensor.name},
         {"dtype", xsp_worker_dtype_name(tensor.dtype)},
         {"shape", std::vector<std::int64_t>(tensor.shape, tensor.shape + tensor.rank)}});
  }
  return list.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::vector<InputSpec> SpecsOf(const xsp_worker_tensor* tensors, std::size_t count) {
  std::vector<InputSpec> specs;
  for (std::size_t i = 0; i < count; ++i) {
    InputSpec spec;
    spec.name = tensors[i].name;
    spec.dtype = tensors[i].dtype;
    spec.shape.assign(tensors[i].shape, tensors[i].shape + tensors[i].rank);
    specs.push_back(std::move(spec));
  }
  return specs;
}

}  // namespace xsp::worker
