#include "trace/trace.h"

#include <algorithm>
#include <limits>

namespace xsp::trace {
namespace {

constexpr std::string_view kRejectedHint =
    "The file names something that it never defined, or a time out of range; these records were "
    "left out.";

}  // namespace

TrackId TraceWriter::AddTrack(Track track) {
  trace_.tracks.push_back(std::move(track));
  return static_cast<TrackId>(trace_.tracks.size());
}

void TraceWriter::NameTrack(TrackId track, std::string name) {
  if (!TrackExists(track)) return Count("writer_rejected_track", name, kRejectedHint);
  trace_.tracks[track - 1].name = std::move(name);
}

void TraceWriter::SetRank(TrackId track, std::int64_t rank) {
  if (TrackExists(track)) trace_.tracks[track - 1].rank = rank;
}

void TraceWriter::Shift(const Position& from, const Position& to, std::int64_t shift_ns) {
  // A span's end must fit as well.
  const auto move = [&](std::int64_t& time_ns, std::int64_t duration_ns) {
    std::int64_t moved_ns = 0, end_ns = 0;
    if (__builtin_add_overflow(time_ns, shift_ns, &moved_ns) ||
        __builtin_add_overflow(moved_ns, std::max<std::int64_t>(duration_ns, 0), &end_ns)) {
      return Count("writer_rejected_shift", {}, kRejectedHint);
    }
    time_ns = moved_ns;
  };
  SpanTable& spans = trace_.spans;
  for (std::size_t i = from.spans; i < to.spans; ++i) move(spans.start_ns[i], spans.duration_ns[i]);
  for (std::size_t i = from.counters; i < to.counters; ++i) move(trace_.counters.time_ns[i], 0);
  for (std::size_t i = from.marks; i < to.marks; ++i) move(trace_.marks[i].time_ns, 0);
  for (std::size_t i = from.stack_samples; i < to.stack_samples; ++i)
    move(trace_.stack_samples.time_ns[i], 0);
}

std::int64_t TraceWriter::OwnCorrelation(const NewSpan& span) {
  if (span.correlation_id == 0 || correlation_offset_ == 0) return span.correlation_id;
  // An id beyond the distance of two sources would be one of another source's.
  if (span.correlation_id > 0 && span.correlation_id < kCorrelationIdsOfASource)
    return span.correlation_id + correlation_offset_;
  Count("writer_rejected_correlation_id", span.name, kRejectedHint);
  return 0;
}

SpanId TraceWriter::AddSpan(const NewSpan& span) {
  const bool ended = span.duration_ns != kNeverEnded;
  const bool overflows =
      ended && span.start_ns > 0 &&
      span.duration_ns > std::numeric_limits<std::int64_t>::max() - span.start_ns;
  if (!TrackExists(span.track) || (ended && span.duration_ns < 0) || overflows ||
      (span.parent != 0 && !SpanExists(span.parent))) {
    Count("writer_rejected_span", span.name, kRejectedHint);
    return 0;
  }
  SpanTable& spans = trace_.spans;
  spans.parent.push_back(span.parent);
  spans.level.push_back(span.level);
  spans.placed_by.push_back(span.parent != 0 ? PlacedBy::kId : PlacedBy::kNone);
  spans.track.push_back(span.track);
  const StringId name = trace_.strings.Intern(span.name);
  // An operator without a name of its own is called by its type: the same text.
  const bool same = span.type.data() == span.name.data() && span.type.size() == span.name.size();
  spans.type.push_back(same ? name : trace_.strings.Intern(span.type));
  spans.name.push_back(name);
  spans.start_ns.push_back(span.start_ns);
  spans.duration_ns.push_back(span.duration_ns);
  spans.correlation_id.push_back(OwnCorrelation(span));
  return static_cast<SpanId>(spans.size());
}

void TraceWriter::EndSpan(SpanId span, std::int64_t end_ns) {
  if (!SpanExists(span) || end_ns < trace_.spans.start_ns[span - 1]) {
    Count("writer_rejected_span_end", {}, kRejectedHint);
    return;
  }
  trace_.spans.duration_ns[span - 1] = end_ns - trace_.spans.start_ns[span - 1];
}

void TraceWriter::SetParent(SpanId span, SpanId parent) {
  if (!SpanExists(span) || !SpanExists(parent) || span == parent)
    return Count("writer_rejected_parent", {}, kRejectedHint);
  trace_.spans.parent[span - 1] = parent;
  trace_.spans.placed_by[span - 1] = PlacedBy::kId;
}

void TraceWriter::AddMetric(SpanId span, std::string_view name, double value, std::string_view unit,
                            std::string_view provenance) {
  if (!SpanExists(span)) return Count("writer_rejected_metric", name, kRejectedHint);
  MetricTable& metrics = trace_.metrics;
  metrics.span.push_back(span);
  metrics.name.push_back(trace_.strings.Intern(name));
  metrics.unit.push_back(trace_.strings.Intern(unit));
  metrics.provenance.push_back(trace_.strings.Intern(provenance));
  metrics.value.push_back(value);
}

void TraceWriter::AddAttribute(SpanId span, std::string_view key, std::string_view value) {
  if (!SpanExists(span)) return Count("writer_rejected_attribute", key, kRejectedHint);
  AttributeTable& attributes = trace_.attributes;
  attributes.span.push_back(span);
  attributes.key.push_back(trace_.strings.Intern(key));
  attributes.value.push_back(trace_.strings.Intern(value));
}

void TraceWriter::AddArguments(SpanId span, std::string_view json) {
  if (!SpanExists(span)) return Count("writer_rejected_arguments", {}, kRejectedHint);
  if (arguments_ != nullptr) return arguments_->Add(span, json);
  trace_.arguments.Add(span, json, trace_.strings);
}

void TraceWriter::AddLaunchShape(SpanId span, const LaunchShape& shape) {
  if (!SpanExists(span) || shape.blocks <= 0 || shape.threads <= 0 || shape.registers < 0 ||
      shape.shared_bytes < 0)
    return Count("writer_rejected_launch_shape", {}, kRejectedHint);
  trace_.launch_shapes.span.push_back(span);
  trace_.launch_shapes.shape.push_back(shape);
}

void TraceWriter::AddCounter(TrackId track, std::string_view name, std::int64_t time_ns,
                             double value, std::string_view unit) {
  if (!TrackExists(track)) return Count("writer_rejected_counter", name, kRejectedHint);
  CounterTable& counters = trace_.counters;
  counters.track.push_back(track);
  counters.name.push_back(trace_.strings.Intern(name));
  counters.unit.push_back(trace_.strings.Intern(unit));
  counters.time_ns.push_back(time_ns);
  counters.value.push_back(value);
}

CallStackId TraceWriter::AddCallStack(CallStackId parent, std::string_view frame,
                                      std::string_view module) {
  CallStackTable& stacks = trace_.call_stacks;
  if (!CallStackExists(parent)) {
    Count("writer_rejected_call_stack", frame, kRejectedHint);
    return 0;
  }
  stacks.parent.push_back(parent);
  stacks.frame.push_back(trace_.strings.Intern(frame));
  stacks.module.push_back(trace_.strings.Intern(module));
  return static_cast<CallStackId>(stacks.size());
}

void TraceWriter::AddStackSample(TrackId track, std::int64_t time_ns, CallStackId stack,
                                 StackKind kind) {
  StackSampleTable& samples = trace_.stack_samples;
  if (!TrackExists(track) || !CallStackExists(stack))
    return Count("writer_rejected_stack_sample", {}, kRejectedHint);
  samples.track.push_back(track);
  samples.time_ns.push_back(time_ns);
  samples.stack.push_back(stack);
  samples.kind.push_back(kind);
}

void TraceWriter::AddMark(TrackId track, std::int64_t time_ns, std::string_view name) {
  if (!TrackExists(track)) return Count("writer_rejected_mark", name, kRejectedHint);
  trace_.marks.push_back({track, time_ns, trace_.strings.Intern(name)});
}

void TraceWriter::AddLink(SpanId from, SpanId to, LinkKind kind) {
  if (!SpanExists(from) || !SpanExists(to))
    return Count("writer_rejected_link", ToString(kind), kRejectedHint);
  trace_.links.push_back({from, to, kind});
}

void TraceWriter::Count(const DiagnosticSpec& diagnostic, std::string_view example,
                        std::int64_t count) {
  auto it = trace_.diagnostics.find(diagnostic.name);
  if (it == trace_.diagnostics.end()) {
    it = trace_.diagnostics
             .emplace(
                 std::string(diagnostic.name),
                 Diagnostic{0, std::string(example), std::string(diagnostic.help), diagnostic.kind})
             .first;
  }
  it->second.count += count;
}

void TraceWriter::SetFact(std::string_view key, std::string_view value) {
  trace_.facts.insert_or_assign(std::string(key), std::string(value));
}

}  // namespace xsp::trace
