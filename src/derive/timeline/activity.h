#ifndef XSP_DERIVE_TIMELINE_ACTIVITY_H_
#define XSP_DERIVE_TIMELINE_ACTIVITY_H_

#include <cstdint>
#include <string_view>

namespace xsp::timeline {

/// What a device does while a span of it runs.
enum class Activity : std::uint8_t { kCompute, kCommunication, kCopy };
inline constexpr int kActivityCount = 3;

/// "compute", "communication" or "copy".
std::string_view ToString(Activity activity);

/// The activity of a device span. `type`: as the vocabulary has it ("kernel", "memcpy", "memset");
/// copies and sets are copies. `name`: a kernel that bears the name of a communication library
/// (NCCL, RCCL, oneCCL, MSCCL, NVSHMEM) or of a known custom all-reduce communicates; every other
/// kernel computes.
Activity ActivityOf(std::string_view type, std::string_view name);

}  // namespace xsp::timeline

#endif  // XSP_DERIVE_TIMELINE_ACTIVITY_H_
