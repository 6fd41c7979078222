#ifndef XSP_INGEST_PRIMITIVES_DEVICE_KERNELS_H_
#define XSP_INGEST_PRIMITIVES_DEVICE_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ingest/primitives/cost.h"

namespace xsp::primitives {

/// What the name of a device kernel says about its part in the operator that launched it.
enum class KernelPart : std::uint8_t {
  kOther,    ///< Nothing: it may do the whole work of the operator.
  kProduct,  ///< Matrix product, convolution or attention.
  kHelper,   ///< Prepares or completes the work of another kernel: layouts, casts, reductions.
  kCopy,     ///< A copy between host and device: it never does the work of an operator.
};

/// One execution on a device, as traces name it. Views into text of the caller.
struct DeviceKernel {
  std::string_view
      name;  ///< "void cutlass::Kernel2<...>(...)", "Memcpy HtoD (Pageable -> Device)".
  std::string_view type;  ///< Span type: trace::type::kKernel, kMemcpy or kMemset.
};

/// By the tables in device_kernels.cc. Pure; any thread.
KernelPart PartOf(const DeviceKernel& kernel);

/// Index of the kernel that did the whole work of the operator that launched `kernels`: the only
/// one of Participants(); if there is none and the operator is no product, the only helper (a copy,
/// a fill). Nothing if several kernels did it together, or none. `is_product`: IsProduct() of the
/// operator. Pure; any thread.
std::optional<std::size_t> OwnerOf(const std::vector<DeviceKernel>& kernels, bool is_product);

/// Indices of the kernels that did the work of the operator, alone or together: of a product those
/// whose names say so; otherwise, and if none does, all that are no helpers. Pure; any thread.
std::vector<std::size_t> Participants(const std::vector<DeviceKernel>& kernels, bool is_product);

/// Whether the FLOPs of an operator are those of a matrix product, convolution or attention, which
/// matrix units can execute: ATen's names, and nodes of graphs (graph_operators.h). Pure.
bool IsProduct(std::string_view operator_type);

/// Sets dtype and unit of an operator's cost to those of the arithmetic of the device kernel that
/// did it (docs/primitives.md, "Kernels on a device"):
/// - products of 16 bits and less use the matrix unit ("tensor"), except matrix-vector products,
///   which compute in float32; float32 uses it if the kernel's name says so, on NVIDIA as
///   "tfloat32"; float64 likewise;
/// - all other kernels are "vector", and compute in float32 on tensors of 16 bits
/// (at::opmath_type). Pure; any thread.
void SetDeviceUnit(std::string_view kernel_name, bool is_product, Cost& cost);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_DEVICE_KERNELS_H_
