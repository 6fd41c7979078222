#include "derive/compare/kernel_role.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace xsp::compare {
namespace {

struct RoleWord {
  std::string_view word, role;
};

/// In this order: a convolution's "nchwToNhwc" lays out, a "fused attention" of matrix products is
/// attention, "splitKreduce" reduces.
constexpr std::array kRoleWords = {
    RoleWord{"transpose", "layout"},    RoleWord{"nchwtonhwc", "layout"},
    RoleWord{"nhwctonchw", "layout"},   RoleWord{"im2col", "layout"},
    RoleWord{"permute", "layout"},      RoleWord{"attn", "attention"},
    RoleWord{"attention", "attention"}, RoleWord{"flash", "attention"},
    RoleWord{"fmha", "attention"},      RoleWord{"softmax", "softmax"},
    RoleWord{"norm", "normalisation"},  RoleWord{"reduce", "reduction"},
    RoleWord{"gemm", "product"},        RoleWord{"gemv", "product"},
    RoleWord{"matmul", "product"},      RoleWord{"cijk_", "product"},
    RoleWord{"cutlass", "product"},     RoleWord{"xmma", "product"},
    RoleWord{"conv", "product"},        RoleWord{"fprop", "product"},
    RoleWord{"dgrad", "product"},       RoleWord{"wgrad", "product"},
    RoleWord{"winograd", "product"},    RoleWord{"elementwise", "elementwise"},
};

}  // namespace

std::string_view FunctionOf(std::string_view kernel) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  // The first bracket that no anonymous namespace opens.
  std::size_t end = 0;
  while (end < kernel.size() && kernel[end] != '<' && kernel[end] != '(')
    end = kernel.find_first_of("<(", end);
  while (end < kernel.size() && kernel.substr(end).starts_with(kAnonymous))
    end = std::min(kernel.find_first_of("<(", end + kAnonymous.size()), kernel.size());
  kernel = kernel.substr(0, end);
  if (kernel.starts_with("void ")) kernel.remove_prefix(5);
  return kernel;
}

std::string_view KernelRole(std::string_view kernel) {
  std::string function(FunctionOf(kernel));
  std::ranges::transform(function, function.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const RoleWord& entry : kRoleWords)
    if (function.find(entry.word) != std::string::npos) return entry.role;
  return {};
}

}  // namespace xsp::compare
