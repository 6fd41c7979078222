#include "derive/timeline/memory/memory.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

#include "derive/timeline/key_index.h"
#include "derive/timeline/memory/allocation_events.h"
#include "store/nullable.h"
#include "store/rows/memory_holder_row.h"
#include "store/rows/memory_level_row.h"

namespace xsp::timeline::memory {
namespace {

using trace::SpanId;

constexpr std::size_t kMaxSegments = 2'000;
constexpr std::size_t kMostHolders = 1'000;

/// Ties frees to allocations.
class Live {
 public:
  explicit Live(const std::vector<Event>& events) : events_(events), before_(events.size(), kNone) {
    has_addresses_ = std::any_of(events.begin(), events.end(),
                                 [](const Event& event) { return event.address.has_value(); });
  }

  bool has_addresses() const { return has_addresses_; }
  /// Of frees so far whose allocation was not recorded.
  double unmatched_bytes() const { return unmatched_bytes_; }

  void Apply(std::size_t i) {
    const Event& event = events_[i];
    if (event.bytes == 0) return;
    const std::uint32_t slot = slots_.Of(std::bit_cast<std::uint64_t>(KeyOf(event)));
    if (slot == latest_.size()) latest_.push_back(kNone);
    if (event.bytes > 0) {
      // With addresses, something that was freed unseen may have lain there.
      before_[i] = has_addresses_ ? kNone : latest_[slot];
      latest_[slot] = i;
    } else if (latest_[slot] == kNone) {
      unmatched_bytes_ -= event.bytes;
    } else {
      latest_[slot] = before_[latest_[slot]];
    }
  }

  /// Allocations that are not freed yet, by time.
  std::vector<std::size_t> Take() {
    std::vector<std::size_t> all;
    for (std::size_t at : latest_)
      for (; at != kNone; at = before_[at]) all.push_back(at);
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  double KeyOf(const Event& event) const {
    return has_addresses_ ? event.address.value_or(-1) : std::abs(event.bytes);
  }

  const std::vector<Event>& events_;
  bool has_addresses_ = false;
  double unmatched_bytes_ = 0;
  KeyIndex slots_;                   ///< Addresses or sizes.
  std::vector<std::size_t> latest_;  ///< By slot: what is allocated there, the latest.
  std::vector<std::size_t> before_;  ///< By event: what is allocated there besides.
};

/// What is allocated before the first event, and after each.
struct Levels {
  bool is_reported = false;
  double before = 0;
  std::vector<double> after;
};

Levels LevelsOf(const std::vector<Event>& events) {
  Levels levels;
  levels.is_reported = std::any_of(events.begin(), events.end(), [](const Event& event) {
    return event.allocated_bytes.value_or(0) != 0;  // Old files say 0 of the host throughout.
  });
  if (levels.is_reported) {
    const auto first = std::find_if(events.begin(), events.end(), [](const Event& event) {
      return event.allocated_bytes.has_value();
    });
    levels.before = *first->allocated_bytes;
    for (auto event = events.begin(); event != first + 1; ++event) levels.before -= event->bytes;
  } else {
    Live live(events);
    for (std::size_t i = 0; i < events.size(); ++i) live.Apply(i);
    levels.before = live.unmatched_bytes();
  }
  double level = levels.before;
  for (const Event& event : events) {
    level += event.bytes;
    if (levels.is_reported) level = event.allocated_bytes.value_or(level);
    levels.after.push_back(level);
  }
  return levels;
}

/// Gathers moments into segments.
class SegmentBuilder {
 public:
  SegmentBuilder(const std::vector<Event>& events, const Levels& levels, std::int64_t end_ns,
                 std::size_t most)
      : first_ns_(events.front().time_ns), end_ns_(std::max(end_ns, events.back().time_ns)) {
    std::size_t moments = 1;
    for (std::size_t i = 1; i < events.size(); ++i)
      moments += events[i].time_ns != events[i - 1].time_ns;
    const bool exact = moments <= most;
    if (!exact) {
      const auto parts = static_cast<std::int64_t>(std::max<std::size_t>(most, 1));
      width_ns_ = std::max<std::int64_t>(1, (end_ns_ - first_ns_ + parts) / parts);
    }
    const bool has_reserved = std::any_of(events.begin(), events.end(), [](const Event& event) {
      return event.reserved_bytes.value_or(0) > 0;
    });
    level_ = levels.before;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const std::int64_t from = exact ? events[i].time_ns : PartOf(events[i].time_ns);
      if (segments_.empty() || segments_.back().start_ns != from)
        Open(from, exact || events[i].time_ns == from);
      if (has_reserved)
        reserved_ = events[i].reserved_bytes.has_value() ? events[i].reserved_bytes : reserved_;
      level_ = levels.after[i];
      Widen();
    }
    if (!exact && segments_.back().start_ns + width_ns_ < end_ns_)
      Open(segments_.back().start_ns + width_ns_, false);
    segments_.back().until_ns = end_ns_;
  }

