#include "ingest/primitives/eltwise.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "ingest/primitives/cost.h"

namespace xsp::primitives {
namespace {

struct EltwiseCost {
  std::string_view name;
  double flops;
};

// x: the element. Each line's count follows the formula behind it.
constexpr std::array<EltwiseCost, 26> kEltwise = {{
    {"abs", 1},          {"bounded_relu", 2},              // min(max(x, 0), alpha)
    {"clip", 2},         {"clip_v2", 2},      {"elu", 4},  // x > 0 ? x : alpha * (exp(x) - 1)
    {"exp", 1},          {"gelu", 9},                      // as gelu_tanh
    {"gelu_erf", 5},                                       // 0.5 * x * (1 + erf(x / sqrt(2)))
    {"gelu_tanh", 9},                       // 0.5 * x * (1 + tanh(a * x * (1 + b * x * x)))
    {"hardsigmoid", 4},                     // max(0, min(1, alpha * x + beta))
    {"hardswish", 5},                       // x * hardsigmoid(x)
    {"linear", 2},                          // alpha * x + beta
    {"log", 1},          {"logistic", 4},   // 1 / (1 + exp(-x))
    {"logsigmoid", 4},   {"mish", 6},       // x * tanh(log(1 + exp(x))), and the guard
    {"pow", 2},                             // alpha * x ^ beta
    {"relu", 1},                            // max(x, 0); with alpha: x > 0 ? x : alpha * x
    {"round", 1},        {"soft_relu", 3},  // log(1 + exp(x))
    {"soft_relu_v2", 5}, {"sqrt", 1},         {"square", 1},
    {"swish", 6},  // x * logistic(alpha * x)
    {"tanh", 1},         {"logit", 3},
}};

// "f32" in "binary_add:f32:3:ab" is part 1.
std::string_view Part(std::string_view text, std::size_t index) {
  for (; index > 0; --index) {
    const std::size_t cut = text.find(':');
    if (cut == std::string_view::npos) return {};
    text.remove_prefix(cut + 1);
  }
  return text.substr(0, text.find(':'));
}

// Elements of an operand that has the output's size in the dimensions whose bit is set, else 1.
double MaskedElements(const Dims& output, double mask) {
  const auto bits = static_cast<std::uint64_t>(mask);
  double elements = 1;
  for (std::size_t i = 0; i < output.size() && i < 63; ++i)
    if ((bits >> i & 1) != 0) elements *= output[i];
  return elements;
}

// A depthwise convolution fused behind a 1x1 one: "dw:k3s1p1[:dtype]" (older: "dw_k3s1p1").
bool AddFusedConvolution(std::string_view text, const Dims& output, PostOps& total) {
  const auto problem = KeyedProblem::Parse(Part(text.substr(3), 0));
  if (!problem.has_value() || output.size() < 3) return false;
  const double kernel = problem->Get("k", 0);
  const double stride = problem->Get("s", 0);
  if (kernel < 1 || stride < 1) return false;
  double window = 1;
  for (std::size_t i = 2; i < output.size(); ++i) {
    window *= kernel;
    if (output[i] > 0) total.output_scale *= std::ceil(output[i] / stride) / output[i];
  }
  total.flops += 2 * Elements(output) * total.output_scale * window;
  total.read_bytes += output[1] * window * 4;  // Its weights, held as f32.
  return true;
}

bool AddPostOp(std::string_view text, const Dims& output, PostOps& total) {
  const std::string_view name = Part(text, 0);
  const double elements = Elements(output) * total.output_scale;
  if (name == "sum") {
    total.flops += elements;
    total.reads_output = true;
    return true;
  }
  if (name.starts_with("binary_")) {
    total.flops += elements;
    // An older line without a mask names an operand of one value.
    const auto mask = ParseDimension(Part(text, 2));
    total.read_bytes += DtypeBytes(Part(text, 1)) * MaskedElements(output, mask.value_or(0));
    return true;
  }
  if (name == "prelu") {
    const auto mask = ParseDimension(Part(text, 1));
    total.flops += 2 * elements;
    total.read_bytes += 4 * MaskedElements(output, mask.value_or(0));
    return true;
  }
  if (text.starts_with("dw:") || text.starts_with("dw_"))
    return AddFusedConvolution(text, output, total);
  const std::string_view alpha = Part(text, 1);
  const auto flops = EltwiseFlops(name, !alpha.empty() && alpha != "0");
  if (!flops.has_value()) return false;
  total.flops += *flops * elements;
  return true;
}

}  // namespace

std::optional<double> EltwiseFlops(std::string_view algorithm, bool has_alpha) {
  if (algorithm.starts_with("eltwise_")) algorithm.remove_prefix(8);
  // "..._use_dst_for_bwd" only says which tensor the backward pass reads.
  if (const auto cut = algorithm.find("_use_dst"); cut != std::string_view::npos)
    algorithm = algorithm.substr(0, cut);
  if (algorithm == "relu" && has_alpha) return 2;
  const auto found = std::find_if(kEltwise.begin(), kEltwise.end(),
                                  [&](const EltwiseCost& e) { return e.name == algorithm; });
  if (found == kEltwise.end()) return std::nullopt;
  return found->flops;
}

std::string_view FindOption(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view option = text.substr(0, end);
    if (option.size() > key.size() && option.starts_with(key) && option[key.size()] == ':')
      return option.substr(key.size() + 1);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return {};
}

std::optional<PostOps> EstimatePostOps(std::string_view attributes, const Dims& output) {
  PostOps total;
  std::string_view rest = FindOption(attributes, "attr-post-ops");
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of("+;'");
    const std::string_view entry = rest.substr(0, end);
    // A digit leads what is left of an exponent: "eltwise_clip:0:1e+06".
    const bool exponent = !entry.empty() && entry[0] >= '0' && entry[0] <= '9';
    if (!entry.empty() && !exponent && !AddPostOp(entry, output, total)) return std::nullopt;
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return total;
}

}  // namespace xsp::primitives
