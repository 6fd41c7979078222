#include "derive/timeline/critical_path/dependencies.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>

#include "trace/vocabulary.h"

namespace xsp::timeline::critical_path {
namespace {

using trace::Level;
using trace::SpanId;

bool IsThread(const trace::Track& track) {
  return (track.kind == trace::TrackKind::kThread || track.kind == trace::TrackKind::kProcess) &&
         !track.is_reference;
}

/// Whether a span shows its thread at work: operators and calls, not what groups them.
bool IsHostWork(Level level, std::string_view type) {
  if (level == Level::kLayer) return type != trace::type::kModule && type != trace::type::kFunction;
  return level == Level::kLibrary && type != "profiler_overhead";
}

/// An answer per string id, found once.
template <typename Answer>
class ByString {
 public:
  explicit ByString(const trace::Trace& trace)
      : known_(trace.strings.size()), answers_(trace.strings.size()) {}
  template <typename Find>
  Answer Get(trace::StringId id, Find find) {
    if (!known_[id]) {
      known_[id] = true;
      answers_[id] = find();
    }
    return answers_[id];
  }

 private:
  std::vector<bool> known_;
  std::vector<Answer> answers_;
};

/// Most traces have most things in order already.
template <typename Items, typename Before>
void SortUnlessSorted(Items& items, Before before) {
  if (!std::is_sorted(items.begin(), items.end(), before))
    std::sort(items.begin(), items.end(), before);
}

/// Streams that say for which stream they wait, by the span that says it.
std::map<SpanId, std::int64_t> AwaitedStreams(const trace::Trace& trace) {
  std::map<SpanId, std::int64_t> streams;
  trace::StringId key = std::numeric_limits<trace::StringId>::max();
  for (std::size_t i = 0; i < trace.attributes.size(); ++i) {
    if (trace.attributes.key[i] != key) {
      if (trace.Text(trace.attributes.key[i]) != trace::attribute::kAwaitedStream) continue;
      key = trace.attributes.key[i];
    }
    const std::string_view text = trace.Text(trace.attributes.value[i]);
    std::int64_t stream = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), stream);
    if (read.ec == std::errc()) streams[trace.attributes.span[i]] = stream;
  }
  return streams;
}

}  // namespace

WorkId Dependencies::Stream::Last(std::int64_t launched_ns, std::int64_t ended_ns,
                                  const Dependencies& of) const {
  const auto end = latest.begin() + PlaceOfNext(launched_ns, of);
  const auto after = std::upper_bound(
      latest.begin(), end, ended_ns,
      [&](std::int64_t time, WorkId work) { return time < of.EndOf(of.WorkOf(work)); });
  return after == latest.begin() ? kNoWork : *(after - 1);
}

std::size_t Dependencies::Stream::PlaceOfNext(std::int64_t launched_ns,
                                              const Dependencies& of) const {
  const auto launched = std::lower_bound(
      works.begin(), works.end(), launched_ns,
      [&](WorkId work, std::int64_t time) { return of.LaunchOf(of.WorkOf(work)) < time; });
  return static_cast<std::size_t>(launched - works.begin());
}

WorkId Dependencies::Stream::Next(std::int64_t launched_ns, const Dependencies& of) const {
  const std::size_t place = PlaceOfNext(launched_ns, of);
  return place == works.size() ? kNoWork : works[place];
}

Dependencies::Dependencies(const Timeline& timeline, std::int64_t rank)
    : timeline_(timeline), spans_(timeline.trace().spans) {
  FindHostWork(rank);
  FindWork(rank);
  FindRecords(rank);
  FindWaits();
  FindAwaited();
  streams_ = {};
  calls_ = {};
  records_ = {};
  copies_ = {};
  launched_ = {};
}

ThreadId Dependencies::ThreadOf(trace::TrackId track) const { return thread_of_track_[track - 1]; }

