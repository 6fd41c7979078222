// Writes a run as a trace of Perfetto (protobuf): track events of threads, render stages of GPUs,
// counters. https://perfetto.dev/docs/reference/synthetic-track-event

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/output_file.h"
#include "answer/trace_formats/perfetto/packet_writer.h"
#include "answer/trace_formats/perfetto/perfetto_fields.h"
#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/track_lanes.h"
#include "core/proto_message.h"
#include "core/result.h"
#include "core/utf8.h"

namespace xsp::trace_formats::perfetto {
namespace {

/// An id of a flow, the same at both ends. Ids of spans have 32 bits.
std::uint64_t FlowId(std::int64_t from, std::int64_t to) {
  return (static_cast<std::uint64_t>(from) << 32) ^ static_cast<std::uint64_t>(to);
}

class Writer {
 public:
  Writer(const ExportedRun& run, OutputFile& out)
      : run_(run), packets_(out), shift_ns_(std::min<std::int64_t>(run.first_ns(), 0)) {}

  Status Write() {
    XSP_RETURN_IF_ERROR(packets_.Begin());
    for (const ExportedProcess& process : run_.tracks().processes)
      XSP_RETURN_IF_ERROR(DescribeProcess(process));
    for (const ExportedTrack& track : run_.tracks().tracks)
      XSP_RETURN_IF_ERROR(DescribeTrack(track));
    XSP_RETURN_IF_ERROR(run_.EachSpan(ExportedRun::Extras::kAll,
                                      [&](const ExportedSpan& span) { return AddSpan(span); }));
    XSP_RETURN_IF_ERROR(FinishTrack());
    return run_.EachCounter([&](const ExportedCounter& counter) { return AddCounter(counter); });
  }

 private:
  /// Perfetto's times have no sign.
  std::int64_t Time(std::int64_t time_ns) const {
    std::int64_t shifted = 0;
    return __builtin_sub_overflow(time_ns, shift_ns_, &shifted)
               ? time_ns
               : std::max<std::int64_t>(shifted, 0);
  }

  Status DescribeProcess(const ExportedProcess& process) {
    const std::uint64_t uuid = next_uuid_++;
    process_uuids_.emplace(process.number, uuid);
    ProtoMessage of_process, descriptor;
    of_process.AddInteger(track_descriptor::kProcessPid,
                          static_cast<std::uint64_t>(process.number));
    of_process.AddText(track_descriptor::kProcessName, core::ToCleanUtf8(process.name));
    descriptor.AddInteger(track_descriptor::kUuid, uuid);
    descriptor.AddMessage(track_descriptor::kProcess, of_process);
    return packets_.WriteTrack(descriptor);
  }

  Status DescribeTrack(const ExportedTrack& track) {
    if (track.kind != "thread") return DescribeLane(track, 0);
    const std::uint64_t uuid = next_uuid_++;
    lane_uuids_[{track.id, 0}] = uuid;
    ProtoMessage thread, descriptor;
    thread.AddInteger(track_descriptor::kThreadPid, static_cast<std::uint64_t>(track.process));
    thread.AddInteger(track_descriptor::kThreadTid, static_cast<std::uint64_t>(track.thread));
    thread.AddText(track_descriptor::kThreadName, core::ToCleanUtf8(track.label));
    descriptor.AddInteger(track_descriptor::kUuid, uuid);
    descriptor.AddInteger(track_descriptor::kParentUuid, process_uuids_.at(track.process));
    descriptor.AddMessage(track_descriptor::kThread, thread);
    return packets_.WriteTrack(descriptor);
  }

  /// A track that is no thread: a stream, or further spans of a thread that do not nest.
  Status DescribeLane(const ExportedTrack& track, std::size_t lane) {
    const std::uint64_t uuid = next_uuid_++;
    lane_uuids_[{track.id, lane}] = uuid;
    const std::string name =
        lane == 0 ? track.label : fmt::format("{} ({})", track.label, lane + 1);
    ProtoMessage descriptor;
    descriptor.AddInteger(track_descriptor::kUuid, uuid);
    descriptor.AddText(track_descriptor::kName, core::ToCleanUtf8(name));
    descriptor.AddInteger(track_descriptor::kParentUuid, process_uuids_.at(track.process));
    return packets_.WriteTrack(descriptor);
  }