  std::vector<Segment> Take() { return std::move(segments_); }

 private:
  std::int64_t PartOf(std::int64_t time_ns) const {
    return first_ns_ + (time_ns - first_ns_) / width_ns_ * width_ns_;
  }

  /// Ends the segment before. `is_sharp`: the level changes where it begins, so that the one before
  /// has no part in it.
  void Open(std::int64_t from, bool is_sharp) {
    if (!segments_.empty()) {
      Segment& before = segments_.back();
      before.until_ns = from;
      if (width_ns_ > 0 && before.start_ns + width_ns_ < from) {
        // Parts in which nothing happens are one segment.
        before.until_ns = before.start_ns + width_ns_;
        const std::int64_t quiet_from = before.until_ns;
        segments_.push_back({quiet_from, from, level_, level_, reserved_});
      }
    }
    segments_.push_back({from, from, std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity(), std::nullopt});
    if (!is_sharp) Widen();
  }

  void Widen() {
    Segment& segment = segments_.back();
    segment.low_bytes = std::min(segment.low_bytes, level_);
    segment.high_bytes = std::max(segment.high_bytes, level_);
    if (reserved_)
      segment.reserved_bytes = std::max(segment.reserved_bytes.value_or(*reserved_), *reserved_);
  }

  std::int64_t first_ns_, end_ns_;
  std::int64_t width_ns_ = 0;  ///< 0: a segment for every moment.
  double level_ = 0;
  std::optional<double> reserved_;
  std::vector<Segment> segments_;
};

/// The operators and modules of the host threads of a rank, by start.
std::vector<SpanId> OperatorsOf(const Timeline& timeline, std::int64_t rank) {
  const trace::Trace& trace = timeline.trace();
  const trace::SpanTable& spans = trace.spans;
  std::vector<bool> of_rank;
  for (const trace::Track& track : trace.tracks)
    of_rank.push_back(track.rank == rank && OnThread(track) && !track.is_reference);
  std::vector<SpanId> operators;
  for (std::size_t i = 0; i < spans.size(); ++i)
    if (of_rank[spans.track[i] - 1] && spans.level[i] == trace::Level::kLayer &&
        spans.duration_ns[i] >= 0)
      operators.push_back(static_cast<SpanId>(i + 1));
  // Of two that start together the inner one comes last.
  const auto by_start = [&](SpanId a, SpanId b) {
    return std::tuple(spans.start_ns[a - 1], -spans.duration_ns[a - 1], a) <
           std::tuple(spans.start_ns[b - 1], -spans.duration_ns[b - 1], b);
  };
  if (!std::is_sorted(operators.begin(), operators.end(), by_start))
    std::sort(operators.begin(), operators.end(), by_start);
  return operators;
}

/// Who allocates at a span: its outermost operator, and the innermost module around that.
std::pair<SpanId, SpanId> OwnersAt(const Timeline& timeline, SpanId span) {
  const trace::Trace& trace = timeline.trace();
  SpanId operation = 0, module = 0;
  for (SpanId at = span; at != 0; at = trace.spans.parent[at - 1]) {
    if (trace.spans.level[at - 1] != trace::Level::kLayer) continue;
    const std::string_view type = trace.Text(trace.spans.type[at - 1]);
    if (type == trace::type::kModule) {
      if (module == 0) module = at;
    } else if (type != trace::type::kFunction) {
      operation = at;
      module = 0;
    }
  }
  return {operation, module};
}

std::vector<Holder> HoldersOf(const Timeline& timeline, const std::vector<SpanId>& operators,
                              const std::vector<Event>& events,
                              const std::vector<std::size_t>& live, std::size_t most) {
  const trace::SpanTable& spans = timeline.trace().spans;
  // What runs: the latest started one on top. What has ended below it goes when it comes to light.
  std::vector<SpanId> running;
  auto next = operators.begin();
  KeyIndex names;
  std::vector<Holder> holders;
  SpanId owned = 0;
  std::pair<SpanId, SpanId> owners;
  for (const std::size_t i : live) {
    const std::int64_t now = events[i].time_ns;
    for (; next != operators.end() && spans.start_ns[*next - 1] <= now; ++next)
      running.push_back(*next);
    while (!running.empty() &&
           spans.start_ns[running.back() - 1] + spans.duration_ns[running.back() - 1] < now)
      running.pop_back();
    const SpanId innermost = running.empty() ? 0 : running.back();
    if (innermost != owned) owners = OwnersAt(timeline, innermost);
    owned = innermost;
    const auto [operation, module] = owners;
    const std::uint64_t operation_name = operation == 0 ? 0 : spans.name[operation - 1];
    const std::uint32_t at =
        names.Of((operation_name << 32) | (module == 0 ? 0 : spans.name[module - 1]));
    if (at == holders.size()) {
      holders.push_back({operation == 0 ? kNoOperator : timeline.NameOf(operation),
                         module == 0 ? std::string_view() : timeline.NameOf(module), 0, 0});
    }
    ++holders[at].allocations;
    holders[at].bytes += events[i].bytes;
  }
  const auto larger = [](const Holder& a, const Holder& b) {
    return std::tie(b.bytes, a.operation, a.module) < std::tie(a.bytes, b.operation, b.module);
  };
  std::sort(holders.begin(), holders.end(), larger);
  if (holders.size() > most) {
    Holder rest{kSmaller, {}, 0, 0};
    for (std::size_t i = most; i < holders.size(); ++i) {
      rest.allocations += holders[i].allocations;
      rest.bytes += holders[i].bytes;
    }
    holders.resize(most);
    holders.push_back(rest);
  }
  return holders;
}

void FindPeak(const Timeline& timeline, const std::vector<SpanId>& operators,
              const std::vector<Event>& events, const Levels& levels, std::size_t most,
              Memory& memory) {
  const auto most_after = std::max_element(levels.after.begin(), levels.after.end());
  // Nothing after the start may reach what was there before.
  const bool falls = *most_after < levels.before;
  const auto until = falls ? 0 : static_cast<std::size_t>(most_after - levels.after.begin()) + 1;
  memory.peak_bytes = falls ? levels.before : *most_after;
  memory.peak_ns = falls ? events.front().time_ns : events[until - 1].time_ns;
  Live live(events);
  memory.has_addresses = live.has_addresses();
  for (std::size_t i = 0; i < until; ++i) live.Apply(i);
  memory.holders = HoldersOf(timeline, operators, events, live.Take(), most);
  double rest = memory.peak_bytes;
  for (const Holder& holder : memory.holders) rest -= holder.bytes;
  if (rest == 0) return;
  const Holder before{rest > 0 ? kBefore : kUnseen, {}, 0, rest};
  const auto place =
      std::find_if(memory.holders.begin(), memory.holders.end(),
                   [&](const Holder& holder) { return holder.bytes < before.bytes; });
  memory.holders.insert(place, before);
}

std::int64_t EndOf(const trace::Trace& trace) {
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < trace.spans.size(); ++i)
    end_ns = std::max(
        end_ns, trace.spans.start_ns[i] + std::max<std::int64_t>(trace.spans.duration_ns[i], 0));
  return end_ns;
}

void AddRows(const Timeline& timeline, ExperimentRows& rows) {
  for (const Memory& memory : FindMemory(timeline, kMaxSegments, kMostHolders)) {
    for (const Segment& segment : memory.segments) {
      rows.Add(store::MemoryLevelRow{
          .run_id = rows.run_id(),
          .rank = ApplicableOrNull(memory.rank),
          .device = ApplicableOrNull(memory.device),
          .time_ns = segment.start_ns,
          .until_ns = segment.until_ns,
          .allocated_low_bytes = segment.low_bytes,
          .allocated_high_bytes = segment.high_bytes,
          .reserved_bytes = segment.reserved_bytes,
          .provenance = std::string(memory.is_reported ? "reported:allocator"
                                                       : trace::provenance::kAnalytic)});
    }
    for (const Holder& holder : memory.holders) {
      rows.Add(store::MemoryHolderRow{.run_id = rows.run_id(),
                                      .rank = ApplicableOrNull(memory.rank),
                                      .device = ApplicableOrNull(memory.device),
                                      .peak_ns = memory.peak_ns,
                                      .operator_ = std::string(holder.operation),
                                      .module = store::TextOrNull(holder.module),
                                      .allocations = holder.allocations,
                                      .bytes = holder.bytes,
                                      .freed_by = memory.has_addresses ? "address" : "size"});
    }
  }
}

}  // namespace

std::vector<Memory> FindMemory(const Timeline& timeline, std::size_t max_segments,
                               std::size_t most_holders) {
  std::vector<Memory> found;
  std::int64_t end_ns = 0;
  std::vector<SpanId> operators;
  for (const EventsOfDevice& of_device : ReadEvents(timeline.trace())) {
    if (found.empty()) end_ns = EndOf(timeline.trace());
    if (found.empty() || found.back().rank != of_device.rank)
      operators = OperatorsOf(timeline, of_device.rank);
    Memory memory;
    memory.rank = of_device.rank;
    memory.device = of_device.device;
    const Levels levels = LevelsOf(of_device.events);
    memory.is_reported = levels.is_reported;
    memory.segments = SegmentBuilder(of_device.events, levels, end_ns, max_segments).Take();
    FindPeak(timeline, operators, of_device.events, levels, most_holders, memory);
    found.push_back(std::move(memory));
  }
  return found;
}

extern const TimelineSpec kSpec;
constinit const TimelineSpec kSpec = {
    .name = "memory",
    .summary = "Allocated memory over time, and who holds it at the peak",
    .add_rows = AddRows,
};

}  // namespace xsp::timeline::memory
