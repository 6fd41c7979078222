#ifndef XSP_CAPTURE_MONITOR_MONITOR_H_
#define XSP_CAPTURE_MONITOR_MONITOR_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "capture/collect/machine_files.h"
#include "capture/monitor/sampler.h"
#include "core/result.h"

namespace xsp::monitor {

/// What a Monitor has sampled. Times are CLOCK_MONOTONIC in ns. Row i stands for the time from the
/// row before (the first: from `start_ns`) to `end_ns[i]`: rates are means over it, the other
/// values are of its end.
struct Series {
  std::vector<Channel> channels;
  std::vector<Hidden> hidden;
  std::int64_t start_ns = 0;            ///< When the samplers were first read.
  std::vector<std::int64_t> end_ns;     ///< Of each row.
  std::vector<double> values;           ///< Row by row, one of each channel; kUnknown where none.
  std::int64_t samples = 0;             ///< Readings behind the rows.
  std::int64_t late = 0;                ///< Readings that were left out: the machine was too busy.
  int samples_a_row = 1;                ///< 2, 4, ... where rows were merged to keep to the memory.
  double rate_hz = 0;                   ///< As asked for.
  std::int64_t realtime_offset_ns = 0;  ///< Added to a time it is ns since 1970, UTC.
  std::int64_t cpu_ns = 0;              ///< CPU time of the sampling thread, over `wall_ns`.
  std::int64_t wall_ns = 0;

  std::size_t rows() const { return end_ns.size(); }
  std::int64_t BeginOf(std::size_t row) const { return row == 0 ? start_ns : end_ns[row - 1]; }
  double Value(std::size_t row, std::size_t channel) const {
    return values[row * channels.size() + channel];
  }
  /// Share of one core that the sampling took; 0 before there is a time to tell it of.
  double CostShare() const {
    return wall_ns > 0 ? static_cast<double>(cpu_ns) / static_cast<double>(wall_ns) : 0;
  }
};

struct MonitorOptions {
  double rate_hz = 10;                             ///< 0.01 to 1000.
  std::size_t most_values = std::size_t{2} << 20;  ///< 16 MiB; then rows are merged in pairs.
  collect::MachineFiles files = collect::MachineFiles();
};

/// Samples a machine from a thread of its own, from Start() until Stop() or its end.
///
/// Deadlines are multiples of the period from the start, so that it does not drift; one that has
/// passed is left out and counted. Where the values would outgrow `most_values`, neighbouring rows
/// are merged: the mean over both, of half as many rows. The thread blocks all signals.
///
/// Threading: members from one thread at a time.
class Monitor {
 public:
  /// Opens the samplers and reads them once, in the calling thread. Errors: kUsage for a rate out
  /// of range, kEnvironment where no thread or timer can be had.
  static Result<std::unique_ptr<Monitor>> Start(std::span<const SamplerSpec* const> specs,
                                                const MonitorOptions& options = {});
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

  /// Reads once more, so that nothing of the time is left out, and ends. Idempotent.
  const Series& Stop();

 private:
  struct State;
  explicit Monitor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace xsp::monitor

#endif  // XSP_CAPTURE_MONITOR_MONITOR_H_
