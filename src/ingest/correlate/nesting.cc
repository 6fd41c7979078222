#include "ingest/correlate/nesting.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace xsp::correlate {
namespace {

using trace::DiagnosticKind;
using trace::DiagnosticSpec;
using trace::Level;
using trace::SpanId;
using trace::SpanTable;

constexpr DiagnosticSpec kNeverEndedCount = {
    "correlate_never_ended",
    "The process stopped, or the file was cut, while these ran; they are kept without "
    "a duration and taken to end with what surrounds them.",
    DiagnosticKind::kNote};
constexpr DiagnosticSpec kPartialOverlap = {
    "correlate_partial_overlap",
    "Spans of one thread overlap without one containing the other, so the later one "
    "is not a child of the earlier; its clock may be coarse or its ends swapped.",
    DiagnosticKind::kNote};
constexpr DiagnosticSpec kCircle = {
    "correlate_circle",
    "The file names a span as parent that lies inside its child; the child's place by "
    "time was dropped.",
    DiagnosticKind::kNote};
constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

struct Item {
  std::int64_t start;
  std::int64_t end;  // kForever: never ended.
  SpanId id;
  Level level;  // That it nests at.
};

// Python functions call modules, modules and operators call Python functions: they all nest at one
// level.
Level NestingLevel(const SpanTable& spans, std::size_t i, trace::StringId python) {
  const bool is_python = spans.level[i] == Level::kApplication && spans.type[i] == python;
  return is_python ? Level::kLayer : spans.level[i];
}

bool Before(const Item& a, const Item& b) {
  if (a.start != b.start) return a.start < b.start;
  if (a.end != b.end) return a.end > b.end;
  if (a.level != b.level) return a.level < b.level;
  return a.id < b.id;
}

struct Open {
  std::int64_t end;
  std::uint32_t order;
  SpanId id;
};

// The spans of one level that can still contain a later one. Ends strictly fall from bottom to top:
// an earlier span that ends no later than a new one can never again be the innermost.
using OpenSpans = std::vector<Open>;

// First entry (from the bottom) that ends before `end`; all below contain what ends there.
OpenSpans::const_iterator FirstEndingBefore(const OpenSpans& open, std::int64_t end) {
  if (open.empty() || open.back().end >= end) return open.end();
  return std::partition_point(open.begin(), open.end(),
                              [end](const Open& entry) { return entry.end >= end; });
}

class TrackSweep {
 public:
  TrackSweep(SpanTable& spans, std::int64_t track_end) : spans_(spans), track_end_(track_end) {}

  void Add(const Item& item) {
    const bool never_ended = item.end == kForever;
    // What never ended is only known to cover the moment after its start.
    const std::int64_t needed =
        never_ended ? item.start + (item.start < kForever ? 1 : 0) : item.end;
    SpanId& parent = spans_.parent[item.id - 1];
    if (parent == 0) {
      parent = FindParent(item, needed);
      if (parent != 0) spans_.placed_by[item.id - 1] = trace::PlacedBy::kNesting;
    }
    if (item.level != Level::kKernel) Push(item, never_ended ? EndOf(parent) : item.end);
    ++order_;
  }

  std::int64_t partial_overlaps() const { return partial_overlaps_; }
  SpanId example() const { return example_; }

 private:
  SpanId FindParent(const Item& item, std::int64_t needed_end) {
    const Open* best = nullptr;
    bool overlaps = false;
    for (int level = 0; level < trace::kLevelCount; ++level) {
      if (!MayContain(static_cast<Level>(level), item.level)) break;
      const OpenSpans& open = open_[static_cast<std::size_t>(level)];
      const auto shorter = FirstEndingBefore(open, needed_end);
      if (shorter != open.end() && shorter->end > item.start) overlaps = true;
      if (shorter == open.begin()) continue;
      const Open& candidate = *(shorter - 1);
      if (best == nullptr || candidate.order > best->order) best = &candidate;
    }
    if (overlaps && partial_overlaps_++ == 0) example_ = item.id;
    return best == nullptr ? 0 : best->id;
  }

  void Push(const Item& item, std::int64_t end) {
    OpenSpans& open = open_[static_cast<std::size_t>(item.level)];
    while (!open.empty() && open.back().end <= end) open.pop_back();
    open.push_back({end, order_, item.id});
  }

  std::int64_t EndOf(SpanId parent) const {
    if (parent == 0 || spans_.duration_ns[parent - 1] == trace::kNeverEnded) return track_end_;
    return spans_.start_ns[parent - 1] + spans_.duration_ns[parent - 1];
  }

