#include "derive/match/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "store/nullable.h"

namespace xsp::match {

namespace {

constexpr double kSecondsPerNs = 1e-9;
constexpr std::int64_t kSecondNs = 1'000'000'000;

struct Sample {
  std::int64_t time_ns;
  double watts;
};

/// What time a sample of a series of power is the mean of.
enum class PowerMean {
  kRow,     ///< Since the monitor's row before.
  kStep,    ///< Since the series' own sample before: a counter that moves when it likes.
  kSecond,  ///< The last second, however often it is asked.
};

/// The series that the sampler `nvml` has of a GPU (docs/monitor.md). They are of one power: what
/// tells energy best comes first, and is taken alone.
struct GpuPower {
  std::string_view name;
  PowerMean mean_of;
};
constexpr std::array<GpuPower, 3> kGpuPowers = {{{"nvml.mean_power_watts", PowerMean::kStep},
                                                 {"nvml.instant_power_watts", PowerMean::kRow},
                                                 {"nvml.power_watts", PowerMean::kSecond}}};

/// Counters in watt of a track, by name, each in order.
using TrackPowers = std::map<std::string_view, std::vector<Sample>>;

std::int64_t StatedInterval(const trace::Trace& trace) {
  const auto fact = trace.facts.find("monitor.interval_ns");
  std::int64_t stated_ns = 0;
  if (fact != trace.facts.end()) {
    const std::string& text = fact->second;
    std::from_chars(text.data(), text.data() + text.size(), stated_ns);
  }
  return stated_ns;
}

std::int64_t Median(std::vector<std::int64_t> distances) {
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

/// Of neighbouring samples of which `is_meant` says that they are to be taken.
template <typename Predicate>
std::int64_t MedianDistance(const std::vector<Sample>& samples, Predicate is_meant) {
  std::vector<std::int64_t> distances;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (is_meant(samples[i - 1].time_ns, samples[i].time_ns))
      distances.push_back(samples[i].time_ns - samples[i - 1].time_ns);
  }
  return Median(std::move(distances));
}
std::int64_t MedianDistance(const std::vector<Sample>& samples) {
  return MedianDistance(samples, [](std::int64_t, std::int64_t) { return true; });
}

/// More than one and a half usual distances lie between.
bool IsGap(std::int64_t before_ns, std::int64_t time_ns, std::int64_t usual_ns) {
  return (time_ns - before_ns) / 3 > usual_ns / 2;
}

/// A sample that `follows` the one before it stands for the time since then, another for the usual
/// one.
template <typename Predicate>
PowerSeries Intervals(std::string part, const std::vector<Sample>& samples, std::int64_t usual_ns,
                      Predicate follows) {
  PowerSeries series{std::move(part), usual_ns, {}};
  if (usual_ns <= 0) return series;
  std::optional<std::int64_t> before_ns;
  for (const Sample& sample : samples) {
    std::int64_t begin_ns = sample.time_ns - usual_ns;
    if (before_ns)
      begin_ns = follows(*before_ns, sample.time_ns) ? *before_ns : std::max(*before_ns, begin_ns);
    // Two samples of one time: the first has it.
    if (sample.time_ns > begin_ns)
      series.intervals.push_back({begin_ns, sample.time_ns, sample.watts});
    before_ns = sample.time_ns;
  }
  return series;
}

PowerSeries RowSeries(std::string part, const std::vector<Sample>& samples, std::int64_t usual_ns) {
  return Intervals(std::move(part), samples, usual_ns,
                   [=](std::int64_t before_ns, std::int64_t time_ns) {
                     return !IsGap(before_ns, time_ns, usual_ns);
                   });
}

/// Of a counter that moves in steps of its own. That it has no sample in a row says that it did not
/// move; only where a row itself is missing it may have. `after_gaps`: the rows that follow on such
/// a gap, in order.
PowerSeries StepSeries(std::string part, const std::vector<Sample>& samples,
                       const std::vector<std::int64_t>& after_gaps, std::int64_t stated_ns) {
  const auto is_unbroken = [&](std::int64_t before_ns, std::int64_t time_ns) {
    const auto gap = std::upper_bound(after_gaps.begin(), after_gaps.end(), before_ns);
    return gap == after_gaps.end() || *gap > time_ns;
  };
  std::int64_t usual_ns = MedianDistance(samples, is_unbroken);
  // No two steps are known to follow on each other: their distance is too long rather than too
  // short, and too little is reported of them rather than too much.
  if (usual_ns == 0) usual_ns = MedianDistance(samples);
  return Intervals(std::move(part), samples, std::max(usual_ns, stated_ns), is_unbroken);
}

/// Of means over the last second one a second: those in between tell of the same time again.
PowerSeries SecondSeries(std::string part, const std::vector<Sample>& samples,
                         std::int64_t stated_ns) {
  std::vector<Sample> apart;
  for (const Sample& sample : samples) {
    // Rows are never quite on time.
    if (apart.empty() || sample.time_ns - apart.back().time_ns >= kSecondNs - stated_ns / 2)
      apart.push_back(sample);
  }
  return RowSeries(std::move(part), apart, std::max(stated_ns, kSecondNs));
}

PowerSeries SeriesOf(std::string part, const std::vector<Sample>& samples, PowerMean mean_of,
                     const std::vector<std::int64_t>& after_gaps, std::int64_t stated_ns) {
  if (mean_of == PowerMean::kStep)
    return StepSeries(std::move(part), samples, after_gaps, stated_ns);
  if (mean_of == PowerMean::kSecond) return SecondSeries(std::move(part), samples, stated_ns);
  return RowSeries(std::move(part), samples, stated_ns > 0 ? stated_ns : MedianDistance(samples));
}

std::map<trace::TrackId, TrackPowers> PowersByTrack(const trace::Trace& trace) {
  const trace::CounterTable& counters = trace.counters;
  std::map<trace::TrackId, TrackPowers> by_track;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (trace.Text(counters.unit[i]) != "watt") continue;
    by_track[counters.track[i]][trace.Text(counters.name[i])].push_back(
        {counters.time_ns[i], counters.value[i]});
  }
  for (auto& [track, powers] : by_track) {
    for (auto& [name, samples] : powers) {
      std::stable_sort(samples.begin(), samples.end(),
                       [](const Sample& a, const Sample& b) { return a.time_ns < b.time_ns; });
    }
  }
  return by_track;
}

/// The rows that do not follow on the one before them. A row has some power in it, if only of
/// another part.
std::vector<std::int64_t> RowsAfterGaps(const std::map<trace::TrackId, TrackPowers>& by_track,
                                        std::int64_t stated_ns) {
  std::vector<std::int64_t> rows;
  for (const auto& [track, powers] : by_track) {
    for (const auto& [name, samples] : powers)
      for (const Sample& sample : samples) rows.push_back(sample.time_ns);
  }
  std::sort(rows.begin(), rows.end());
  std::vector<std::int64_t> after_gaps;
  for (std::size_t i = 1; stated_ns > 0 && i < rows.size(); ++i)
    if (IsGap(rows[i - 1], rows[i], stated_ns)) after_gaps.push_back(rows[i]);
  return after_gaps;
}

bool IsGpuPower(std::string_view name) {
  return std::any_of(kGpuPowers.begin(), kGpuPowers.end(),
                     [&](const GpuPower& power) { return power.name == name; });
}

/// What the counter `name` of a track is the mean of; nothing: another one of the track tells the
/// same power better.
std::optional<PowerMean> MeaningOf(std::string_view name, const TrackPowers& powers) {
  for (const GpuPower& power : kGpuPowers) {
    if (name == power.name) return power.mean_of;
    if (powers.contains(power.name) && IsGpuPower(name)) return std::nullopt;
  }
  return PowerMean::kRow;
}

/// In order, without overlap.
std::vector<Segment> Union(std::vector<Segment> segments) {
  std::sort(segments.begin(), segments.end(),
            [](const Segment& a, const Segment& b) { return a.begin_ns < b.begin_ns; });
  std::vector<Segment> merged;
  for (const Segment& segment : segments) {
    if (segment.end_ns <= segment.begin_ns) continue;
    if (!merged.empty() && segment.begin_ns <= merged.back().end_ns) {
      merged.back().end_ns = std::max(merged.back().end_ns, segment.end_ns);
    } else {
      merged.push_back(segment);
    }
  }
  return merged;
}

std::string WhyNot(const SegmentEnergy& energy, std::int64_t interval_ns) {
  const double interval_ms = static_cast<double>(interval_ns) * 1e-6;
  if (energy.covered_ns == 0) return "no power is known of this time";
  if (energy.intervals < kFewestIntervals) {
    return fmt::format(
        "too short for its sampling: {:.4g} ms in all, {:g} intervals of {:.4g} ms "
        "are needed",
        static_cast<double>(energy.covered_ns) * 1e-6, kFewestIntervals, interval_ms);
  }
  return fmt::format(
      "mixed with other work within its sampling: it fills its intervals of {:.4g} "
      "ms to {:.0f} %",
      interval_ms, 100 * energy.confidence);
}

Segment SegmentOf(const trace::Trace& trace, trace::SpanId span) {
  const std::int64_t start_ns = trace.spans.start_ns[span - 1];
  const std::int64_t duration_ns = trace.spans.duration_ns[span - 1];
  return {start_ns, start_ns + std::max<std::int64_t>(0, duration_ns)};
}

/// What rows describe.
struct Subject {
  std::int64_t point_id, run_id;
  std::string_view scope, name;
  std::optional<std::int64_t> layer;
};

void AddRow(const Subject& subject, const PowerSeries& series, const std::vector<Segment>& segments,
            std::size_t repetitions, std::vector<store::EnergyRow>& table) {
  const SegmentEnergy energy = EnergyOver(series, segments);
  table.push_back({.point_id = subject.point_id,
                   .run_id = subject.run_id,
                   .scope = std::string(subject.scope),
                   .layer_index = subject.layer,
                   .name = std::string(subject.name),
                   .part = series.part,
                   .spans = static_cast<std::int64_t>(repetitions),
                   .span_ns = energy.span_ns,
                   .covered_ns = energy.covered_ns,
                   .interval_ns = series.interval_ns,
                   .intervals = energy.intervals,
                   .confidence = energy.confidence,
                   .energy_joules = store::NumberOrNull(energy.joules),
                   .reason = store::TextOrNull(energy.reason)});
}

void AddWholeRun(const std::vector<PowerSeries>& all, Subject subject,
                 std::vector<store::EnergyRow>& table) {
  subject.scope = "run";
  for (const PowerSeries& series : all) {
    std::vector<Segment> sampled;
    for (const PowerInterval& interval : series.intervals)
      sampled.push_back({interval.begin_ns, interval.end_ns});
    sampled = Union(std::move(sampled));
    AddRow(subject, series, sampled, 1, table);
  }
}

void AddCalls(const RunView& run, const std::vector<PowerSeries>& all, Subject subject,
              std::vector<store::EnergyRow>& table) {
  subject.scope = "call";
  std::vector<Segment> calls;
  std::string name = run.calls.kind;
  for (const Call& call : run.calls.calls) {
    if (call.root == 0) continue;
    calls.push_back(SegmentOf(run.trace, call.root));
    if (name.empty()) name = run.NameOf(call.root);
  }
  if (calls.empty()) return;
  subject.name = name;
  for (const PowerSeries& series : all) AddRow(subject, series, calls, calls.size(), table);
}

/// Ranges directly in a training step, as the analysis `phases` has them.
void AddPhases(const RunView& run, const std::vector<PowerSeries>& all, Subject subject,
               std::vector<store::EnergyRow>& table) {
  subject.scope = "phase";
  const trace::SpanTable& spans = run.trace.spans;
  std::map<std::string_view, std::vector<Segment>> phases;
  for (trace::SpanId span = 1; span <= spans.size(); ++span) {
    const trace::SpanId parent = spans.parent[span - 1];
    if (spans.level[span - 1] != trace::Level::kApplication || parent == 0) continue;
    if (spans.level[parent - 1] != trace::Level::kModel) continue;
    if (run.TypeOf(parent) != trace::type::kTrain) continue;
    phases[run.NameOf(span)].push_back(SegmentOf(run.trace, span));
  }
  for (const auto& [name, segments] : phases) {
    subject.name = name;
    for (const PowerSeries& series : all) AddRow(subject, series, segments, segments.size(), table);
  }
}

void AddLayers(const RunView& run, const PointLayers& layers, const std::vector<PowerSeries>& all,
               Subject subject, std::vector<store::EnergyRow>& table) {
  subject.scope = "layer";
  if (!run.layers) return;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (run.from_base[i] < 0) continue;
    const auto reference = static_cast<std::size_t>(run.from_base[i]);
    std::vector<Segment> repetitions;
    for (std::size_t call = 0; call < run.layers->calls.size(); ++call) {
      const std::int32_t index = run.layers->calls[call]->a_to_b[reference];
      if (index < 0) continue;
      const Call& made = run.calls.calls[call];
      repetitions.push_back(
          SegmentOf(run.trace, made.layers[static_cast<std::size_t>(index)].span));
    }
    const std::string name = layers.Name(i);
    subject.name = name;
    subject.layer = static_cast<std::int64_t>(i);
    for (const PowerSeries& series : all)
      AddRow(subject, series, repetitions, repetitions.size(), table);
  }
}

}  // namespace

