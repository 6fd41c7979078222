#include "derive/match/event_counts.h"

#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::match {

namespace {

constexpr std::string_view kProvenance = "measured:perf_event";
constexpr std::string_view kShareSuffix = ".counted_share";

/// A metric that counts events, in the pool of one trace.
struct CountedName {
  trace::StringId name = 0;
  trace::StringId share = 0;  ///< 0: it was counted all the time, everywhere.
  trace::StringId unit = 0, provenance = 0;
};

std::vector<CountedName> CountedNames(const RunView& run) {
  std::vector<CountedName> names;
  std::set<trace::StringId> seen;
  const trace::MetricTable& metrics = run.trace.metrics;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (!run.trace.Text(metrics.provenance[i]).starts_with(kProvenance)) continue;
    if (run.trace.Text(metrics.name[i]).ends_with(kShareSuffix)) continue;
    if (!seen.insert(metrics.name[i]).second) continue;
    names.push_back({metrics.name[i], 0, metrics.unit[i], metrics.provenance[i]});
  }
  for (CountedName& counted : names)
    counted.share =
        run.values.Find(std::string(run.trace.Text(counted.name)) + std::string(kShareSuffix));
  return names;
}

using MeanOf =
    std::function<double(const std::function<std::optional<double>(trace::SpanId)>& value)>;

void AddRows(const RunView& run, const std::vector<CountedName>& names, std::int64_t point_id,
             std::optional<std::int64_t> layer, const MeanOf& mean_of,
             std::vector<store::EventCountRow>& table) {
  for (const CountedName& counted : names) {
    const auto value = [&](trace::SpanId span) { return run.values.Metric(span, counted.name); };
    const auto share = [&](trace::SpanId span) -> std::optional<double> {
      if (!run.values.Metric(span, counted.name)) return std::nullopt;
      return run.values.Metric(span, counted.share).value_or(1);
    };
    const double mean = mean_of(value);
    // Never counted there: not 0, but not known.
    if (std::isnan(mean)) continue;
    table.push_back({.point_id = point_id,
                     .layer_index = layer,
                     .name = std::string(run.trace.Text(counted.name)),
                     .value = mean,
                     .unit = std::string(run.trace.Text(counted.unit)),
                     .counted_share = mean_of(share),
                     .provenance = std::string(run.trace.Text(counted.provenance)),
                     .source_run = run.input.run_id});
  }
}

void AddRun(const RunView& run, const PointLayers& layers, std::int64_t point_id,
            std::vector<store::EventCountRow>& table) {
  const std::vector<CountedName> names = CountedNames(run);
  AddRows(
      run, names, point_id, std::nullopt,
      [&](const auto& value) {
        std::vector<double> samples;
        for (std::size_t i = 0; i < run.calls.calls.size(); ++i) {
          const trace::SpanId root = run.calls.calls[i].root;
          const auto sample = run.used[i] && root != 0 ? value(root) : std::nullopt;
          if (sample) samples.push_back(*sample);
        }
        return core::TrimmedMean(samples);
      },
      table);
  if (!run.layers) return;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (run.from_base[i] < 0) continue;
    AddRows(
        run, names, point_id, static_cast<std::int64_t>(i),
        [&](const auto& value) {
          return MeanOverCalls(run, *run.layers, static_cast<std::size_t>(run.from_base[i]),
                               [&](std::size_t call, std::size_t layer) {
                                 return value(run.calls.calls[call].layers[layer].span);
                               });
        },
        table);
  }
}

}  // namespace

void AddEventCounts(const Runs& runs, const PointLayers& layers, std::int64_t point_id,
                    std::vector<store::EventCountRow>& event_count) {
  for (const auto& run : runs)
    if (run->input.rung == "counters") AddRun(*run, layers, point_id, event_count);
}

}  // namespace xsp::match
