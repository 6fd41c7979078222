#ifndef XSP_CAPTURE_RECORD_CUDA_METRICS_CAPTURE_FILE_H_
#define XSP_CAPTURE_RECORD_CUDA_METRICS_CAPTURE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/cuda/metrics/metric_batch.h"
#include "capture/record/cuda/metrics/metric_sets.h"

namespace xsp::record::cuda {

// What CUPTI's range profiler and host API said, so that it can be made into spans and metrics
// again where no GPU is (XSP_RECORD_CUDA_KEEP in a run of metrics, docs/cuda.md). Little-endian:
//
//   "XSPCUMET" | u32 format 1 | u32 CUPTI's version | blocks
//   block: u32 kind | u32 context (0, 1, ... in order) | u64 bytes of content | content, padded to
//   8
//
// A text is u32 bytes and the bytes. Files of before 2026-11-26 also have blocks of kinds 2 and 3,
// CUPTI's own images (80 MB for a batch on an H200), which only CUPTI can read: they are skipped.

inline constexpr char kMetricCaptureMagic[8] = {'X', 'S', 'P', 'C', 'U', 'M', 'E', 'T'};
inline constexpr std::uint32_t kMetricCaptureFormat = 1;

enum class MetricCaptureBlock : std::uint32_t {
  kPlan = 1,   ///< u32 compute capability x 10, passes, raw metrics; texts: chip, asked, the table,
               ///< each raw metric.
  kBatch = 4,  ///< u32 ranges, values, launches; texts: each range's name; f64 values by range;
               ///< each launch: u64 start, end, correlation; u32 device, stream, thread, grid x y
               ///< z, block x y z, dynamic shared bytes; texts: call, kernel.
};

/// Writes such a file. One thread at a time. What cannot be written is missing at the end.
class MetricCaptureWriter {
 public:
  /// Null or empty path: nothing is kept. A file that is there stays: PATH.<pid> is taken then, as
  /// a program's processes inherit one path.
  MetricCaptureWriter(const char* path, std::uint32_t cupti_version);
  ~MetricCaptureWriter();
  MetricCaptureWriter(const MetricCaptureWriter&) = delete;
  MetricCaptureWriter& operator=(const MetricCaptureWriter&) = delete;

  void Plan(std::uint32_t context, int compute_capability, std::size_t passes,
            const std::string& chip, std::string_view asked, std::string_view table,
            const MetricPlan& plan);
  void Batch(std::uint32_t context, const std::vector<MeasuredLaunch>& launches,
             const MeasuredRanges& ranges);

 private:
  void Block(std::uint32_t context, MetricCaptureBlock kind, const void* data, std::size_t bytes);

  std::FILE* file_ = nullptr;
};

/// Records such a file's batches into the recording that is open. Damage ends it: what was whole
/// before it has been recorded. Returns an empty text, or what is wrong, values last.
std::string ReplayMetricCapture(const std::string& path);

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_METRICS_CAPTURE_FILE_H_
