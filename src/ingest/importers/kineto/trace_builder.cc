#include "ingest/importers/kineto/trace_builder.h"

#include <algorithm>
#include <tuple>

#include "ingest/importers/kineto/communication_attributes.h"
#include "ingest/importers/kineto/diagnostics.h"
#include "ingest/importers/kineto/launch_shape.h"
#include "ingest/importers/kineto/module_path.h"
#include "ingest/importers/kineto/shapes.h"

namespace xsp::importers::kineto {
namespace {

using trace::Level;
using trace::SpanId;
using trace::TrackId;

constexpr std::string_view kReported = "reported:kineto";

void Count(trace::TraceWriter& writer, const DiagnosticSpec& diagnostic, std::string_view example) {
  constexpr std::size_t kShown = 200;
  writer.Count(diagnostic, example.substr(0, kShown));
}

/// What `xsp.profile` of the Python package calls its range around a module's call: the module's
/// path follows ("xsp.module: layer1.0.conv2"). PyTorch writes its quick ranges as operators,
/// others as annotations.
constexpr std::string_view kModuleRange = "xsp.module: ";

/// What a span of `category` and `name` is in our vocabulary.
struct Meaning {
  Level level;
  std::string_view type;
};

Meaning MeaningOfOperator(std::string_view name) {
  // Before 1.9 these came as operators. An operator has a namespace or is a node of autograd.
  if (name.starts_with("ProfilerStep#")) return {Level::kApplication, trace::type::kStep};
  if (name.starts_with("enumerate(DataLoader)#") || name.starts_with("Optimizer."))
    return {Level::kApplication, trace::type::kRange};
  if (name == "forward" || name == "<forward op>") return {Level::kLayer, trace::type::kFunction};
  return {Level::kLayer, name};
}

Meaning MeaningOf(Category category, std::string_view name) {
  switch (category) {
    case Category::kOperator:
      if (name.starts_with(kModuleRange)) return {Level::kLayer, trace::type::kModule};
      return MeaningOfOperator(name);
    case Category::kAnnotation:
      if (name.starts_with(kModuleRange)) return {Level::kLayer, trace::type::kModule};
      return {Level::kApplication,
              name.starts_with("ProfilerStep#") ? trace::type::kStep : trace::type::kRange};
    case Category::kPython:
      if (name.starts_with("nn.Module: ")) return {Level::kLayer, trace::type::kModule};
      return {Level::kApplication, trace::type::kPython};
    case Category::kKernel:
    case Category::kCounters:
      return {Level::kKernel, trace::type::kKernel};
    case Category::kMemcpy:
      return {Level::kKernel, trace::type::kMemcpy};
    case Category::kMemset:
      return {Level::kKernel, trace::type::kMemset};
    case Category::kRuntime:
      return {Level::kLibrary, name.starts_with("hip") ? "hip_runtime" : "cuda_runtime"};
    case Category::kDriver:
      return {Level::kLibrary, "cuda_driver"};
    case Category::kSync:
      return {Level::kLibrary, "synchronisation"};
    case Category::kOverhead:
      return {Level::kLibrary, "profiler_overhead"};
    default:
      return {Level::kApplication, trace::type::kRange};
  }
}

/// Instructions that a thread executed, by the counter that Kineto was asked for, and the FLOPs of
/// each: a fused multiply-add is two, and one of half precision works on two numbers
/// (machine/cuda_metrics.csv, which says the same and has the source).
struct InstructionCounter {
  std::string_view name;
  std::string_view metric;
  double flops;
};
constexpr InstructionCounter kInstructionCounters[] = {
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "flops.float32.vector", 1},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "flops.float32.vector", 1},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "flops.float32.vector", 2},
    {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", "flops.float64.vector", 1},
    {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", "flops.float64.vector", 1},
    {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "flops.float64.vector", 2},
    {"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", "flops.float16.vector", 2},
    {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", "flops.float16.vector", 2},
    {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", "flops.float16.vector", 4},
};

/// 0: none, or no id of CUPTI or ROCm.
std::int64_t CorrelationOf(const Event& event) {
  const auto id = ToInteger(event.argument(Argument::kCorrelation));
  return id && *id > 0 && *id < trace::kCorrelationIdsOfASource ? *id : 0;
}

/// Of spans that start together: the one a flow of this category binds to.
bool Binds(Category category, bool is_start, Level level) {
  if (category == Category::kForwardBackward) return level == Level::kLayer;
  if (category != Category::kLaunchFlow) return true;
  return is_start ? level == Level::kLibrary : level == Level::kKernel || level == Level::kLibrary;
}

}  // namespace

/// Ends of flows by track and time.
class TraceBuilder::FlowsByTrack {
 public:
  FlowsByTrack(const trace::Column<FlowEnd>& flows, std::size_t tracks)
      : flows_(flows), starts_(tracks + 2, 0), order_(flows.size()) {
    for (const FlowEnd& end : flows) ++starts_[end.track + 1];
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    std::vector<std::size_t> next = starts_;
    for (std::size_t i = 0; i < flows.size(); ++i)
      order_[next[flows[i].track]++] = static_cast<std::uint32_t>(i);
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) {
      return flows[a].time_ns < flows[b].time_ns;
    };
    for (std::size_t track = 0; track + 1 < starts_.size(); ++track) {
      const auto first = order_.begin() + static_cast<std::ptrdiff_t>(starts_[track]);
      const auto last = order_.begin() + static_cast<std::ptrdiff_t>(starts_[track + 1]);
      // Most files are in order already.
      if (!std::is_sorted(first, last, earlier)) std::sort(first, last, earlier);
    }
  }

  /// Where each track begins.
  const std::vector<std::size_t>& starts() const { return starts_; }
  std::size_t End(TrackId track) const { return starts_[track + 1]; }
  std::uint32_t Index(std::size_t place) const { return order_[place]; }
  const FlowEnd& At(std::size_t place) const { return flows_[order_[place]]; }

  /// The first place of `track` with a time of at least `time_ns`. `hint` is the last answer for
  /// this track, and becomes this one: times that rise are found in a step or two.
  std::size_t FirstFrom(TrackId track, std::int64_t time_ns, std::size_t& hint) const {
    constexpr int kSteps = 4;
    std::size_t low = starts_[track], high = End(track);
    if (hint > low && At(hint - 1).time_ns >= time_ns) {
      high = hint;
    } else {
      low = hint;
      for (int step = 0; step < kSteps && low < high && At(low).time_ns < time_ns; ++step) ++low;
      if (low == high || At(low).time_ns >= time_ns) return hint = low;
    }
    const auto found =
        std::partition_point(order_.begin() + static_cast<std::ptrdiff_t>(low),
                             order_.begin() + static_cast<std::ptrdiff_t>(high),
                             [&](std::uint32_t index) { return flows_[index].time_ns < time_ns; });
    return hint = static_cast<std::size_t>(found - order_.begin());
  }

 private:
  const trace::Column<FlowEnd>& flows_;
  std::vector<std::size_t> starts_;
  trace::Column<std::uint32_t> order_;
};

TraceBuilder::TraceBuilder(trace::TraceWriter& writer, std::string track_prefix)
    : writer_(writer),
      tracks_(writer, std::move(track_prefix)),
      first_span_(writer.position().spans) {}

void TraceBuilder::Add(const Event& event) {
  const std::string_view phase = event.phase.text;
  if (phase == "M") {
    if (!tracks_.Name(event)) Count(writer_, kUnknownPhase, event.name.text);
    return;
  }
  const auto time_ns = MicrosecondsToNs(event.time);
  if (!time_ns || phase.size() != 1 || !event.name)
    return Count(writer_, kBadEvent, event.name.text);
  if (!first_ns_ || *time_ns < *first_ns_) first_ns_ = time_ns;
  const Category category = CategoryOf(event.category.text);
  switch (phase.front()) {
    case 'X':
      return AddSpan(event, category, *time_ns);
    case 'i':
    case 'I':
    case 'R':
      return AddInstant(event, category, *time_ns);
    case 'C':
      return AddCounters(event, *time_ns);
    case 's':
    case 't':
    case 'f':
      return AddFlow(event, category, *time_ns);
    default:
      return Count(writer_, kUnknownPhase, phase);
  }
}

void TraceBuilder::AddSpan(const Event& event, Category category, std::int64_t time_ns) {
  auto duration_ns = MicrosecondsToNs(event.duration);
  if (event.duration && !duration_ns) return Count(writer_, kBadEvent, event.name.text);
  if (duration_ns && *duration_ns < 0) {
    Count(writer_, kNegativeDuration, event.name.text);
    duration_ns = 0;
  }
  if (category == Category::kUnknown) Count(writer_, kUnknownCategory, event.category.text);
  // Kineto divides the recording evenly among them (CuptiRangeProfilerSession::addRangeEvents()).
  if (category == Category::kCounters) Count(writer_, kCountersWithoutTimes, event.name.text);
  has_counted_kernels_ = has_counted_kernels_ || category == Category::kCounters;
  has_timed_kernels_ = has_timed_kernels_ || category == Category::kKernel;
  std::string_view name = Unescape(event.name, name_scratch_);
  const Meaning meaning = MeaningOf(category, name);
  if (name.starts_with(kModuleRange)) name.remove_prefix(kModuleRange.size());
  // What waited for the device is no launch, though it carries the correlation id of one.
  const bool correlated = category != Category::kSync;
  const TrackId track = OnDevice(category) ? tracks_.Stream(event) : tracks_.Thread(event);
  const SpanId span = writer_.AddSpan({.level = meaning.level,
                                       .type = meaning.type,
                                       .name = name,
                                       .track = track,
                                       .start_ns = time_ns,
                                       .duration_ns = duration_ns.value_or(trace::kNeverEnded),
                                       .correlation_id = correlated ? CorrelationOf(event) : 0});
  if (span == 0) return;
  if (event.arguments.kind == Value::Kind::kObject && event.arguments.text.size() > 2)
    writer_.AddArguments(span, event.arguments.text);
  AddDetails(event, category, span);
}

void TraceBuilder::AddDetails(const Event& event, Category category, SpanId span) {
  const auto external = ToInteger(event.argument(Argument::kExternalId));
  const bool device_work =
      OnDevice(category) && writer_.trace().spans.level[span - 1] == Level::kKernel;
  if (external && *external > 0 && category == Category::kOperator)
    operators_.push_back({*external, span});
  if (external && *external > 0 && device_work) device_work_.push_back({*external, span});
  if (category == Category::kOperator) {
    const Value& dims = event.argument(Argument::kInputDims);
    const Value& types = event.argument(Argument::kInputTypes);
    if (dims.kind == Value::Kind::kArray)
      writer_.AddAttribute(span, trace::attribute::kInputShapes, ShapesOf(dims.text, shapes_));
    if (types.kind == Value::Kind::kArray)
      writer_.AddAttribute(span, trace::attribute::kInputTypes, TypesOf(types.text, shapes_));
    const Value& values = event.argument(Argument::kInputValues);
    if (values.kind == Value::Kind::kArray && event.name.text.find("conv") != std::string::npos)
      writer_.AddAttribute(span, trace::attribute::kInputValues, ValuesOf(values.text, shapes_));
    const Value& hierarchy = event.argument(Argument::kModuleHierarchy);
    if (hierarchy.kind == Value::Kind::kString) {
      const std::string path = PathOfHierarchy(Unescape(hierarchy, shapes_));
      if (!path.empty()) writer_.AddAttribute(span, trace::attribute::kPath, path);
    }
  }
  if (event.name.text == "record_param_comms" || (device_work && category == Category::kKernel))
    AddCollective(event, span, writer_);
  if (category == Category::kSync) AddAwaitedStream(event, span, writer_);
  const Value& kernel = event.argument(Argument::kKernel);
  if (category == Category::kRuntime && kernel.kind == Value::Kind::kString) {
    std::string scratch;
    writer_.AddAttribute(span, trace::attribute::kLaunchedKernel, Unescape(kernel, scratch));
  }
  if (!device_work) return;
  if (const auto bytes = ToDouble(event.argument(Argument::kBytes)))
    writer_.AddMetric(span, trace::metric::kBytes, *bytes, "byte", kReported);
  if (category == Category::kKernel)
    if (const auto shape = LaunchShapeOf(event)) writer_.AddLaunchShape(span, *shape);
  // Kineto writes 0 where it could not tell; no kernel runs with none.
  const auto percent = ToDouble(event.argument(Argument::kOccupancy));
  if (percent && *percent > 0)
    writer_.AddMetric(span, trace::metric::kOccupancy, *percent / 100, "1", kReported);
  if (category == Category::kCounters) AddHardwareCounters(event, span);
}

void TraceBuilder::AddHardwareCounters(const Event& event, SpanId span) {
  double flops[3] = {};
  bool any[3] = {};
  std::size_t index = 0;
  ForEachMember(event.arguments.text, [&](const Value& key, const Value& value) {
    const auto number = ToDouble(value);
    if (!number) return;
    writer_.AddMetric(span, key.text, *number, "1", kReported);
    index = 0;
    for (const InstructionCounter& counter : kInstructionCounters) {
      if (counter.name == key.text) {
        flops[index / 3] += counter.flops * *number;
        any[index / 3] = true;
      }
      ++index;
    }
  });
  for (std::size_t i = 0; i < 3; ++i)
    if (any[i])
      writer_.AddMetric(span, kInstructionCounters[3 * i].metric, flops[i], "flop", kReported);
}

void TraceBuilder::AddInstant(const Event& event, Category category, std::int64_t time_ns) {
  const std::string_view name = Unescape(event.name, name_scratch_);
  if (name == "[memory]") return AddMemory(event, time_ns);
  if (category == Category::kUnknown && event.category && !event.category.text.empty())
    Count(writer_, kUnknownCategory, event.category.text);
  writer_.AddMark(tracks_.Thread(event), time_ns, name);
}

void TraceBuilder::AddMemory(const Event& event, std::int64_t time_ns) {
  // c10::DeviceType: 0 is the CPU. Its caching allocators report totals, the CPU's 0 in old files.
  const std::int64_t type = ToInteger(event.argument(Argument::kDeviceType)).value_or(0);
  const std::int64_t device = ToInteger(event.argument(Argument::kDeviceId)).value_or(0);
  const TrackId track = tracks_.Device(type == 0 ? -1 : std::max<std::int64_t>(device, 0));
  const auto counter = [&](Argument which, std::string_view name, std::string_view unit) {
    if (const auto value = ToDouble(event.argument(which)))
      writer_.AddCounter(track, name, time_ns, *value, unit);
  };
  counter(Argument::kBytes, "allocation_bytes", "byte");  // Negative: freed.
  counter(Argument::kAddress, "allocation_address", "1");
  counter(Argument::kTotalAllocated, "allocated_bytes", "byte");
  counter(Argument::kTotalReserved, "reserved_bytes", "byte");
}

void TraceBuilder::AddCounters(const Event& event, std::int64_t time_ns) {
  if (event.arguments.kind != Value::Kind::kObject)
    return Count(writer_, kBadEvent, event.name.text);
  const TrackId track = tracks_.Thread(event);
  const std::string name(Unescape(event.name, name_scratch_));
  ForEachMember(event.arguments.text, [&](const Value& key, const Value& value) {
    if (const auto number = ToDouble(value))
      writer_.AddCounter(track, name + " " + std::string(key.text), time_ns, *number, "");
  });
}

void TraceBuilder::AddFlow(const Event& event, Category category, std::int64_t time_ns) {
  const bool is_start = event.phase.text == "s";
  const auto id = ToInteger(event.id);
  if (!id) return Count(writer_, kBadEvent, event.name.text);
  TrackId track = is_start ? tracks_.FindThread(event) : tracks_.FindStream(event);
  if (track == 0) track = is_start ? tracks_.FindStream(event) : tracks_.FindThread(event);
  if (track == 0) track = tracks_.Thread(event);
  constexpr TrackId kTracks = 1 << 26;
  if (track >= kTracks) return Count(writer_, kBadEvent, event.name.text);
  flows_.push_back({*id, time_ns, 0, track, static_cast<std::uint32_t>(category), is_start});
}

void TraceBuilder::FindFlowSpans() {
  const FlowsByTrack by_track(flows_, writer_.trace().tracks.size());
  std::vector<std::size_t> hints = by_track.starts();
  const trace::SpanTable& spans = writer_.trace().spans;
  for (std::size_t i = first_span_; i < spans.size(); ++i) {
    const std::int64_t time_ns = spans.start_ns[i];
    std::size_t at = by_track.FirstFrom(spans.track[i], time_ns, hints[spans.track[i]]);
    for (; at < by_track.End(spans.track[i]) && by_track.At(at).time_ns == time_ns; ++at) {
      FlowEnd& end = flows_[by_track.Index(at)];
      if (Binds(end.category(), end.is_start, spans.level[i]))
        end.span = static_cast<SpanId>(i + 1);
    }
  }
}

void TraceBuilder::JoinFlows() {
  const auto key = [](const FlowEnd& end) { return std::pair(end.category(), end.id); };
  const auto place = [](const FlowEnd& end) {
    return std::tuple(end.category(), end.id, end.time_ns, !end.is_start, TrackId{end.track});
  };
  const auto before = [&](const FlowEnd& a, const FlowEnd& b) { return place(a) < place(b); };
  if (!std::is_sorted(flows_.begin(), flows_.end(), before))
    std::sort(flows_.begin(), flows_.end(), before);
  for (auto first = flows_.begin(); first != flows_.end();) {
    const auto last = std::find_if(first, flows_.end(),
                                   [&](const FlowEnd& end) { return key(end) != key(*first); });
    // An end belongs to the latest start before it: ids of old files come round again. Where clocks
    // disagree and the only start comes later, to that.
    auto start = std::find_if(first, last, [](const FlowEnd& end) { return end.is_start; });
    for (auto end = first; end != last; ++end) {
      if (end->is_start) {
        start = end;
        continue;
      }
      const bool joined = start != last && start->span != 0 && end->span != 0;
      if (joined && start->span != end->span) {
        writer_.AddLink(start->span, end->span,
                        end->category() == Category::kForwardBackward
                            ? trace::LinkKind::kForwardBackward
                            : trace::LinkKind::kFlow);
      } else if (!joined) {
        // Kineto marks the end of a flow at every runtime call, whether one began or not.
        writer_.AddMark(end->track, end->time_ns, "flow end without a start");
      }
    }
    first = last;
  }
  flows_ = {};
}

void TraceBuilder::PlaceByExternalId() {
  const trace::SpanTable& spans = writer_.trace().spans;
  std::vector<std::int64_t> launched;
  for (std::size_t i = first_span_; i < spans.size(); ++i)
    if (spans.level[i] == Level::kLibrary && spans.correlation_id[i] != 0)
      launched.push_back(spans.correlation_id[i]);
  std::sort(launched.begin(), launched.end());
  const auto by_id = [](const External& a, const External& b) { return a.id() < b.id(); };
  std::sort(operators_.begin(), operators_.end(), by_id);
  for (const External& work : device_work_) {
    if (std::binary_search(launched.begin(), launched.end(), spans.correlation_id[work.span - 1]))
      continue;
    const auto found = std::lower_bound(operators_.begin(), operators_.end(), work, by_id);
    if (found != operators_.end() && found->id() == work.id())
      writer_.SetParent(work.span, found->span);
  }
  operators_ = {};
  device_work_ = {};
}

void TraceBuilder::Finish(std::int64_t rank) {
  FindFlowSpans();
  JoinFlows();
  PlaceByExternalId();
  tracks_.Finish(rank);
}

}  // namespace xsp::importers::kineto
