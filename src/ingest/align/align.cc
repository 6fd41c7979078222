#include "ingest/align/align.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

namespace xsp::align {
namespace {

using importers::DiagnosticSpec;
using trace::ClockDomain;
using trace::SourceWriter;

// Times since 1970 are above this from 2001 on.
constexpr std::int64_t kEpochNs = 1'000'000'000'000'000'000;
constexpr std::int64_t kSecondNs = 1'000'000'000;
// Zones differ by quarters of an hour, from UTC-12 to UTC+14.
constexpr std::int64_t kZoneStepNs = 900 * kSecondNs;
constexpr std::int64_t kZoneSteps = 26 * 4;

constexpr DiagnosticSpec kAssumedStart = {
    "align_assumed_start",
    "One of several files does not count time from 1970: it was put where the others start. Its "
    "place against them is an assumption."};
constexpr DiagnosticSpec kOtherZone = {
    "align_other_zone",
    "A file without a time zone was recorded in another zone than this machine's: it was moved by "
    "the example's seconds, so that it overlaps with the other files.",
    trace::DiagnosticKind::kNote};
constexpr DiagnosticSpec kNoOverlap = {
    "align_no_overlap",
    "A file without a time zone does not overlap with the other files, in the zone of this machine "
    "or in exactly one other: it was left where it is. Import it with the zone in which it was "
    "recorded: `TZ=Europe/Berlin xsp import ...`."};

void Count(trace::Trace& trace, const DiagnosticSpec& diagnostic, std::string_view example = {}) {
  trace::TraceWriter(trace).Count(diagnostic, example);
}

/// `to` - `from`; 0 where that has no place in 64 bits, so that a damaged time moves nothing.
std::int64_t Distance(std::int64_t from, std::int64_t to) {
  std::int64_t distance = 0;
  return __builtin_sub_overflow(to, from, &distance) ? 0 : distance;
}

void JoinBoots(std::span<const Source> sources) {
  std::map<std::string, std::int64_t> offset_of_boot;
  for (const Source& source : sources) {
    SourceWriter& writer = *source.writer;
    if (writer.boot_id().empty()) continue;
    const std::int64_t own_ns = writer.boot_offset_ns();
    const std::int64_t offset_ns =
        offset_of_boot.try_emplace(writer.boot_id(), own_ns).first->second;
    writer.Shift(Distance(own_ns, offset_ns));
  }
}

/// Whether the times count from 1970.
bool IsAbsolute(SourceWriter& writer) {
  return writer.clock() == ClockDomain::kEpoch || writer.FirstTime().value_or(0) >= kEpochNs;
}

struct Interval {
  std::int64_t begin_ns, end_ns;

  /// How long both last together; negative: how far they are apart.
  std::int64_t Overlap(const Interval& other) const {
    return std::min(end_ns, other.end_ns) - std::max(begin_ns, other.begin_ns);
  }
};

std::optional<Interval> IntervalOf(SourceWriter& writer) {
  const auto first_ns = writer.FirstTime(), last_ns = writer.LastTime();
  // A time before 1970 or after 2116 is damage, and would overflow below.
  constexpr std::int64_t kLimitNs = std::int64_t{1} << 62;
  if (!first_ns || !last_ns || *first_ns < 0 || *last_ns > kLimitNs) return std::nullopt;
  return Interval{*first_ns, *last_ns};
}

/// Moves `writer`, whose zone was assumed, to where it overlaps with `others` (rule 3).
void FindZone(SourceWriter& writer, const Interval& others, trace::Trace& trace) {
  std::optional<Interval> own = IntervalOf(writer);
  if (!own) return;
  // Such files have whole seconds: their last sample may be that much later.
  own->end_ns += kSecondNs;
  if (own->Overlap(others) >= 0) return;
  std::int64_t best_ns = 0, best_overlap_ns = -1;
  bool is_only_one = false;
  for (std::int64_t step = -kZoneSteps; step <= kZoneSteps; ++step) {
    const std::int64_t shift_ns = step * kZoneStepNs;
    const std::int64_t overlap_ns =
        Interval{own->begin_ns + shift_ns, own->end_ns + shift_ns}.Overlap(others);
    if (overlap_ns < 0 || overlap_ns < best_overlap_ns) continue;
    is_only_one = overlap_ns > best_overlap_ns;
    best_ns = shift_ns;
    best_overlap_ns = overlap_ns;
  }
  if (!is_only_one) return Count(trace, kNoOverlap);
  writer.Shift(best_ns);
  Count(trace, kOtherZone, std::to_string(best_ns / kSecondNs));
}

void FindZones(std::span<const Source> sources, trace::Trace& trace) {
  const auto is_assumed = [](const Source& source) { return source.writer->has_assumed_zone(); };
  if (std::none_of(sources.begin(), sources.end(), is_assumed)) return;
  std::optional<Interval> others;
  for (const Source& source : sources) {
    if (is_assumed(source) || !IsAbsolute(*source.writer)) continue;
    const std::optional<Interval> own = IntervalOf(*source.writer);
    if (!own) continue;
    if (!others) others = own;
    *others = {std::min(others->begin_ns, own->begin_ns), std::max(others->end_ns, own->end_ns)};
  }
  for (const Source& source : sources)
    if (others && is_assumed(source)) FindZone(*source.writer, *others, trace);
}

/// When the earliest of the files that `is_one` accepts starts; nothing: there is none.
template <typename IsOne>
std::optional<std::int64_t> EarliestStart(std::span<const Source> sources, IsOne is_one) {
  std::optional<std::int64_t> start_ns;
  for (const Source& source : sources) {
    if (!is_one(*source.writer)) continue;
    const std::optional<std::int64_t> own_ns = source.writer->FirstTime();
    if (own_ns && (!start_ns || *own_ns < *start_ns)) start_ns = own_ns;
  }
  return start_ns;
}

void CountAssumed(const Source& source, trace::Trace& trace) {
  const DiagnosticSpec* own = source.importer->assumed_start;
  Count(trace, own != nullptr ? *own : kAssumedStart);
}

}  // namespace

void Align(std::span<const Source> sources, trace::Trace& trace) {
  JoinBoots(sources);
  const bool has_absolute = std::any_of(sources.begin(), sources.end(), [](const Source& source) {
    return IsAbsolute(*source.writer);
  });
  trace.clock_origin = has_absolute ? trace::ClockOrigin::kEpoch : trace::ClockOrigin::kSource;
  if (sources.size() <= 1) return;
  FindZones(sources, trace);
  std::optional<std::int64_t> anchor_ns = EarliestStart(sources, [](SourceWriter& writer) {
    return IsAbsolute(writer) && !IsOfMetrics(writer.role());
  });
  if (!anchor_ns) anchor_ns = EarliestStart(sources, IsAbsolute);
  const auto is_monotonic = [](SourceWriter& writer) {
    return writer.clock() == ClockDomain::kMonotonic && !IsAbsolute(writer);
  };
  const auto monotonic_ns = EarliestStart(sources, is_monotonic);
  for (const Source& source : sources) {
    SourceWriter& writer = *source.writer;
    if (IsAbsolute(writer)) continue;
    if (!is_monotonic(writer)) {
      CountAssumed(source, trace);
      const std::int64_t start_ns = anchor_ns ? *anchor_ns : monotonic_ns.value_or(0);
      writer.Shift(Distance(writer.FirstTime().value_or(0), start_ns));
    } else if (anchor_ns && monotonic_ns) {
      CountAssumed(source, trace);
      writer.Shift(Distance(*monotonic_ns, *anchor_ns));
    }
  }
}

}  // namespace xsp::align
