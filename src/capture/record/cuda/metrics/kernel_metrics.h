#ifndef XSP_CAPTURE_RECORD_CUDA_METRICS_KERNEL_METRICS_H_
#define XSP_CAPTURE_RECORD_CUDA_METRICS_KERNEL_METRICS_H_

#include "capture/record/cuda/cupti/cupti_api.h"

namespace xsp::record::cuda {

/// Kernel metrics of this process by CUPTI's range profiler, in a run of their own: no activity is
/// recorded, each kernel is replayed inside its launch, and what is recorded of it are its launch,
/// its name, its stream and its metrics; its time is that of the replays. What goes wrong is
/// reported in the recording, and the program runs on.
class KernelMetrics {
 public:
  /// Whether the environment asks for metrics (record::kCudaMetricsVariable).
  static bool IsAsked();

  /// Starts measuring with a CUPTI that was loaded and is of a known version; the recording is
  /// open. Takes CUPTI's one subscription. Once, from any thread.
  static void Start(const CuptiApi& cupti);
};

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_METRICS_KERNEL_METRICS_H_