void Dependencies::FindHostWork(std::int64_t rank) {
  const trace::Trace& trace = timeline_.trace();
  const trace::SpanTable& spans = trace.spans;
  thread_of_track_.assign(trace.tracks.size(), kNoThread);
  ByString<bool> works(trace);
  ByString<Waiting> waits(trace);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const trace::Track& track = trace.tracks[spans.track[i] - 1];
    if (track.rank != rank || !IsThread(track) || spans.duration_ns[i] < 0) continue;
    ThreadId& thread = thread_of_track_[spans.track[i] - 1];
    constexpr std::size_t kMostThreads = (1 << 23) - 1;  // Work has 24 bits for them.
    if (thread == kNoThread && threads_.size() == kMostThreads) continue;
    if (thread == kNoThread) {
      thread = static_cast<ThreadId>(threads_.size());
      threads_.push_back({spans.track[i], {}, {}});
    }
    const Level level = spans.level[i];
    if (level != Level::kLayer && level != Level::kLibrary) continue;
    if (!works.Get(spans.type[i], [&] {
          // Of one type there are no operators and calls.
          return IsHostWork(level, trace.Text(spans.type[i]));
        }))
      continue;
    const Block block = {spans.start_ns[i], spans.start_ns[i] + spans.duration_ns[i]};
    // Spans come nearly in order, so most lie in the last block or behind it.
    trace::Column<Block>& blocks = threads_[static_cast<std::size_t>(thread)].blocks;
    if (!blocks.empty() && block.start_ns >= blocks.back().start_ns &&
        block.start_ns < blocks.back().end_ns) {
      blocks.back().end_ns = std::max(blocks.back().end_ns, block.end_ns);
    } else {
      blocks.push_back(block);
    }
    if (level != Level::kLibrary) continue;
    const Waiting waiting =
        waits.Get(spans.name[i], [&] { return WaitingOf(trace.Text(spans.name[i])); });
    if (waiting != Waiting::kNothing)
      calls_.push_back({block.start_ns, block.end_ns, static_cast<SpanId>(i + 1), waiting, thread});
  }
  for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
    trace::Column<Block>& blocks = threads_[thread].blocks;
    SortUnlessSorted(blocks,
                     [](const Block& a, const Block& b) { return a.start_ns < b.start_ns; });
    std::size_t kept = 0;
    for (const Block& block : blocks) {
      if (kept > 0 && block.start_ns < blocks[kept - 1].end_ns) {
        blocks[kept - 1].end_ns = std::max(blocks[kept - 1].end_ns, block.end_ns);
      } else {
        blocks[kept++] = block;
      }
    }
    // A moment is no time at work.
    const auto* last =
        std::remove_if(blocks.begin(), blocks.begin() + kept,
                       [](const Block& block) { return block.start_ns == block.end_ns; });
    blocks.resize(static_cast<std::size_t>(last - blocks.begin()));
    const auto before = static_cast<std::ptrdiff_t>(finishes_.size());
    for (std::uint32_t block = 0; block < blocks.size(); ++block)
      finishes_.push_back({static_cast<ThreadId>(thread), block});
    if (before == 0) continue;
    std::inplace_merge(finishes_.begin(), finishes_.begin() + before, finishes_.end(),
                       [&](const Finish& a, const Finish& b) {
                         return std::pair(EndOf(a), a.thread) < std::pair(EndOf(b), b.thread);
                       });
  }
}

void Dependencies::FindWork(std::int64_t rank) {
  std::map<std::pair<std::int64_t, trace::TrackId>, std::size_t> stream_of_track;
  launched_.resize(threads_.size());
  const bool is_launch_wanted = std::any_of(calls_.begin(), calls_.end(), [](const Call& call) {
    return call.waiting == Waiting::kNextLaunch;
  });
  for (const Device& device : timeline_.devices()) {
    if (device.rank != rank) continue;
    works_.reserve(works_.size() + device.spans.size());
    std::vector<WorkId> latest(timeline_.trace().tracks.size(), kNoWork);
    for (const DeviceSpan& span : device.spans) {
      const auto id = static_cast<WorkId>(works_.size());
      const trace::TrackId track = spans_.track[span.span - 1];
      Work& work = works_.emplace_back();
      work.span = span.span;
      work.launch = span.span;
      work.activity = span.activity;
      if (span.launch != 0) work.launch_thread = ThreadOf(spans_.track[span.launch - 1]);
      if (work.launch_thread != kNoThread) {
        work.launch = span.launch;
        if (is_launch_wanted)
          launched_[static_cast<std::size_t>(work.launch_thread)].emplace_back(LaunchOf(work), id);
        if (span.activity == Activity::kCopy) copies_.emplace_back(span.launch, id);
      }
      WorkId& last = latest[track - 1];
      work.previous = last;
      if (last == kNoWork || EndOf(WorkOf(last)) <= span.end_ns) last = id;
      const auto [it, is_new] =
          stream_of_track.try_emplace({device.device, track}, streams_.size());
      if (is_new) streams_.push_back({device.device, timeline_.TrackOf(span.span).stream, {}, {}});
      streams_[it->second].works.push_back(id);
    }
  }
  const auto earlier = [&](WorkId a, WorkId b) {
    return std::pair(LaunchOf(WorkOf(a)), a) < std::pair(LaunchOf(WorkOf(b)), b);
  };
  for (Stream& stream : streams_) {
    SortUnlessSorted(stream.works, earlier);
    for (const WorkId id : stream.works) {
      const bool is_latest =
          stream.latest.empty() || EndOf(WorkOf(stream.latest.back())) <= EndOf(WorkOf(id));
      stream.latest.push_back(is_latest ? id : stream.latest.back());
    }
  }
  std::sort(copies_.begin(), copies_.end());
  for (auto& launched : launched_) SortUnlessSorted(launched, std::less<>());
}

