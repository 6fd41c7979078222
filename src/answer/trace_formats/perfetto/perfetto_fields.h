#ifndef XSP_ANSWER_TRACE_FORMATS_PERFETTO_PERFETTO_FIELDS_H_
#define XSP_ANSWER_TRACE_FORMATS_PERFETTO_PERFETTO_FIELDS_H_

#include <cstdint>

// Numbers of the fields and enumerators that are written, by message, from
// https://github.com/google/perfetto/tree/main/protos/perfetto/trace. They never change there.
namespace xsp::trace_formats::perfetto {

namespace trace {
inline constexpr std::uint32_t kPacket = 1;
}  // namespace trace

namespace packet {
inline constexpr std::uint32_t kTimestamp = 8;
inline constexpr std::uint32_t kTrustedPacketSequenceId = 10;
inline constexpr std::uint32_t kTrackEvent = 11;
inline constexpr std::uint32_t kInternedData = 12;
inline constexpr std::uint32_t kSequenceFlags = 13;
inline constexpr std::uint32_t kGpuRenderStageEvent = 53;
inline constexpr std::uint32_t kTrackDescriptor = 60;
inline constexpr std::uint64_t kIncrementalStateCleared = 1;
inline constexpr std::uint64_t kNeedsIncrementalState = 2;
}  // namespace packet

namespace interned_data {
inline constexpr std::uint32_t kEventCategories = 1;
inline constexpr std::uint32_t kEventNames = 2;
inline constexpr std::uint32_t kDebugAnnotationNames = 3;
inline constexpr std::uint32_t kGraphicsContexts = 23;
inline constexpr std::uint32_t kGpuSpecifications = 24;
inline constexpr std::uint32_t kIid = 1;   // Of each entry.
inline constexpr std::uint32_t kName = 2;  // Of each but graphics contexts.
inline constexpr std::uint32_t kContextPid = 2;
inline constexpr std::uint32_t kSpecificationCategory = 4;
inline constexpr std::uint64_t kOther = 0;
inline constexpr std::uint64_t kCompute = 2;
}  // namespace interned_data

namespace track_descriptor {
inline constexpr std::uint32_t kUuid = 1;
inline constexpr std::uint32_t kName = 2;
inline constexpr std::uint32_t kProcess = 3;
inline constexpr std::uint32_t kThread = 4;
inline constexpr std::uint32_t kParentUuid = 5;
inline constexpr std::uint32_t kCounter = 8;
inline constexpr std::uint32_t kProcessPid = 1;
inline constexpr std::uint32_t kProcessName = 6;
inline constexpr std::uint32_t kThreadPid = 1;
inline constexpr std::uint32_t kThreadTid = 2;
inline constexpr std::uint32_t kThreadName = 5;
inline constexpr std::uint32_t kCounterUnitName = 6;
}  // namespace track_descriptor

namespace track_event {
inline constexpr std::uint32_t kCategoryIids = 3;
inline constexpr std::uint32_t kDebugAnnotations = 4;
inline constexpr std::uint32_t kType = 9;
inline constexpr std::uint32_t kNameIid = 10;
inline constexpr std::uint32_t kTrackUuid = 11;
inline constexpr std::uint32_t kDoubleCounterValue = 44;
inline constexpr std::uint32_t kFlowIds = 47;
inline constexpr std::uint32_t kTerminatingFlowIds = 48;
inline constexpr std::uint64_t kSliceBegin = 1;
inline constexpr std::uint64_t kSliceEnd = 2;
inline constexpr std::uint64_t kCounterValue = 4;
}  // namespace track_event

namespace debug_annotation {
inline constexpr std::uint32_t kNameIid = 1;
inline constexpr std::uint32_t kUintValue = 3;
inline constexpr std::uint32_t kDoubleValue = 5;
inline constexpr std::uint32_t kStringValue = 6;
}  // namespace debug_annotation

namespace gpu_render_stage_event {
inline constexpr std::uint32_t kEventId = 1;
inline constexpr std::uint32_t kDuration = 2;
inline constexpr std::uint32_t kContext = 5;
inline constexpr std::uint32_t kExtraData = 6;
inline constexpr std::uint32_t kGpuId = 11;
inline constexpr std::uint32_t kHwQueueIid = 13;
inline constexpr std::uint32_t kStageIid = 14;
inline constexpr std::uint32_t kExtraName = 1;
inline constexpr std::uint32_t kExtraValue = 2;
}  // namespace gpu_render_stage_event

}  // namespace xsp::trace_formats::perfetto

#endif  // XSP_ANSWER_TRACE_FORMATS_PERFETTO_PERFETTO_FIELDS_H_
