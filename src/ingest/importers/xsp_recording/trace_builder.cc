#include "ingest/importers/xsp_recording/trace_builder.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/utf8.h"
#include "ingest/importers/xsp_recording/diagnostics.h"
#include "ingest/primitives/announcement.h"
#include "ingest/primitives/primitive_attributes.h"
#include "trace/vocabulary.h"

namespace xsp::importers::xsp_recording {
namespace {

using trace::SpanId;
using trace::TrackId;

// A fact that the recorder keeps about itself (src/capture/record/process.h, ranges.h).
constexpr std::string_view kProblemPrefix = "problem.";
constexpr std::string_view kThreadPrefix = "thread.";
constexpr std::string_view kNameSuffix = ".name";

/// The thread of "thread.ID.name"; 0: the key is of another kind.
std::int64_t NamedThread(std::string_view key) {
  if (!key.starts_with(kThreadPrefix) || !key.ends_with(kNameSuffix)) return 0;
  key.remove_prefix(kThreadPrefix.size());
  if (key.size() <= kNameSuffix.size()) return 0;
  key.remove_suffix(kNameSuffix.size());
  std::uint32_t thread = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), thread);
  return error == std::errc() && end == key.data() + key.size() ? thread : 0;
}

bool IsPrimitive(const wire::SpanRecord& span) {
  return span.level == XSP_LEVEL_KERNEL && span.type == trace::type::kPrimitive;
}

/// May be a range that no thread had open: its first attribute tells.
bool MayBeLoose(const wire::SpanRecord& span) {
  return span.is_timed && span.parent == 0 && span.track == 0 &&
         (span.level == XSP_LEVEL_APPLICATION || span.level == XSP_LEVEL_LIBRARY);
}

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0: all of it.
}

}  // namespace

TraceBuilder::TraceBuilder(const wire::Reader& reader, trace::TraceWriter& writer,
                           std::int64_t offset_ns)
    : reader_(reader),
      writer_(writer),
      offset_ns_(offset_ns),
      thread_tracks_(reader.threads().size(), 0),
      placed_tracks_(reader.tracks().size(), 0),
      waiting_(reader.threads().size(), 0),
      stacks_(writer) {
  ProcessTrack();
}

void TraceBuilder::OnSpan(const wire::SpanRecord& span) {
  AddHeld(waiting_[span.thread]);
  if (IsPrimitive(span) || MayBeLoose(span)) {
    waiting_[span.thread] = span.id;
    held_.insert_or_assign(span.id, span);
  } else {
    Add(span, span.name);
  }
}

void TraceBuilder::OnMetric(const wire::MetricRecord& metric) {
  const SpanId row = Find(metric.span);
  if (row == 0) {
    early_metrics_.push_back(metric);
    return;
  }
  writer_.AddMetric(row, Clean(metric.name, buffers_[0]), metric.value,
                    Clean(metric.unit, buffers_[1]), Clean(metric.provenance, buffers_[2]));
}

void TraceBuilder::OnAttribute(const wire::AttributeRecord& attribute) {
  if (attribute.span == 0) return SetFact(attribute.key, attribute.value);
  if (attribute.key == trace::attribute::kRaw) {
    if (const auto span = TakeHeld(attribute.span)) return AddPrimitive(*span, attribute.value);
  }
  if (attribute.key == trace::attribute::kRangeKind) {
    if (const auto span = TakeHeld(attribute.span)) Add(*span, span->name, LooseTrack());
  }
  const SpanId row = Find(attribute.span);
  if (row == 0) {
    early_attributes_.push_back(
        {attribute.span, std::string(attribute.key), std::string(attribute.value)});
    return;
  }
  writer_.AddAttribute(row, Clean(attribute.key, buffers_[0]), Clean(attribute.value, buffers_[1]));
}

void TraceBuilder::OnMark(const wire::MarkRecord& mark) {
  writer_.AddMark(ThreadTrack(mark.thread), Time(mark.time_ns), Clean(mark.name, buffers_[0]));
}

