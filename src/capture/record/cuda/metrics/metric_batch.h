#ifndef XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_BATCH_H_
#define XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/record/cuda/cupti/measured_launch.h"
#include "capture/record/cuda/metrics/metric_sets.h"
#include "capture/wire/xsp.h"

namespace xsp::record::cuda {

/// What the range profiler said of some launches in a row.
struct MeasuredRanges {
  std::vector<std::string> names;  ///< Of automatic ranges: numbers, in order of execution.
  std::vector<double> values;      ///< By range, then by MetricPlan::raw.
};

/// Which range is the first launch's, the second's, ...: by their numbers where all names are
/// different numbers, else as they lie.
std::vector<std::size_t> RangesInOrder(const std::vector<std::string>& names);

/// Puts measured launches into this process's recording: the call on its thread, the kernel on its
/// stream, with the metrics of its range, measured:cupti. One thread at a time.
class BatchRecorder {
 public:
  /// The n-th launch belongs to the n-th range in order. False, and nothing is recorded: there are
  /// not as many ranges as launches (or values as ranges), so that none can be tied to its launch.
  bool Record(const MetricPlan& plan, const std::vector<MeasuredLaunch>& launches,
              const MeasuredRanges& ranges);

 private:
  xsp_track Track(xsp_track_kind kind, std::uint32_t owner, std::int64_t stream);
  xsp_string KernelName(const std::string& mangled);

  std::map<std::pair<std::uint64_t, std::int64_t>, xsp_track> tracks_;
  std::unordered_map<std::string, xsp_string> kernel_names_;  // By mangled name.
};

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_BATCH_H_
