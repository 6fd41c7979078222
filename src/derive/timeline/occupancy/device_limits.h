#ifndef XSP_DERIVE_TIMELINE_OCCUPANCY_DEVICE_LIMITS_H_
#define XSP_DERIVE_TIMELINE_OCCUPANCY_DEVICE_LIMITS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace xsp::timeline::occupancy {

/// What a multiprocessor of an NVIDIA GPU holds at once.
struct MultiprocessorLimits {
  std::int64_t threads = 0;
  std::int64_t blocks = 0;
  std::int64_t registers = 0;
  std::int64_t shared_bytes = 0;
  std::int64_t shared_unit_bytes = 0;      ///< In which shared memory is allocated to a block.
  std::int64_t reserved_shared_bytes = 0;  ///< Of each block, by CUDA.

  bool operator==(const MultiprocessorLimits&) const = default;
};

/// By compute capability ("9.0"); nothing: not known. Source: CUDA C++ Programming Guide, technical
/// specifications per compute capability; units of allocation: NVIDIA's occupancy calculator.
std::optional<MultiprocessorLimits> LimitsOf(std::string_view compute_capability);

struct DeviceProperties {
  std::int64_t multiprocessors = 0;            ///< Compute units of AMD.
  std::optional<MultiprocessorLimits> limits;  ///< Nothing: not an NVIDIA GPU, or an unknown one.

  bool operator==(const DeviceProperties&) const = default;
};

/// The devices of a trace by ordinal, from its facts: "deviceProperties.0.numSms" of
/// PyTorch's traces, "cuda.device.0.multiprocessors" of ours, behind what tells files
/// apart. A device whose multiprocessors are not stated is left out.
class DeviceIndex {
 public:
  explicit DeviceIndex(const trace::Trace& trace);

  /// The device `ordinal`. Where the trace does not state that one, all being of one kind: such a
  /// one. Null: not known.
  const DeviceProperties* Find(std::int64_t ordinal) const;

 private:
  std::map<std::int64_t, DeviceProperties> by_ordinal_;
  bool is_one_kind_ = true;
};

}  // namespace xsp::timeline::occupancy

#endif  // XSP_DERIVE_TIMELINE_OCCUPANCY_DEVICE_LIMITS_H_