void TraceBuilder::OnCounter(const wire::CounterRecord& counter) {
  const TrackId track = counter.track == 0 ? ProcessTrack() : PlacedTrack(counter.track - 1);
  writer_.AddCounter(track, Clean(counter.name, buffers_[0]), Time(counter.time_ns), counter.value,
                     Clean(counter.unit, buffers_[1]));
}

void TraceBuilder::OnFrame(const wire::FrameRecord& frame) {
  stacks_.AddFrame(frame.id, frame.caller, Clean(frame.function, buffers_[0]),
                   Clean(frame.module, buffers_[1]));
}

void TraceBuilder::OnStackSample(const wire::StackSampleRecord& sample) {
  // A thread that recorded something itself has a track.
  TrackId track = 0;
  const auto& threads = reader_.threads();
  for (std::size_t i = threads.size(); i-- > 0 && track == 0;)
    if (threads[i].thread_id == sample.thread_id)
      track = ThreadTrack(static_cast<std::uint32_t>(i));
  if (track == 0) track = stacks_.TrackOf(reader_.info().process_id, sample.thread_id);
  stacks_.AddSample(track, Time(sample.time_ns), sample.frame,
                    static_cast<trace::StackKind>(sample.kind));
}

void TraceBuilder::OnCapture(const wire::CaptureRecord& capture) { captures_.push_back(capture); }

void TraceBuilder::Finish() {
  for (const std::uint32_t span : std::vector(waiting_)) AddHeld(span);
  if (rank_ != trace::kNotApplicable) {
    const std::vector<trace::Track>& tracks = writer_.trace().tracks;
    for (std::size_t i = 0; i < tracks.size(); ++i)
      if (tracks[i].process_id == static_cast<std::int64_t>(reader_.info().process_id))
        writer_.SetRank(static_cast<TrackId>(i + 1), rank_);
  }
  NameCaptures();
  for (const wire::MetricRecord& metric : std::exchange(early_metrics_, {})) {
    if (Find(metric.span) == 0) {
      Count(kLostSpan, metric.name);
    } else {
      OnMetric(metric);
    }
  }
  for (const EarlyAttribute& attribute : std::exchange(early_attributes_, {})) {
    if (Find(attribute.span) == 0) {
      Count(kLostSpan, attribute.key);
    } else {
      OnAttribute({attribute.span, attribute.key, attribute.value});
    }
  }
  for (std::size_t i = 0; i < thread_tracks_.size(); ++i) {
    const auto named = thread_names_.find(reader_.threads()[i].thread_id);
    if (named != thread_names_.end() && thread_tracks_[i] != 0) {
      writer_.NameTrack(thread_tracks_[i], named->second);
    }
  }
}

TrackId TraceBuilder::ThreadTrack(std::uint32_t thread) {
  TrackId& track = thread_tracks_[thread];
  if (track == 0) {
    const wire::ThreadInfo& info = reader_.threads()[thread];
    track = writer_.AddTrack({trace::TrackKind::kThread, std::string(Clean(info.name, buffers_[0])),
                              static_cast<std::int64_t>(reader_.info().process_id),
                              static_cast<std::int64_t>(info.thread_id)});
  }
  return track;
}

TrackId TraceBuilder::PlacedTrack(std::uint32_t index) {
  TrackId& track = placed_tracks_[index];
  if (track == 0) {
    const wire::TrackInfo& info = reader_.tracks()[index];
    // A device's contexts number their streams alike: the later ones' have names.
    TrackId& same = track_of_[{static_cast<int>(info.kind), info.owner, info.stream,
                               info.kind == XSP_TRACK_STREAM ? std::string(info.name) : ""}];
    if (same == 0) same = NewTrack(info);
    track = same;
  }
  return track;
}

