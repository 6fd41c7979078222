#include "ingest/primitives/device_kernels.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include "ingest/primitives/operator_name.h"
#include "trace/vocabulary.h"

namespace xsp::primitives {
namespace {

// Parts of names, in lower case, of kernels that libraries run beside the kernel that does the
// work. Seen in traces of PyTorch 1.8 to 2.7 (CUDA and ROCm), or named in the library's sources.
constexpr std::string_view kHelpers[] = {
    // Layouts and types.
    "nchwtonhwc",          // cuDNN
    "nhwctonchw",          // cuDNN
    "batched_transpose",   // MIOpen
    "tensortransform",     // cuDNN
    "converttensor",       // cuDNN
    "im2col",              // cuDNN, ATen
    "im2d2col",            // MIOpen
    "col2im",              // ATen, MIOpen
    "direct_copy_kernel",  // ATen: casts and contiguous copies
    // Products in several steps: partial sums, transformed operands, scales, offsets.
    "splitkreduce",           // cuBLAS
    "splitk_reduce",          // CUTLASS
    "postgsu",                // hipBLASLt: sums of a GEMM that is split along K
    "reduce_1block_kernel",   // cuBLAS: second step of a dot product
    "winograd_nonfused",      // cuDNN: transforms around a batched GEMM
    "generatewinogradtiles",  // cuDNN
    "scalepackedtensor",      // cuDNN: beta, before gradients are accumulated
    "subtensorop",            // MIOpen: the same
    "computeoffsets",         // cuDNN
    // Attention: sums over parts of the keys, and what surrounds the products of its gradient.
    "splitkv_combine",     // FlashAttention
    "flash_bwd_dot_do_o",  // FlashAttention
    "flash_bwd_convert",   // FlashAttention
    "bwd_preprocess",      // Triton on ROCm
    // Initial values.
    "fillfunctor",  // ATen
};

// Parts of names, in lower case, of kernels that multiply matrices, convolve, or attend.
constexpr std::string_view kProducts[] = {
    "attention", "attn_fwd", "bwd_kernel_d", "cijk_", "conv",  "cutlass", "dgrad",  "dot_kernel",
    "flash",     "fmha",     "fprop",        "gemm",  "gemv",  "nvjet",   "scudnn", "hcudnn",
    "wgrad",     "winograd", "xmma",         "wmma",  "_mha_", "gridwise"};

// Matrix-vector products: no library runs them on matrix units.
constexpr std::string_view kVectorProducts[] = {"gemv", "dot_kernel"};

// Names of kernels that run float32 or float64 on matrix units.
constexpr std::string_view kTensorFloat32[] = {"tf32", "s1688", "tensorop", "tensor16x8x8"};
constexpr std::string_view kTensorFloat64[] = {"d884", "d16816", "dmma", "tensorop"};
// AMD's Tensile: "_MI16x16x4x1_", the shape of the matrix instruction.
constexpr std::string_view kMatrixInstruction[] = {"_mi16x16", "_mi32x32", "_mi4x4"};

// ATen's operators whose FLOPs are those of a product; sorted. In-place and overloads alike.
constexpr std::string_view kProductOperators[] = {
    "_addmm_activation",
    "_cudnn_attention_forward",
    "_efficient_attention_backward",
    "_efficient_attention_forward",
    "_flash_attention_backward",
    "_flash_attention_forward",
    "_int_mm",
    "_scaled_mm",
    "addbmm",
    "addmm",
    "addmv",
    "baddbmm",
    "bmm",
    "dot",
    "inner",
    "linear",
    "matmul",
    "mm",
    "mv",
    "vdot",
};
static_assert(std::is_sorted(std::begin(kProductOperators), std::end(kProductOperators)));

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

template <typename Parts>
bool HasAny(std::string_view text, const Parts& parts) {
  return std::any_of(std::begin(parts), std::end(parts), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

bool IsHostCopy(std::string_view name) {
  constexpr std::string_view kHostCopies[] = {"htod", "dtoh", "hosttodevice", "devicetohost",
                                              "htoh"};
  return HasAny(name, kHostCopies);
}

bool Is16Bit(std::string_view dtype) { return dtype == "float16" || dtype == "bfloat16"; }

// 16 bits and less: the types that matrix units of every vendor have.
bool IsNarrow(std::string_view dtype) {
  return Is16Bit(dtype) || dtype.starts_with("float8") || dtype.starts_with("float4") ||
         dtype == "int8" || dtype == "int4";
}

}  // namespace

KernelPart PartOf(const DeviceKernel& kernel) {
  const std::string name = LowerCase(kernel.name);
  if (kernel.type == trace::type::kMemcpy)
    return IsHostCopy(name) ? KernelPart::kCopy : KernelPart::kHelper;
  if (kernel.type == trace::type::kMemset || HasAny(name, kHelpers)) return KernelPart::kHelper;
  return HasAny(name, kProducts) ? KernelPart::kProduct : KernelPart::kOther;
}

std::vector<std::size_t> Participants(const std::vector<DeviceKernel>& kernels, bool is_product) {
  std::vector<std::size_t> products, others;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelPart part = PartOf(kernels[i]);
    if (part == KernelPart::kCopy || part == KernelPart::kHelper) continue;
    (is_product && part == KernelPart::kProduct ? products : others).push_back(i);
  }
  return products.empty() ? others : products;
}

std::optional<std::size_t> OwnerOf(const std::vector<DeviceKernel>& kernels, bool is_product) {
  std::vector<std::size_t> owners = Participants(kernels, is_product);
  if (owners.empty() && !is_product) {
    for (std::size_t i = 0; i < kernels.size(); ++i)
      if (PartOf(kernels[i]) == KernelPart::kHelper) owners.push_back(i);
  }
  if (owners.size() != 1) return std::nullopt;
  return owners.front();
}

bool IsProduct(std::string_view operator_type) {
  const OperatorName name = ParseOperatorName(operator_type);
  if (std::binary_search(std::begin(kProductOperators), std::end(kProductOperators), name.name))
    return true;
  // Convolutions of every library, their gradients, and all forms of attention; nodes of graphs.
  constexpr std::string_view kParts[] = {"conv", "dot_product", "dotproduct",     "matmul",
                                         "gemm", "attention",   "fullyconnected", "innerproduct"};
  const std::string lower = LowerCase(name.name);
  return HasAny(lower, kParts) && lower.find("convert") == std::string::npos;
}

void SetDeviceUnit(std::string_view kernel_name, bool is_product, Cost& cost) {
  const std::string name = LowerCase(kernel_name);
  cost.unit = "vector";
  if (!is_product || HasAny(name, kVectorProducts)) {
    if (Is16Bit(cost.dtype)) cost.dtype = "float32";
    return;
  }
  if (IsNarrow(cost.dtype) || HasAny(name, kMatrixInstruction)) {
    cost.unit = "tensor";
  } else if (cost.dtype == "float32" && HasAny(name, kTensorFloat32)) {
    cost.dtype = "tfloat32";
    cost.unit = "tensor";
  } else if (cost.dtype == "float64" && HasAny(name, kTensorFloat64)) {
    cost.unit = "tensor";
  }
}

}  // namespace xsp::primitives
