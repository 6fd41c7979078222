#include "capture/monitor/series_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace xsp::monitor {

namespace {

constexpr double kPerCent = 100;
constexpr double kMega = 1e6;
constexpr double kBitsPerByte = 8;

/// "monitor_hidden_rapl_power_watts"
std::string DiagnosticName(std::string_view what, std::string_view channel) {
  std::string name = fmt::format("monitor_{}_{}", what, channel);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

/// What the monitor misses of the machine is no loss of the program's record.
trace::DiagnosticSpec NoteOf(std::string_view name, std::string_view help) {
  return {name, help, trace::DiagnosticKind::kNote};
}

trace::TrackId AddTrackOf(const Channel& channel, trace::TraceWriter& writer) {
  const bool is_gpu = channel.device >= 0;
  return writer.AddTrack({.kind = is_gpu ? trace::TrackKind::kDevice : trace::TrackKind::kHost,
                          .name = TrackName(channel),
                          .device = is_gpu ? channel.device : trace::kNotApplicable});
}

void CountUnknown(const Series& series, std::span<const std::size_t> rows, std::size_t channel,
                  trace::TraceWriter& writer) {
  if (series.channels[channel].sparse) return;
  const auto unknown = std::count_if(rows.begin(), rows.end(), [&](std::size_t row) {
    return std::isnan(series.Value(row, channel));
  });
  if (unknown == 0) return;
  const std::string name = DiagnosticName("unknown", series.channels[channel].name);
  writer.Count(
      NoteOf(name,
             "Samples in which it could not be told: the part went away, its counter was set "
             "back, or no time had passed. The series has gaps there."),
      TrackName(series.channels[channel]), unknown);
}

void AddLosses(const Series& series, trace::TraceWriter& writer) {
  if (series.late > 0) {
    writer.Count(
        NoteOf("monitor_late",
               "Samples that were left out because the one before took too long or the thread "
               "did not run. A lower --rate helps."),
        "", series.late);
  }
  if (series.samples_a_row > 1) {
    writer.Count(
        NoteOf("monitor_merged",
               "Neighbouring samples were merged into their mean, to keep to a bound of memory. "
               "A lower --rate keeps them apart."),
        fmt::format("{} samples a row", series.samples_a_row));
  }
}

void AddFacts(const Series& series, trace::TraceWriter& writer) {
  writer.SetFact("monitor.rate_hz", fmt::format("{:g}", series.rate_hz));
  // Rows have no begin of their own in a trace: it follows from the row before, and after a gap
  // from this.
  const double interval_ns = 1e9 / series.rate_hz * static_cast<double>(series.samples_a_row);
  if (series.rate_hz > 0) writer.SetFact("monitor.interval_ns", fmt::format("{:.0f}", interval_ns));
  writer.SetFact("monitor.samples", fmt::format("{}", series.samples));
  writer.SetFact("monitor.cpu_ns", fmt::format("{}", series.cpu_ns));
  writer.SetFact("monitor.wall_ns", fmt::format("{}", series.wall_ns));
  writer.SetFact("monitor.share_of_a_core", fmt::format("{:.5f}", series.CostShare()));
}

/// Of the time of a row; never 0, so that a lone row of no length has a mean.
double Weight(const Series& series, std::size_t row) {
  return static_cast<double>(std::max<std::int64_t>(1, series.end_ns[row] - series.BeginOf(row)));
}

ChannelSummary SummariseChannel(const Series& series, std::span<const std::size_t> rows,
                                std::size_t channel) {
  double sum = 0, weight = 0, most = -std::numeric_limits<double>::infinity();
  for (const std::size_t row : rows) {
    const double value = series.Value(row, channel);
    if (std::isnan(value)) continue;
    sum += value * Weight(series, row);
    weight += Weight(series, row);
    most = std::max(most, value);
  }
  if (weight == 0) return {&series.channels[channel], kUnknown, kUnknown};
  return {&series.channels[channel], sum / weight, most};
}

/// Mean of the sum over parts of the channels that `is_meant` picks: the sum of each channel's own
/// mean, since not every one has a value in every row.
template <typename Predicate>
std::optional<double> SumOfMeans(const std::vector<ChannelSummary>& summaries, double factor,
                                 Predicate is_meant) {
  std::optional<double> sum;
  for (const ChannelSummary& summary : summaries)
    if (is_meant(*summary.channel)) sum = sum.value_or(0) + summary.mean * factor;
  return sum;
}

/// The greatest sum over parts in one row.
template <typename Predicate>
std::optional<double> MostOfSums(const Series& series, std::span<const std::size_t> rows,
                                 double factor, Predicate is_meant) {
  std::optional<double> most;
  for (const std::size_t row : rows) {
    std::optional<double> sum;
    for (std::size_t i = 0; i < series.channels.size(); ++i) {
      const double value = series.Value(row, i);
      if (is_meant(series.channels[i]) && !std::isnan(value))
        sum = sum.value_or(0) + value * factor;
    }
    if (sum && (!most || *sum > *most)) most = sum;
  }
  return most;
}

auto Named(std::string_view name) {
  return [name](const Channel& channel) { return channel.name == name; };
}

}  // namespace

std::string TrackName(const Channel& channel) {
  return channel.part.empty() ? "machine" : channel.part;
}

std::vector<std::size_t> AllRows(const Series& series) {
  std::vector<std::size_t> rows(series.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

std::vector<std::size_t> RowsFilledBy(const Series& series, std::vector<Segment> segments) {
  std::sort(segments.begin(), segments.end(),
            [](const Segment& a, const Segment& b) { return a.begin_ns < b.begin_ns; });
  std::vector<std::size_t> rows;
  std::size_t first = 0;  // The first segment that may reach into this row or a later one.
  std::int64_t covered_to_ns = std::numeric_limits<std::int64_t>::min();
  for (std::size_t row = 0; row < series.rows(); ++row) {
    const std::int64_t begin_ns = series.BeginOf(row) + series.realtime_offset_ns;
    const std::int64_t end_ns = series.end_ns[row] + series.realtime_offset_ns;
    std::int64_t covered_ns = 0;
    for (std::size_t i = first; i < segments.size() && segments[i].begin_ns < end_ns; ++i) {
      const std::int64_t from_ns = std::max({segments[i].begin_ns, begin_ns, covered_to_ns});
      const std::int64_t to_ns = std::min(segments[i].end_ns, end_ns);
      covered_ns += std::max<std::int64_t>(0, to_ns - from_ns);
      covered_to_ns = std::max(covered_to_ns, to_ns);
    }
    while (first < segments.size() && segments[first].end_ns <= end_ns) ++first;
    if (end_ns > begin_ns && 2 * covered_ns >= end_ns - begin_ns) rows.push_back(row);
  }
  return rows;
}

void AddToTrace(const Series& series, std::span<const std::size_t> rows,
                trace::TraceWriter& writer) {
  std::map<std::string, trace::TrackId> tracks;
  for (std::size_t i = 0; i < series.channels.size(); ++i) {
    const Channel& channel = series.channels[i];
    trace::TrackId& track = tracks[channel.part];
    if (track == 0) track = AddTrackOf(channel, writer);
    CountUnknown(series, rows, i, writer);
    for (const std::size_t row : rows) {
      const double value = series.Value(row, i);
      if (std::isnan(value)) continue;
      writer.AddCounter(track, channel.name, series.end_ns[row] + series.realtime_offset_ns, value,
                        channel.unit);
    }
  }
  AddLosses(series, writer);
  AddFacts(series, writer);
}

void AddHidden(const Series& series, trace::TraceWriter& writer) {
  for (const Hidden& hidden : series.hidden) {
    const std::string name = DiagnosticName("hidden", hidden.name);
    writer.Count(
        NoteOf(name,
               "The machine does not show it, so there is no series of it; docs/monitor.md says "
               "where each comes from."),
        hidden.why);
  }
}

std::vector<ChannelSummary> Summarise(const Series& series, std::span<const std::size_t> rows) {
  std::vector<ChannelSummary> summaries;
  for (std::size_t i = 0; i < series.channels.size(); ++i) {
    const ChannelSummary summary = SummariseChannel(series, rows, i);
    if (!std::isnan(summary.mean)) summaries.push_back(summary);
  }
  return summaries;
}

SystemUsage UsageIn(const Series& series, std::span<const std::size_t> rows) {
  const std::vector<ChannelSummary> summaries = Summarise(series, rows);
  SystemUsage usage;
  for (const std::size_t row : rows) usage.seconds += Weight(series, row) * 1e-9;
  usage.samples = static_cast<std::int64_t>(rows.size());
  const auto all_cpus = [](const Channel& channel) {
    return channel.name == "cpu.busy_share" && channel.part.empty();
  };
  const auto starts = [](std::string_view beginning) {
    return [beginning](const Channel& channel) { return channel.name.starts_with(beginning); };
  };
  const auto gpu_busy = Named("nvml.gpu_busy_share");
  const auto memory = Named("memory.used_bytes");
  const auto gpu_memory = Named("nvml.memory_used_bytes");
  constexpr double kMegabits = kBitsPerByte / kMega;
  usage.cpu_pct = SumOfMeans(summaries, kPerCent, all_cpus);
  usage.gpu_pct_sum = SumOfMeans(summaries, kPerCent, gpu_busy);
  usage.system_memory_mb = SumOfMeans(summaries, 1 / kMega, memory);
  usage.gpu_memory_mb_sum = SumOfMeans(summaries, 1 / kMega, gpu_memory);
  usage.pcie_mbps = SumOfMeans(summaries, kMegabits, starts("nvml.pcie_"));
  usage.nvlink_mbps = SumOfMeans(summaries, kMegabits, starts("nvml.nvlink_"));
  usage.cpu_pct_most = MostOfSums(series, rows, kPerCent, all_cpus);
  usage.gpu_pct_sum_most = MostOfSums(series, rows, kPerCent, gpu_busy);
  usage.system_memory_mb_most = MostOfSums(series, rows, 1 / kMega, memory);
  usage.gpu_memory_mb_sum_most = MostOfSums(series, rows, 1 / kMega, gpu_memory);
  return usage;
}

}  // namespace xsp::monitor
