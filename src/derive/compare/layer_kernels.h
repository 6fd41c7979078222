#ifndef XSP_DERIVE_COMPARE_LAYER_KERNELS_H_
#define XSP_DERIVE_COMPARE_LAYER_KERNELS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/database.h"

namespace xsp::compare {

/// A kernel of a layer, as the table has it. Texts that are not known are empty.
struct LayerKernel {
  std::int64_t point_id = 0, layer_index = 0;
  std::string layer, layer_type;
  std::string name, type;  ///< As kernel.name, kernel.type.
  std::string implementation, problem, dtype;
  std::string precision;  ///< Of the point.
  std::optional<double> flops, read_bytes, write_bytes;
  double duration_ns = 0;
};

/// Every kernel with a layer and a time, in order. Errors: as Database::Query.
Result<std::vector<LayerKernel>> ReadLayerKernels(const store::Database& experiment);

/// The measured critical path of a mean step, of the rank that takes longest, ns per step.
struct CriticalPath {
  double whole_ns = 0;
  /// Work on a device by the kernel's name; what is left of whole_ns is hosts, launches,
  /// communication, copies, waiting and gaps.
  std::map<std::string, double> compute_ns = {};
};

/// By point; points without a timeline of a device have none. Errors: as Database::Query.
Result<std::map<std::int64_t, CriticalPath>> ReadCriticalPaths(const store::Database& experiment);

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_LAYER_KERNELS_H_