std::vector<PowerSeries> PowerSeriesOf(const trace::Trace& trace) {
  const std::map<trace::TrackId, TrackPowers> by_track = PowersByTrack(trace);
  const std::int64_t stated_ns = StatedInterval(trace);
  const std::vector<std::int64_t> after_gaps = RowsAfterGaps(by_track, stated_ns);
  std::vector<PowerSeries> all;
  for (const auto& [track, powers] : by_track) {
    const bool is_known = track >= 1 && track <= trace.tracks.size();
    const std::string part = is_known ? trace.tracks[track - 1].name : std::string("machine");
    for (const auto& [name, samples] : powers) {
      const std::optional<PowerMean> mean_of = MeaningOf(name, powers);
      if (!mean_of) continue;
      PowerSeries series = SeriesOf(part, samples, *mean_of, after_gaps, stated_ns);
      if (!series.intervals.empty()) all.push_back(std::move(series));
    }
  }
  return all;
}

SegmentEnergy EnergyOver(const PowerSeries& series, std::vector<Segment> segments) {
  const std::vector<Segment> merged = Union(std::move(segments));
  SegmentEnergy energy;
  for (const Segment& segment : merged) energy.span_ns += segment.end_ns - segment.begin_ns;
  double joules = 0, filled_ns = 0;
  std::size_t first = 0;  // The first segment that may reach into this interval or a later one.
  for (const PowerInterval& interval : series.intervals) {
    while (first < merged.size() && merged[first].end_ns <= interval.begin_ns) ++first;
    std::int64_t inside_ns = 0;
    for (std::size_t i = first; i < merged.size() && merged[i].begin_ns < interval.end_ns; ++i) {
      inside_ns += std::min(merged[i].end_ns, interval.end_ns) -
                   std::max(merged[i].begin_ns, interval.begin_ns);
    }
    const auto inside = static_cast<double>(inside_ns);
    energy.covered_ns += inside_ns;
    joules += interval.watts * inside * kSecondsPerNs;
    filled_ns += inside * inside / static_cast<double>(interval.end_ns - interval.begin_ns);
  }
  if (energy.covered_ns > 0) {
    const auto covered = static_cast<double>(energy.covered_ns);
    const auto whole = static_cast<double>(energy.span_ns);
    energy.intervals = covered / static_cast<double>(series.interval_ns);
    energy.confidence = covered / whole * (filled_ns / covered);
    if (energy.intervals >= kFewestIntervals && energy.confidence >= kLeastConfidence)
      energy.joules = joules * whole / covered;
  }
  if (!energy.joules) energy.reason = WhyNot(energy, series.interval_ns);
  return energy;
}

void AddRunEnergy(const trace::Trace& trace, std::int64_t point_id, std::int64_t run_id,
                  std::string_view rung, std::vector<store::EnergyRow>& energy) {
  AddWholeRun(PowerSeriesOf(trace), {point_id, run_id, "run", rung, std::nullopt}, energy);
}

void AddEnergy(const Runs& runs, const PointLayers& layers, std::int64_t point_id,
               std::vector<store::EnergyRow>& energy) {
  for (const auto& run : runs) {
    const std::vector<PowerSeries> all = PowerSeriesOf(run->trace);
    if (all.empty()) continue;
    const Subject subject{point_id, run->input.run_id, "", run->input.rung, std::nullopt};
    AddWholeRun(all, subject, energy);
    AddCalls(*run, all, subject, energy);
    AddPhases(*run, all, subject, energy);
    if (run.get() == layers.base()) AddLayers(*run, layers, all, subject, energy);
  }
}

}  // namespace xsp::match