  SpanTable& spans_;
  std::int64_t track_end_;
  std::array<OpenSpans, trace::kLevelCount> open_;
  std::uint32_t order_ = 0;
  std::int64_t partial_overlaps_ = 0;
  SpanId example_ = 0;
};

// Span ids grouped by track, in id order: ids of track t lie in [first[t - 1], first[t]).
struct ByTrack {
  std::vector<std::uint32_t> first;
  std::vector<SpanId> ids;
};

ByTrack GroupByTrack(const trace::Trace& trace) {
  ByTrack groups;
  groups.first.assign(trace.tracks.size() + 1, 0);
  for (const trace::TrackId track : trace.spans.track) ++groups.first[track];
  for (std::size_t i = 1; i < groups.first.size(); ++i) groups.first[i] += groups.first[i - 1];
  std::vector<std::uint32_t> next(groups.first.begin(), groups.first.end() - 1);
  groups.ids.resize(trace.spans.size());
  for (std::size_t i = 0; i < trace.spans.size(); ++i)
    groups.ids[next[trace.spans.track[i] - 1]++] = static_cast<SpanId>(i + 1);
  return groups;
}

void CountNesting(trace::Trace& trace, const DiagnosticSpec& diagnostic, SpanId example,
                  std::int64_t count) {
  if (count == 0) return;
  const std::string_view text = example == 0 ? "" : trace.Text(trace.spans.name[example - 1]);
  trace::TraceWriter(trace).Count(diagnostic, text, count);
}

bool ImporterCountedNeverEnded(const trace::Trace& trace) {
  return std::any_of(trace.diagnostics.begin(), trace.diagnostics.end(), [](const auto& entry) {
    return entry.first != kNeverEndedCount.name && entry.first.ends_with("never_ended");
  });
}

void NestTrack(trace::Trace& trace, trace::TrackId track, const SpanId* begin, const SpanId* end) {
  SpanTable& spans = trace.spans;
  const trace::StringId python = trace.strings.Intern(trace::type::kPython);
  std::vector<Item> items;
  items.reserve(static_cast<std::size_t>(end - begin));
  std::int64_t track_end = std::numeric_limits<std::int64_t>::min();
  std::int64_t never_ended = 0;
  SpanId never_ended_example = 0;
  for (const SpanId* id = begin; id != end; ++id) {
    const std::int64_t start = spans.start_ns[*id - 1];
    const std::int64_t duration = spans.duration_ns[*id - 1];
    const bool open = duration == trace::kNeverEnded;
    if (open && never_ended++ == 0) never_ended_example = *id;
    track_end = std::max(track_end, open ? start : start + duration);
    items.push_back(
        {start, open ? kForever : start + duration, *id, NestingLevel(spans, *id - 1, python)});
  }
  // Most files are in order already.
  if (!std::is_sorted(items.begin(), items.end(), Before))
    std::sort(items.begin(), items.end(), Before);
  TrackSweep sweep(spans, track_end);
  for (const Item& item : items) sweep.Add(item);
  // An importer that saw it counted it already, in words of its own format.
  if (!ImporterCountedNeverEnded(trace))
    CountNesting(trace, kNeverEndedCount, never_ended_example, never_ended);
  if (trace.tracks[track - 1].kind == trace::TrackKind::kThread)
    CountNesting(trace, kPartialOverlap, sweep.example(), sweep.partial_overlaps());
}

// Undoes nesting where it closed a circle with a given parent. Each span is walked once.
void CutCircles(trace::Trace& trace) {
  SpanTable& spans = trace.spans;
  std::vector<std::uint32_t> seen(spans.size(), 0);  // The walk that came by; 0: none.
  std::int64_t circles = 0;
  SpanId example = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto walk = static_cast<std::uint32_t>(i + 1);
    SpanId at = walk;
    while (at != 0 && seen[at - 1] == 0) {
      seen[at - 1] = walk;
      at = spans.parent[at - 1];
    }
    if (at == 0 || seen[at - 1] != walk) continue;
    SpanId cut = at;
    while (spans.placed_by[cut - 1] != trace::PlacedBy::kNesting && spans.parent[cut - 1] != at)
      cut = spans.parent[cut - 1];
    spans.parent[cut - 1] = 0;
    spans.placed_by[cut - 1] = trace::PlacedBy::kNone;
    if (circles++ == 0) example = cut;
  }
  CountNesting(trace, kCircle, example, circles);
}

}  // namespace

bool MayContain(Level parent, Level child) {
  return parent < child || (parent == child && parent != Level::kKernel);
}

void Nest(trace::Trace& trace) {
  const bool given = std::any_of(trace.spans.parent.begin(), trace.spans.parent.end(),
                                 [](SpanId parent) { return parent != 0; });
  const ByTrack groups = GroupByTrack(trace);
  for (std::size_t track = 1; track <= trace.tracks.size(); ++track)
    NestTrack(trace, static_cast<trace::TrackId>(track),
              groups.ids.data() + groups.first[track - 1], groups.ids.data() + groups.first[track]);
  // Places found by time alone follow the sweep's order and cannot close a circle.
  if (given) CutCircles(trace);
}

}  // namespace xsp::correlate