  Status AddSpan(const ExportedSpan& span) {
    const ExportedTrack& track = run_.tracks().Get(span.track_id);
    if (span.level == "kernel" && track.IsOnDevice()) return AddRenderStage(span, track);
    if (span.track_id != track_id_) XSP_RETURN_IF_ERROR(FinishTrack());
    track_id_ = span.track_id;
    Status ended = Ok{};
    const std::size_t lane = lanes_.Find(span.start_ns, span.EndNs(),
                                         [&](std::size_t of, const TrackLanes::OpenSpan& open) {
                                           if (ended.ok()) ended = EndSlice(of, open);
                                         });
    XSP_RETURN_IF_ERROR(ended);
    lanes_.Push(lane, span.EndNs(), span.HasEnded() ? 1 : 0);
    if (!lane_uuids_.contains({track.id, lane})) XSP_RETURN_IF_ERROR(DescribeLane(track, lane));
    ProtoMessage event;
    event.AddInteger(track_event::kType, track_event::kSliceBegin);
    event.AddInteger(track_event::kTrackUuid, lane_uuids_.at({track.id, lane}));
    event.AddInteger(track_event::kCategoryIids, packets_.Category(span.level));
    event.AddInteger(track_event::kNameIid, packets_.EventName(span.name));
    AddAnnotations(span, event);
    return packets_.WriteEvent(Time(span.start_ns), packet::kTrackEvent, event);
  }

  Status FinishTrack() {
    Status ended = Ok{};
    lanes_.Finish([&](std::size_t lane, const TrackLanes::OpenSpan& open) {
      if (ended.ok()) ended = EndSlice(lane, open);
    });
    return ended;
  }

  /// A span that never ended has no end event: its tag is 0.
  Status EndSlice(std::size_t lane, const TrackLanes::OpenSpan& open) {
    if (open.tag == 0) return Ok{};
    ProtoMessage event;
    event.AddInteger(track_event::kType, track_event::kSliceEnd);
    event.AddInteger(track_event::kTrackUuid, lane_uuids_.at({track_id_, lane}));
    return packets_.WriteEvent(Time(open.end_ns), packet::kTrackEvent, event);
  }

  void AddAnnotations(const ExportedSpan& span, ProtoMessage& event) {
    const auto add = [&](std::string_view name, auto add_value) {
      ProtoMessage annotation;
      annotation.AddInteger(debug_annotation::kNameIid, packets_.AnnotationName(name));
      add_value(annotation);
      event.AddMessage(track_event::kDebugAnnotations, annotation);
    };
    const auto add_text = [&](std::string_view name, std::string_view text) {
      add(name, [&](ProtoMessage& annotation) {
        annotation.AddText(debug_annotation::kStringValue, core::ToCleanUtf8(text));
      });
    };
    const auto add_id = [&](std::string_view name, std::int64_t id) {
      add(name, [&](ProtoMessage& annotation) {
        annotation.AddInteger(debug_annotation::kUintValue, static_cast<std::uint64_t>(id));
      });
    };
    add_text("type", span.type);
    add_id("span", span.id);
    if (span.correlation_id != 0) add_id("correlation", span.correlation_id);
    if (span.extras == nullptr) return;
    for (const SpanDetail& detail : span.extras->details) {
      if (!detail.is_number) {
        add_text(detail.key, detail.text);
        continue;
      }
      add(detail.key, [&](ProtoMessage& annotation) {
        annotation.AddDouble(debug_annotation::kDoubleValue, detail.number);
      });
    }
    // Perfetto has no arrows to render stages, where launches lead: those are annotations.
    for (const SpanFlow& flow : span.extras->flows_out)
      if (!flow.is_launch) event.AddFixed64(track_event::kFlowIds, FlowId(span.id, flow.other_id));
    for (const SpanFlow& flow : span.extras->flows_in)
      if (!flow.is_launch)
        event.AddFixed64(track_event::kTerminatingFlowIds, FlowId(flow.other_id, span.id));
  }

