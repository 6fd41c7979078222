#ifndef XSP_CAPTURE_MONITOR_SERIES_ROWS_H_
#define XSP_CAPTURE_MONITOR_SERIES_ROWS_H_

#include <optional>
#include <span>
#include <vector>

#include "capture/monitor/monitor.h"
#include "trace/trace.h"

namespace xsp::monitor {

/// All rows.
std::vector<std::size_t> AllRows(const Series& series);

/// A time, ns since 1970.
struct Segment {
  std::int64_t begin_ns = 0, end_ns = 0;
};

/// The rows of which `segments` (in any order; where two overlap, the time counts once) cover at
/// least half.
std::vector<std::size_t> RowsFilledBy(const Series& series, std::vector<Segment> segments);

/// What the track of a channel is called: its part, or "machine".
std::string TrackName(const Channel& channel);

/// Adds those rows to a trace whose clock counts from 1970: a track of each part of the machine
/// (kind host; of a GPU device), a counter row of each value, with the end of its time; what is
/// missing or merged as diagnostics `monitor_*`; rate and cost as facts `monitor.*`.
void AddToTrace(const Series& series, std::span<const std::size_t> rows,
                trace::TraceWriter& writer);

/// Counts what the machine hides, with the reason, as diagnostics `monitor_hidden_*`. Once for an
/// experiment: it is the same in all its runs.
void AddHidden(const Series& series, trace::TraceWriter& writer);

/// Mean and greatest value of one channel over some rows.
struct ChannelSummary {
  const Channel* channel = nullptr;  ///< Borrowed from the series.
  double mean = kUnknown;            ///< Weighted by the rows' length.
  double most = kUnknown;
};

/// Of every channel that has a value in `rows`, in the order of the series.
std::vector<ChannelSummary> Summarise(const Series& series, std::span<const std::size_t> rows);

/// The columns of table 6 of "Demystifying the MLPerf Training Benchmark Suite" (ISPASS 2020), and
/// their greatest values. Without a value: the machine has none, or hides it.
struct SystemUsage {
  double seconds = 0;  ///< Of the rows together.
  std::int64_t samples = 0;
  std::optional<double> cpu_pct;            ///< Busy share of all CPUs, per cent.
  std::optional<double> gpu_pct_sum;        ///< Sum over GPUs of the share of time with a kernel.
  std::optional<double> system_memory_mb;   ///< In use on the machine, 10^6 bytes.
  std::optional<double> gpu_memory_mb_sum;  ///< In use on all GPUs, 10^6 bytes.
  std::optional<double> pcie_mbps;          ///< Both directions, all GPUs, 10^6 bits per second.
  std::optional<double> nvlink_mbps;        ///< Likewise.
  std::optional<double> cpu_pct_most, gpu_pct_sum_most, system_memory_mb_most,
      gpu_memory_mb_sum_most;
};
SystemUsage UsageIn(const Series& series, std::span<const std::size_t> rows);

}  // namespace xsp::monitor

#endif  // XSP_CAPTURE_MONITOR_SERIES_ROWS_H_
