#include "match/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "match/rows.h"

namespace xsp::match {

namespace {

constexpr double kSecondsPerNs = 1e-9;

struct Sample {
  std::int64_t time_ns;
  double watts;
};

std::int64_t StatedInterval(const trace::Trace& trace) {
  const auto fact = trace.facts.find("monitor.interval_ns");
  std::int64_t stated_ns = 0;
  if (fact != trace.facts.end()) {
    const std::string& text = fact->second;
    std::from_chars(text.data(), text.data() + text.size(), stated_ns);
  }
  return stated_ns;
}

std::int64_t MedianDistance(const std::vector<Sample>& samples) {
  std::vector<std::int64_t> distances;
  for (std::size_t i = 1; i < samples.size(); ++i)
    distances.push_back(samples[i].time_ns - samples[i - 1].time_ns);
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return *middle;
}

PowerSeries SeriesOf(std::string part, std::vector<Sample> samples, std::int64_t stated_ns) {
  std::stable_sort(samples.begin(), samples.end(),
                   [](const Sample& a, const Sample& b) { return a.time_ns < b.time_ns; });
  const std::int64_t usual_ns = stated_ns > 0 ? stated_ns : MedianDistance(samples);
  PowerSeries series{std::move(part), usual_ns, {}};
  if (usual_ns <= 0) return series;
  std::optional<std::int64_t> before_ns;
  for (const Sample& sample : samples) {
    const bool follows = before_ns && (sample.time_ns - *before_ns) / 3 <= usual_ns / 2;
    const std::int64_t begin_ns = follows ? *before_ns : sample.time_ns - usual_ns;
    // Two samples of one time: the first has it.
    if (sample.time_ns > begin_ns)
      series.intervals.push_back({begin_ns, sample.time_ns, sample.watts});
    before_ns = sample.time_ns;
  }
  return series;
}

/// In order, without overlap.
std::vector<Stretch> Union(std::vector<Stretch> stretches) {
  std::sort(stretches.begin(), stretches.end(),
            [](const Stretch& a, const Stretch& b) { return a.begin_ns < b.begin_ns; });
  std::vector<Stretch> merged;
  for (const Stretch& stretch : stretches) {
    if (stretch.end_ns <= stretch.begin_ns) continue;
    if (!merged.empty() && stretch.begin_ns <= merged.back().end_ns) {
      merged.back().end_ns = std::max(merged.back().end_ns, stretch.end_ns);
    } else {
      merged.push_back(stretch);
    }
  }
  return merged;
}

std::string WhyNot(const StretchEnergy& energy, std::int64_t interval_ns) {
  const double interval_ms = static_cast<double>(interval_ns) * 1e-6;
  if (energy.covered_ns == 0) return "no power is known of this time";
  if (energy.intervals < kFewestIntervals) {
    return fmt::format(
        "too short for its sampling: {:.3g} ms in all, {:g} intervals of {:.3g} ms "
        "are needed",
        static_cast<double>(energy.covered_ns) * 1e-6, kFewestIntervals, interval_ms);
  }
  return fmt::format(
      "mixed with other work within its sampling: it fills its intervals of {:.3g} "
      "ms to {:.0f} %",
      interval_ms, 100 * energy.confidence);
}

Stretch StretchOf(const trace::Trace& trace, trace::SpanId span) {
  const std::int64_t start_ns = trace.spans.start_ns[span - 1];
  const std::int64_t duration_ns = trace.spans.duration_ns[span - 1];
  return {start_ns, start_ns + std::max<std::int64_t>(0, duration_ns)};
}

/// What rows are told of.
struct Subject {
  std::int64_t point_id, run_id;
  std::string_view scope, name;
  std::optional<std::int64_t> layer;
};

void AddRow(const Subject& subject, const PowerSeries& series,
            const std::vector<Stretch>& stretches, std::size_t repetitions, store::Table& table) {
  const StretchEnergy energy = EnergyOver(series, stretches);
  table.rows.push_back(
      {CountCell(subject.point_id), CountCell(subject.run_id), std::string(subject.scope),
       subject.layer ? CountCell(*subject.layer) : store::Cell(), std::string(subject.name),
       series.part, CountCell(static_cast<std::int64_t>(repetitions)), CountCell(energy.span_ns),
       CountCell(energy.covered_ns), CountCell(series.interval_ns), energy.intervals,
       energy.confidence, NumberCell(energy.joules), TextCell(energy.reason)});
}

void AddWholeRun(const std::vector<PowerSeries>& all, Subject subject, store::Table& table) {
  subject.scope = "run";
  for (const PowerSeries& series : all) {
    std::vector<Stretch> sampled;
    for (const PowerInterval& interval : series.intervals)
      sampled.push_back({interval.begin_ns, interval.end_ns});
    sampled = Union(std::move(sampled));
    AddRow(subject, series, sampled, 1, table);
  }
}

void AddCalls(const RunView& run, const std::vector<PowerSeries>& all, Subject subject,
              store::Table& table) {
  subject.scope = "call";
  std::vector<Stretch> calls;
  std::string name = run.calls.kind;
  for (const Call& call : run.calls.calls) {
    if (call.root == 0) continue;
    calls.push_back(StretchOf(run.trace, call.root));
    if (name.empty()) name = run.NameOf(call.root);
  }
  if (calls.empty()) return;
  subject.name = name;
  for (const PowerSeries& series : all) AddRow(subject, series, calls, calls.size(), table);
}

/// Ranges directly in a training step, as the analysis `phases` has them.
void AddPhases(const RunView& run, const std::vector<PowerSeries>& all, Subject subject,
               store::Table& table) {
  subject.scope = "phase";
  const trace::SpanTable& spans = run.trace.spans;
  std::map<std::string_view, std::vector<Stretch>> phases;
  for (trace::SpanId span = 1; span <= spans.size(); ++span) {
    const trace::SpanId parent = spans.parent[span - 1];
    if (spans.level[span - 1] != trace::Level::kApplication || parent == 0) continue;
    if (spans.level[parent - 1] != trace::Level::kModel) continue;
    if (run.TypeOf(parent) != trace::type::kTrain) continue;
    phases[run.NameOf(span)].push_back(StretchOf(run.trace, span));
  }
  for (const auto& [name, stretches] : phases) {
    subject.name = name;
    for (const PowerSeries& series : all)
      AddRow(subject, series, stretches, stretches.size(), table);
  }
}

void AddLayers(const RunView& run, const PointLayers& layers, const std::vector<PowerSeries>& all,
               Subject subject, store::Table& table) {
  subject.scope = "layer";
  if (!run.layers) return;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (run.from_base[i] < 0) continue;
    const auto reference = static_cast<std::size_t>(run.from_base[i]);
    std::vector<Stretch> repetitions;
    for (std::size_t call = 0; call < run.layers->calls.size(); ++call) {
      const std::int32_t index = run.layers->calls[call]->a_to_b[reference];
      if (index < 0) continue;
      const Call& made = run.calls.calls[call];
      repetitions.push_back(
          StretchOf(run.trace, made.layers[static_cast<std::size_t>(index)].span));
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
  const trace::CounterTable& counters = trace.counters;
  std::map<trace::TrackId, std::vector<Sample>> by_track;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (trace.Text(counters.unit[i]) != "watt") continue;
    by_track[counters.track[i]].push_back({counters.time_ns[i], counters.value[i]});
  }
  std::vector<PowerSeries> all;
  const std::int64_t stated_ns = StatedInterval(trace);
  for (auto& [track, samples] : by_track) {
    const bool is_known = track >= 1 && track <= trace.tracks.size();
    PowerSeries series = SeriesOf(is_known ? trace.tracks[track - 1].name : std::string("machine"),
                                  std::move(samples), stated_ns);
    if (!series.intervals.empty()) all.push_back(std::move(series));
  }
  return all;
}

StretchEnergy EnergyOver(const PowerSeries& series, std::vector<Stretch> stretches) {
  const std::vector<Stretch> merged = Union(std::move(stretches));
  StretchEnergy energy;
  for (const Stretch& stretch : merged) energy.span_ns += stretch.end_ns - stretch.begin_ns;
  double joules = 0, filled_ns = 0;
  std::size_t first = 0;  // The first stretch that may reach into this interval or a later one.
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
                  std::string_view rung, store::Table& energy) {
  AddWholeRun(PowerSeriesOf(trace), {point_id, run_id, "run", rung, std::nullopt}, energy);
}

void AddEnergy(const Runs& runs, const PointLayers& layers, std::int64_t point_id,
               store::Table& energy) {
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