  Status AddRenderStage(const ExportedSpan& span, const ExportedTrack& track) {
    namespace stage = gpu_render_stage_event;
    ProtoMessage event;
    event.AddInteger(stage::kEventId, static_cast<std::uint64_t>(span.id));
    if (span.HasEnded())
      event.AddInteger(stage::kDuration, static_cast<std::uint64_t>(span.duration_ns));
    packets_.DefineContext(track.process);
    event.AddInteger(stage::kContext, static_cast<std::uint64_t>(track.process));
    const std::int64_t gpu = track.device.value_or(0);
    event.AddInteger(stage::kGpuId, static_cast<std::uint64_t>(std::max<std::int64_t>(gpu, 0)));
    event.AddInteger(stage::kHwQueueIid, packets_.Queue(track.label));
    event.AddInteger(stage::kStageIid, packets_.Stage(span.name, span.type == "kernel"));
    const auto add = [&](std::string_view name, std::string_view value) {
      ProtoMessage extra;
      extra.AddText(stage::kExtraName, core::ToCleanUtf8(name));
      extra.AddText(stage::kExtraValue, core::ToCleanUtf8(value));
      event.AddMessage(stage::kExtraData, extra);
    };
    add("type", span.type);
    if (span.correlation_id != 0) add("correlation", fmt::format("{}", span.correlation_id));
    if (span.extras != nullptr) {
      for (const SpanDetail& detail : span.extras->details)
        add(detail.key, detail.is_number ? fmt::format("{}", detail.number) : detail.text);
      for (const SpanFlow& flow : span.extras->flows_in)
        if (flow.is_launch) add("launched_by_span", fmt::format("{}", flow.other_id));
    }
    return packets_.WriteEvent(Time(span.start_ns), packet::kGpuRenderStageEvent, event);
  }

  Status AddCounter(const ExportedCounter& counter) {
    const ExportedTrack& track = run_.tracks().Get(counter.track_id);
    const auto [found, is_new] = counter_uuids_.try_emplace(
        {counter.track_id, std::string(counter.name), std::string(counter.unit)}, next_uuid_);
    if (is_new) {
      ++next_uuid_;
      ProtoMessage of_counter, descriptor;
      of_counter.AddText(track_descriptor::kCounterUnitName, core::ToCleanUtf8(counter.unit));
      descriptor.AddInteger(track_descriptor::kUuid, found->second);
      descriptor.AddText(track_descriptor::kName,
                         core::ToCleanUtf8(fmt::format("{}: {}", track.label, counter.name)));
      descriptor.AddInteger(track_descriptor::kParentUuid, process_uuids_.at(track.process));
      descriptor.AddMessage(track_descriptor::kCounter, of_counter);
      XSP_RETURN_IF_ERROR(packets_.WriteTrack(descriptor));
    }
    ProtoMessage event;
    event.AddInteger(track_event::kType, track_event::kCounterValue);
    event.AddInteger(track_event::kTrackUuid, found->second);
    event.AddDouble(track_event::kDoubleCounterValue, counter.value);
    return packets_.WriteEvent(Time(counter.time_ns), packet::kTrackEvent, event);
  }

  const ExportedRun& run_;
  PacketWriter packets_;
  std::int64_t shift_ns_;
  std::uint64_t next_uuid_ = 1;
  std::map<std::int32_t, std::uint64_t> process_uuids_;
  std::map<std::pair<std::int64_t, std::size_t>, std::uint64_t> lane_uuids_;
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::uint64_t> counter_uuids_;
  TrackLanes lanes_;
  std::int64_t track_id_ = 0;  // Of the lanes.
};

Status Write(const ExportedRun& run, OutputFile& out) { return Writer(run, out).Write(); }

}  // namespace

extern const TraceFormatSpec kSpec;
constinit const TraceFormatSpec kSpec = {
    .name = "perfetto",
    .summary = "Perfetto trace (protobuf), for ui.perfetto.dev and its trace processor",
    .extension = ".pftrace",
    .write = Write,
};

}  // namespace xsp::trace_formats::perfetto
