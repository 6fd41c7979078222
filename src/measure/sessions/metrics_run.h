#ifndef XSP_MEASURE_SESSIONS_METRICS_RUN_H_
#define XSP_MEASURE_SESSIONS_METRICS_RUN_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "os/subprocess.h"
#include "trace/trace.h"

namespace xsp::sessions {

/// The rung of a run for metrics, and its name: times of such runs are discarded (match/).
inline constexpr const char* kMetricsRung = "counters";

/// One execution of a program for the metrics of its CUDA kernels.
struct MetricsRun {
  os::ExitStatus exit;
  double seconds = 0;
  double recorded_s = 0;  ///< Of the run that gave the times.
  trace::Trace trace;     ///< Of all its processes; empty: none left a recording.
};

/// What its processes' facts say, summed (kernels) or at most (passes).
struct MetricsFigures {
  std::int64_t kernels = 0;     ///< That have metrics.
  std::int64_t unmeasured = 0;  ///< That ran without, or could not be tied.
  std::int64_t graph_launches = 0;
  std::int64_t passes = 0;
};
MetricsFigures FiguresOf(const trace::Trace& trace);

/// For people: what was measured in how many passes, what the run cost, what is missing and why.
/// `asked`: the sets. Sentences.
std::vector<std::string> MetricsNotes(const MetricsRun& run, std::string_view asked);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_METRICS_RUN_H_