TrackId TraceBuilder::NewTrack(const wire::TrackInfo& info) {
  const auto process = static_cast<std::int64_t>(reader_.info().process_id);
  const auto owner = static_cast<std::int64_t>(info.owner);
  std::string name(Clean(info.name, buffers_[0]));
  const auto named = [&](std::string otherwise) { return name.empty() ? otherwise : name; };
  if (info.kind == XSP_TRACK_STREAM) {
    return writer_.AddTrack(
        {trace::TrackKind::kStream,
         named("device " + std::to_string(owner) + " stream " + std::to_string(info.stream)),
         process, trace::kNotApplicable, owner, info.stream});
  }
  if (info.kind == XSP_TRACK_DEVICE) {
    return writer_.AddTrack({trace::TrackKind::kDevice, named("device " + std::to_string(owner)),
                             process, trace::kNotApplicable, owner});
  }
  // What the thread recorded itself and what others recorded for it lie on one track, where they
  // nest. The last one, where the system used a number again.
  const auto& threads = reader_.threads();
  for (std::size_t i = threads.size(); i-- > 0;) {
    if (threads[i].thread_id != info.owner) continue;
    if (threads[i].has_events) return ThreadTrack(static_cast<std::uint32_t>(i));
    if (name.empty()) name = Clean(threads[i].name, buffers_[0]);
  }
  return writer_.AddTrack({trace::TrackKind::kThread, std::move(name), process, owner});
}

TrackId TraceBuilder::ProcessTrack() {
  if (process_track_ == 0) {
    process_track_ =
        writer_.AddTrack({trace::TrackKind::kProcess,
                          std::string(Clean(FileName(reader_.info().program), buffers_[0])),
                          static_cast<std::int64_t>(reader_.info().process_id)});
  }
  return process_track_;
}

TrackId TraceBuilder::LooseTrack() {
  if (loose_track_ == 0) {
    loose_track_ = writer_.AddTrack(
        {trace::TrackKind::kHost, "ranges", static_cast<std::int64_t>(reader_.info().process_id)});
  }
  return loose_track_;
}

SpanId TraceBuilder::Row(std::uint32_t span) const {
  const std::uint32_t page = span / kPageSpans;
  if (page >= rows_.size() || rows_[page].empty()) return 0;
  return rows_[page][span % kPageSpans];
}

SpanId TraceBuilder::Find(std::uint32_t span) {
  AddHeld(span);
  return Row(span);
}

void TraceBuilder::Remember(std::uint32_t span, SpanId row) {
  const std::uint32_t page = span / kPageSpans;
  if (page >= rows_.size()) rows_.resize(page + 1);
  if (rows_[page].empty()) rows_[page].resize(kPageSpans, 0);
  rows_[page][span % kPageSpans] = row;
}

SpanId TraceBuilder::Add(const wire::SpanRecord& span, std::string_view name, TrackId track) {
  if (track == 0) track = span.track == 0 ? ThreadTrack(span.thread) : PlacedTrack(span.track - 1);
  trace::NewSpan added{static_cast<trace::Level>(span.level), Clean(span.type, buffers_[0]),
                       Clean(name, buffers_[1]), track, Time(span.start_ns)};
  if (span.end_ns == wire::SpanRecord::kOpen) {
    Count(kNeverEnded, added.name);
  } else {
    added.duration_ns = Time(span.end_ns) - added.start_ns;
  }
  if (span.parent != 0) {
    // Of the same thread, so no longer held back.
    added.parent = Row(span.parent);
    if (added.parent == 0) Count(kLostParent, added.name);
  }
  // The most significant bit would make it negative; ids are counted up from 1.
  added.correlation_id = static_cast<std::int64_t>(span.correlation_id & INT64_MAX);
  const SpanId row = writer_.AddSpan(added);
  if (row != 0 && span.track != 0) AddPlacement(row, span);
  Remember(span.id, row);
  return row;
}

std::optional<wire::SpanRecord> TraceBuilder::TakeHeld(std::uint32_t span) {
  const auto held = held_.extract(span);
  if (held.empty()) return std::nullopt;
  waiting_[held.mapped().thread] = 0;
  return held.mapped();
}

void TraceBuilder::AddHeld(std::uint32_t span) {
  if (const auto held = TakeHeld(span)) Add(*held, held->name);
}

