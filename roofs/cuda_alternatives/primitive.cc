#include "primitive.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <utility>

#include "ingest/primitives/problem.h"
#include "shared_library.h"

namespace xsp::cuda_alternatives {
namespace {

using nlohmann::json;

constexpr Type kTypes[] = {
    {"float32", 4, 4, 0, 0, 0, 68, 0, 0},  {"tfloat32", 4, 4, 80, 0, 0, 77, 0, 0},
    {"float16", 2, 2, 0, 2, 2, 68, 0, 2},  {"bfloat16", 2, 2, 80, 14, 14, 68, 0, 9},
    {"int8", 1, 4, 75, 3, 10, 72, 10, -1},
};

bool IsOneOf(std::string_view text, std::initializer_list<std::string_view> all) {
  return std::ranges::find(all, text) != all.end();
}

std::invalid_argument NoProblem(const Primitive& primitive) {
  return std::invalid_argument(
      fmt::format("the problem cannot be read: {} {}", primitive.kind, primitive.problem));
}

/// As the libraries take sizes; 0: it is none.
int SizeFrom(double value) {
  return value >= 0 && value <= std::numeric_limits<int>::max() ? static_cast<int>(value) : 0;
}

std::vector<int> With(std::int64_t first, std::int64_t second, const std::vector<int>& rest) {
  std::vector<int> sizes = {static_cast<int>(first), static_cast<int>(second)};
  sizes.insert(sizes.end(), rest.begin(), rest.end());
  return sizes;
}

/// Whether an operand of these batch dimensions is the same for all products.
bool IsOne(const primitives::Dims& dims) {
  return std::all_of(dims.begin(), dims.end() - 2, [](double size) { return size == 1; });
}

}  // namespace

bool Primitive::Has(std::string_view post_op) const {
  return std::ranges::find(post_ops, post_op) != post_ops.end();
}

std::vector<const Type*> TypesFrom(std::string_view dtype) {
  std::vector<const Type*> all;
  for (const Type& type : kTypes) all.push_back(&type);
  std::stable_partition(all.begin(), all.end(),
                        [&](const Type* type) { return type->name == dtype; });
  return all;
}

std::optional<Primitive> PrimitiveFrom(const json& object) {
  if (!object.is_object()) return std::nullopt;
  Primitive primitive;
  for (const auto& [key, value] :
       {std::pair("kind", &primitive.kind), std::pair("problem", &primitive.problem),
        std::pair("dtype", &primitive.dtype)}) {
    if (!object.contains(key) || !object[key].is_string()) return std::nullopt;
    *value = object[key].get<std::string>();
  }
  const bool is_typed =
      std::ranges::any_of(kTypes, [&](const Type& type) { return type.name == primitive.dtype; });
  if (!IsOneOf(primitive.kind, {"convolution", "matmul"}) || !is_typed) return std::nullopt;
  const json post_ops = object.value("post_ops", json::array());
  if (!post_ops.is_array()) return std::nullopt;
  for (const json& name : post_ops) {
    if (!name.is_string() || !IsOneOf(name.get<std::string>(), {"sum", "bias", "relu", "gelu"}))
      return std::nullopt;
    primitive.post_ops.push_back(name.get<std::string>());
  }
  return primitive;
}

Product ProductOf(const Primitive& primitive) {
  const auto lists = primitives::ParseDimsList(primitive.problem);
  if (!lists || lists->size() < 2) throw NoProblem(primitive);
  const primitives::Dims &a = (*lists)[0], &b = (*lists)[1];
  const std::size_t rank = a.size();
  if (rank < 2 || b.size() != rank || a[rank - 1] != b[rank - 2]) throw NoProblem(primitive);
  Product product;
  product.m = SizeFrom(a[rank - 2]);
  product.k = SizeFrom(a[rank - 1]);
  product.n = SizeFrom(b[rank - 1]);
  double batch = 1;
  for (std::size_t i = 0; i + 2 < rank; ++i) batch *= std::max(a[i], b[i]);
  product.batch = SizeFrom(batch);
  if (product.m < 1 || product.k < 1 || product.n < 1 || product.batch < 1)
    throw NoProblem(primitive);
  const bool is_same = std::equal(a.begin(), a.end() - 2, b.begin());
  product.has_one_source = IsOne(a);
  product.has_one_weights = IsOne(b);
  if (!is_same && !product.has_one_source && !product.has_one_weights)
    throw NotPossible("products whose operands are both broadcast are not measured");
  // One matrix of all rows, as frameworks multiply it.
  if (product.has_one_weights && !product.has_one_source) {
    product.m = SizeFrom(static_cast<double>(product.m) * static_cast<double>(product.batch));
    product.batch = 1;
  }
  return product;
}

std::vector<int> Convolution::SourceSizes() const { return With(batch, in_channels, in); }
std::vector<int> Convolution::WeightsSizes() const {
  return With(out_channels, in_channels / groups, kernel);
}
std::vector<int> Convolution::ResultSizes() const { return With(batch, out_channels, out); }

Convolution ConvolutionOf(const Primitive& primitive) {
  const auto keys = primitives::KeyedProblem::Parse(primitive.problem);
  if (!keys) throw NoProblem(primitive);
  const auto get = [&](const std::string& key, double otherwise) {
    return SizeFrom(keys->Get(key, otherwise));
  };
  Convolution all;
  all.batch = get("mb", 1);
  all.groups = get("g", 1);
  all.in_channels = get("ic", 0);
  all.out_channels = get("oc", 0);
  if (all.batch < 1 || all.groups < 1 || all.in_channels < 1 || all.out_channels < 1 ||
      all.in_channels % all.groups != 0 || all.out_channels % all.groups != 0)
    throw NoProblem(primitive);
  for (const std::string dimension : {"d", "h", "w"}) {
    if (!keys->Find("i" + dimension)) continue;
    const std::int64_t in = get("i" + dimension, 0), out = get("o" + dimension, 0);
    const std::int64_t kernel = get("k" + dimension, 1), stride = get("s" + dimension, 1);
    const std::int64_t dilation = get("d" + dimension, 0) + std::int64_t{1};
    const std::int64_t padding = get("p" + dimension, 0);
    if (in < 1 || out < 1 || kernel < 1 || stride < 1) throw NoProblem(primitive);
    const std::int64_t reach = dilation * (kernel - 1) + 1;
    if (in + 2 * padding < reach || (in + 2 * padding - reach) / stride + 1 != out)
      throw NotPossible("convolutions whose padding differs between the two ends are not measured");
    all.in.push_back(static_cast<int>(in));
    all.out.push_back(static_cast<int>(out));
    all.kernel.push_back(static_cast<int>(kernel));
    all.stride.push_back(static_cast<int>(stride));
    all.padding.push_back(static_cast<int>(padding));
    all.dilation.push_back(static_cast<int>(dilation));
  }
  if (all.in.empty()) throw NoProblem(primitive);
  if (all.in.size() == 1) {  // cuDNN has no tensors of three dimensions.
    for (std::vector<int>* sizes : {&all.in, &all.out, &all.kernel, &all.stride, &all.dilation})
      sizes->insert(sizes->begin(), 1);
    all.padding.insert(all.padding.begin(), 0);
  }
  return all;
}

std::vector<char> RandomNumbers(const Type& type) {
  std::vector<char> bytes(1 << 20);
  std::uint32_t state = 12345;
  const auto width = static_cast<std::size_t>(type.element_bytes);
  for (std::size_t at = 0; at + width <= bytes.size(); at += width) {
    state = state * 1664525 + 1013904223;
    const float value = static_cast<float>(state >> 8) / 16777216.0F - 0.5F;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    if (width == 1) bits = state >> 28;
    // The upper half of a float is a bfloat16; a float16 has another exponent: 2^-5 to 2^-2.
    if (width == 2)
      bits = std::string_view(type.name) == "float16"
                 ? (state >> 31) << 15 | (10 + (state >> 29 & 3)) << 10 | (state >> 8 & 0x3FF)
                 : bits >> 16;
    std::memcpy(bytes.data() + at, &bits, width);
  }
  return bytes;
}

}  // namespace xsp::cuda_alternatives