void Dependencies::FindRecords(std::int64_t rank) {
  const trace::Trace& trace = timeline_.trace();
  const trace::SpanTable& spans = trace.spans;
  std::map<SpanId, std::int64_t> awaited;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.level[i] != Level::kLibrary || spans.duration_ns[i] < 0) continue;
    const trace::Track& track = trace.tracks[spans.track[i] - 1];
    if (track.rank != rank || track.kind != trace::TrackKind::kStream || track.is_reference)
      continue;
    const Waiting waiting = WaitingOf(trace.Text(spans.name[i]));
    if (waiting == Waiting::kNothing) continue;
    if (records_.empty()) awaited = AwaitedStreams(trace);
    Record& record = records_.emplace_back();
    record = {spans.start_ns[i], spans.start_ns[i] + spans.duration_ns[i],
              waiting,           track.device,
              track.stream,      trace::kNotApplicable};
    if (const auto it = awaited.find(static_cast<SpanId>(i + 1)); it != awaited.end())
      record.awaited_stream = it->second;
  }
  std::sort(records_.begin(), records_.end(), [](const Record& a, const Record& b) {
    return std::tie(a.start_ns, a.end_ns) < std::tie(b.start_ns, b.end_ns);
  });
}

const Dependencies::Record* Dependencies::RecordOf(const Call& call) const {
  auto it = std::lower_bound(
      records_.begin(), records_.end(), call.start_ns,
      [](const Record& record, std::int64_t time) { return record.start_ns < time; });
  for (; it != records_.end() && it->start_ns <= call.end_ns; ++it)
    if (it->waiting == call.waiting && it->end_ns <= call.end_ns) return &*it;
  return nullptr;
}

WorkId Dependencies::AwaitedBy(const Call& call) const {
  WorkId awaited = kNoWork;
  const auto consider = [&](WorkId id) {
    if (id == kNoWork) return;
    const Work& work = WorkOf(id);
    if (EndOf(work) <= call.start_ns || StartOf(work) >= call.end_ns) return;
    if (awaited == kNoWork || EndOf(WorkOf(awaited)) < EndOf(work)) awaited = id;
  };
  if (call.waiting == Waiting::kOwnWork) {
    auto it = std::lower_bound(copies_.begin(), copies_.end(), std::pair(call.span, kNoWork));
    for (; it != copies_.end() && it->first == call.span; ++it)
      if (EndOf(WorkOf(it->second)) <= call.end_ns) consider(it->second);
    return awaited;
  }
  constexpr std::int64_t kAnyTime = std::numeric_limits<std::int64_t>::max();
  const Record* record = RecordOf(call);
  for (const Stream& stream : streams_) {
    if (record != nullptr && record->device >= 0 && record->device != stream.device) continue;
    // Of all streams, or of a known one, the work has ended when the call comes back, be it
    // that clocks disagree; of an unknown one, only what has ended can be what it waited for.
    bool is_known = call.waiting == Waiting::kDevice;
    if (record != nullptr && call.waiting == Waiting::kStream) {
      if (record->stream != stream.stream) continue;
      is_known = true;
    }
    if (record != nullptr && call.waiting == Waiting::kEvent && record->awaited_stream >= 0 &&
        record->awaited_stream != stream.stream)
      continue;
    consider(stream.Last(call.start_ns, is_known ? kAnyTime : call.end_ns, *this));
  }
  return awaited;
}

void Dependencies::FindWaits() {
  for (const Call& call : calls_) {
    if (call.waiting == Waiting::kNextLaunch) continue;
    const WorkId id = AwaitedBy(call);
    if (id == kNoWork) continue;
    const std::int64_t ready = std::min(EndOf(WorkOf(id)), call.end_ns);
    threads_[static_cast<std::size_t>(call.thread)].waits.push_back({call.end_ns, ready, id});
  }
  for (Thread& thread : threads_)
    std::sort(thread.waits.begin(), thread.waits.end(), [](const Wait& a, const Wait& b) {
      return std::tie(a.end_ns, a.ready_ns, a.work) < std::tie(b.end_ns, b.ready_ns, b.work);
    });
}

WorkId Dependencies::LaunchedAfter(const Call& call) const {
  const auto& launched = launched_[static_cast<std::size_t>(call.thread)];
  const auto it = std::lower_bound(launched.begin(), launched.end(), std::pair(call.end_ns, 0));
  return it == launched.end() ? kNoWork : it->second;
}

void Dependencies::FindAwaited() {
  for (const Call& call : calls_) {
    if (call.waiting != Waiting::kNextLaunch) continue;
    const Record* record = RecordOf(call);
    WorkId next = kNoWork;
    if (record == nullptr) {
      next = LaunchedAfter(call);
    } else {
      for (const Stream& stream : streams_)
        if (stream.device == record->device && stream.stream == record->stream)
          next = stream.Next(call.end_ns, *this);
    }
    if (next == kNoWork) continue;
    Work& work = works_[static_cast<std::size_t>(next)];
    const trace::Track& own = timeline_.TrackOf(work.span);
    for (const Stream& stream : streams_) {
      if (stream.device != own.device || stream.stream == own.stream) continue;
      if (record != nullptr && record->awaited_stream >= 0 &&
          record->awaited_stream != stream.stream)
        continue;
      const WorkId last = stream.Last(call.start_ns, StartOf(work), *this);
      if (last == kNoWork) continue;
      if (work.awaited == kNoWork || EndOf(WorkOf(work.awaited)) < EndOf(WorkOf(last)))
        work.awaited = last;
    }
  }
}

}  // namespace xsp::timeline::critical_path