void TraceBuilder::AddPrimitive(const wire::SpanRecord& span, std::string_view line) {
  const auto announcement = primitives::ParseAnnouncement(line);
  const SpanId row =
      Add(span, announcement ? primitives::KernelName(*announcement) : std::string(span.name));
  if (row == 0) return;
  std::string clean;
  writer_.AddAttribute(row, trace::attribute::kRaw, Clean(line, clean));
  if (!announcement) return Count(kUnreadablePrimitive, Clean(line, clean));
  if (primitives::DescribePrimitive(writer_, row, *announcement).status !=
      primitives::CostStatus::kKnown) {
    Count(kUnknownPrimitive, Clean(line, clean));
  }
}

void TraceBuilder::AddPlacement(SpanId row, const wire::SpanRecord& span) {
  if (span.bytes != wire::kNoBytes) {
    writer_.AddMetric(row, trace::metric::kBytes, static_cast<double>(span.bytes), "byte",
                      "measured:cupti");
  }
  if (span.graph_node != 0) replayed_.push_back({row, span.graph_node});
  for (std::string_view rest = span.details; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    writer_.AddAttribute(row, Clean(line.substr(0, equals), buffers_[0]),
                         Clean(line.substr(equals + 1), buffers_[1]));
  }
}

void TraceBuilder::NameCaptures() {
  std::unordered_map<std::uint64_t, SpanId> captured;
  for (const wire::CaptureRecord& capture : captures_) {
    const SpanId row = Find(capture.span);
    // A number is used again when its graph is gone; kernels of both cannot be told apart.
    if (row != 0) captured.insert_or_assign(capture.graph_node, row);
  }
  for (const Replayed& replayed : replayed_) {
    const auto it = captured.find(replayed.graph_node);
    if (it != captured.end()) {
      writer_.AddAttribute(replayed.row, trace::attribute::kCapturedIn, std::to_string(it->second));
    }
  }
}

void TraceBuilder::SetFact(std::string_view key, std::string_view value) {
  if (key.starts_with(kProblemPrefix) && key.size() > kProblemPrefix.size())
    return CountProblem(key.substr(kProblemPrefix.size()), value);
  if (key == "process.rank") {
    std::from_chars(value.data(), value.data() + value.size(), rank_);
    return;
  }
  std::string name(Clean(key, buffers_[0]));
  const std::string_view text = Clean(value, buffers_[1]);
  if (const std::int64_t thread = NamedThread(name); thread != 0) {
    thread_names_[thread] = text;
    return;
  }
  const auto [told, is_first] = told_facts_.try_emplace(name, name);
  if (is_first) {
    const auto& facts = writer_.trace().facts;
    // What a second process says differently does not overwrite what the first one said.
    if (const auto it = facts.find(name); it != facts.end() && it->second != text)
      told->second += '.' + std::to_string(reader_.info().process_id);
  }
  writer_.SetFact(told->second, text);
}

void TraceBuilder::CountProblem(std::string_view name, std::string_view text) {
  const std::size_t feed = std::min(text.find('\n'), text.size());
  const std::string_view hint = text.substr(std::min(feed + 1, text.size()));
  writer_.Count(Clean(name, buffers_[0]), Clean(text.substr(0, feed), buffers_[1]),
                Clean(hint, buffers_[2]), 1);
}

std::int64_t TraceBuilder::Time(std::int64_t monotonic_ns) const {
  // Half the range, so that no difference of two times overflows.
  constexpr std::int64_t kLimit = (std::int64_t{1} << 62) - 1;
  std::int64_t time_ns = 0;
  if (__builtin_add_overflow(monotonic_ns, offset_ns_, &time_ns)) {
    time_ns = monotonic_ns > 0 ? kLimit : -kLimit;
  }
  return std::clamp(time_ns, -kLimit, kLimit);
}

std::string_view TraceBuilder::Clean(std::string_view text, std::string& buffer) {
  if (core::IsCleanUtf8(text)) return text;
  buffer = core::ToCleanUtf8(text);
  Count(kNotUtf8, buffer);
  return buffer;
}

void TraceBuilder::Count(const DiagnosticSpec& diagnostic, std::string_view example,
                         std::int64_t count) {
  writer_.Count(diagnostic, example, count);
}

}  // namespace xsp::importers::xsp_recording
