#include "measure/alternatives/primitive_work.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

#include "ingest/primitives/problem.h"

namespace xsp::alternatives {
namespace {

using primitives::Dims;
using primitives::KeyedProblem;

/// Elements of the operands, and FLOPs without what follows.
struct Size {
  double source = 0, weights = 0, result = 0, flops = 0;
};

std::optional<Size> SizeOfConvolution(const std::string& problem) {
  const auto keys = KeyedProblem::Parse(problem);
  if (!keys || !keys->Find("ic") || !keys->Find("oc")) return std::nullopt;
  const double groups = keys->Get("g", 1), ic = keys->Get("ic", 0), oc = keys->Get("oc", 0);
  if (groups < 1 || ic < 1 || oc < 1) return std::nullopt;
  Size size{keys->Get("mb", 1) * ic, ic / groups * oc, keys->Get("mb", 1) * oc, 0};
  bool is_spatial = false;
  for (const std::string dimension : {"d", "h", "w"}) {
    if (!keys->Find("i" + dimension)) continue;
    is_spatial = true;
    size.source *= keys->Get("i" + dimension, 1);
    size.weights *= keys->Get("k" + dimension, 1);
    size.result *= keys->Get("o" + dimension, 1);
  }
  if (!is_spatial || size.result < 1) return std::nullopt;
  size.flops = 2 * size.result * size.weights / oc;
  return size;
}

std::optional<Size> SizeOfInnerProduct(const std::string& problem) {
  const auto keys = KeyedProblem::Parse(problem);
  if (!keys || !keys->Find("ic") || !keys->Find("oc")) return std::nullopt;
  double inputs = keys->Get("ic", 0);
  for (const std::string_view key : {"id", "ih", "iw"}) inputs *= keys->Get(key, 1);
  const double batch = keys->Get("mb", 1), outputs = keys->Get("oc", 0);
  return Size{batch * inputs, inputs * outputs, batch * outputs, 2 * batch * inputs * outputs};
}

std::optional<Size> SizeOfProduct(const std::string& problem) {
  const auto lists = primitives::ParseDimsList(problem);
  if (!lists || lists->size() < 2) return std::nullopt;
  const Dims &a = (*lists)[0], &b = (*lists)[1];
  const std::size_t rank = a.size();
  if (rank < 2 || b.size() != rank || a[rank - 1] != b[rank - 2]) return std::nullopt;
  double batch = 1;
  for (std::size_t i = 0; i + 2 < rank; ++i) batch *= std::max(a[i], b[i]);
  const double results = batch * a[rank - 2] * b[rank - 1];
  return Size{primitives::Elements(a), primitives::Elements(b), results, 2 * results * a[rank - 1]};
}

std::optional<Size> SizeOf(const std::string& kind, const std::string& problem) {
  if (kind == "convolution") return SizeOfConvolution(problem);
  return kind == "inner_product" ? SizeOfInnerProduct(problem) : SizeOfProduct(problem);
}

/// MKL's "T,N,m,n,k,...", by columns: row by row it is n x k times k x m.
std::string ProductOfGemm(std::string_view arguments) {
  std::vector<std::string_view> words;
  while (words.size() < 5) {
    const std::size_t cut = arguments.find(',');
    words.push_back(arguments.substr(0, cut));
    if (cut == std::string_view::npos) break;
    arguments.remove_prefix(cut + 1);
  }
  if (words.size() < 5) return {};
  for (std::size_t i = 2; i < 5; ++i)
    if (primitives::ParseDimension(words[i]).value_or(0) < 1) return {};
  return fmt::format("{}x{}:{}x{}", words[3], words[4], words[4], words[2]);
}

bool IsGradient(std::string_view layer_type) {
  std::string lower(layer_type);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower.find("backward") != std::string::npos || lower.find("backprop") != std::string::npos;
}

/// Reads what follows from the cost; false where it cannot be told.
bool AddPostOps(const RanPrimitive& primitive, const Size& size, PrimitiveWork& work) {
  const double each = (*primitive.flops - size.flops) / size.result;
  const double excess = std::round(each);
  if (std::abs(each - excess) > 1e-6 || excess < 0 || excess > 2) return false;
  if (excess == 0) return true;
  const double element_bytes = work.dtype == "bfloat16" ? 2 : work.dtype == "int8" ? 1 : 4;
  const double operands = (size.source + size.weights) * element_bytes;
  const bool is_read =
      primitive.read_bytes.value_or(0) >= operands + 0.9 * primitive.write_bytes.value_or(1e300);
  if (is_read) work.post_ops.emplace_back("sum");
  if (!is_read || excess == 2)
    work.post_ops.emplace_back(!is_read && excess == 2 ? "clip" : "relu");
  return true;
}

/// The data type of the operands of a kernel on a GPU: a matrix-vector product of 16 bits counts in
/// float32, as no matrix unit takes part. Empty: not known.
std::string TypeOnGpu(const RanPrimitive& primitive, const Size& size) {
  constexpr double kNarrow = 3;
  const bool is_narrow = primitive.dtype == "float32" && primitive.read_bytes &&
                         *primitive.read_bytes < kNarrow * (size.source + size.weights);
  if (!is_narrow) return primitive.dtype;
  return primitive.precision == "float16" || primitive.precision == "bfloat16" ? primitive.precision
                                                                               : std::string();
}

WorkOrReason WorkOnGpu(const RanPrimitive& primitive) {
  PrimitiveWork work;
  work.kind = KeyedProblem::Parse(primitive.problem) ? "convolution" : "matmul";
  work.problem = primitive.problem;
  const std::optional<Size> size = SizeOf(work.kind, work.problem);
  if (!size) return {std::nullopt, "problem cannot be read"};
  if (!primitive.flops) return {std::nullopt, "several kernels"};
  work.dtype = TypeOnGpu(primitive, *size);
  constexpr std::array kTypes = {"float32", "tfloat32", "float16", "bfloat16", "int8"};
  if (std::ranges::find(kTypes, work.dtype) == kTypes.end()) return {std::nullopt, "data type"};
  const double each = (*primitive.flops - size->flops) / size->result;
  if (std::abs(each) < 1e-6) return {std::move(work), ""};
  if (work.kind != "matmul" || std::abs(each - 1) > 1e-6) return {std::nullopt, "post-operations"};
  const double element_bytes = work.dtype.ends_with("float32") ? 4 : work.dtype == "int8" ? 1 : 2;
  const bool is_read = primitive.read_bytes.value_or(0) >=
                       element_bytes * (size->source + size->weights + 0.9 * size->result);
  work.post_ops.emplace_back(is_read ? "sum" : "bias");
  return {std::move(work), ""};
}

}  // namespace

WorkOrReason WorkOf(const RanPrimitive& primitive) {
  if (primitive.on_gpu) return WorkOnGpu(primitive);
  PrimitiveWork work;
  work.kind = primitive.kind;
  work.problem = primitive.problem;
  work.dtype = primitive.dtype;
  if (work.kind == "gemm") {
    work.kind = "matmul";
    work.problem = ProductOfGemm(primitive.problem);
  }
  if (work.kind != "convolution" && work.kind != "inner_product" && work.kind != "matmul")
    return {};
  if (IsGradient(primitive.layer_type)) return {std::nullopt, "backward pass"};
  if (work.dtype != "float32" && work.dtype != "bfloat16" && work.dtype != "int8")
    return {std::nullopt, "data type"};
  const std::optional<Size> size = SizeOf(work.kind, work.problem);
  if (!size || !primitive.flops) return {std::nullopt, "problem cannot be read"};
  if (primitive.write_bytes)
    work.output_bytes = static_cast<int>(std::lround(*primitive.write_bytes / size->result));
  if (!AddPostOps(primitive, *size, work)) return {std::nullopt, "post-operations"};
  return {std::move(work), ""};
}

nlohmann::json ToJson(const PrimitiveWork& work) {
  return {{"kind", work.kind},
          {"problem", work.problem},
          {"dtype", work.dtype},
          {"post_ops", work.post_ops},
          {"output_bytes", work.output_bytes}};
}

std::string KeyOf(const PrimitiveWork& work, const Processor& processor) {
  if (processor.is_gpu)
    return fmt::format("{} {} {} [{}]", work.kind, work.problem, work.dtype,
                       fmt::join(work.post_ops, " "));
  return fmt::format("{} {} {} [{}] {} B, {} threads", work.kind, work.problem, work.dtype,
                     fmt::join(work.post_ops, " "), work.output_bytes, processor.threads);
}

}  // namespace xsp::alternatives
