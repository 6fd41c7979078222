#ifndef XSP_CAPTURE_RECORD_CUDA_METRICS_CONTEXT_METRICS_H_
#define XSP_CAPTURE_RECORD_CUDA_METRICS_CONTEXT_METRICS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/cuda/cupti/profiler_api.h"
#include "capture/record/cuda/metrics/metric_batch.h"
#include "capture/record/cuda/metrics/metric_sets.h"

namespace xsp::record::cuda {

/// What went wrong, as ReportProblem takes it; without a name nothing did.
struct MetricProblem {
  std::string name, what, hint;
};

/// What to do about an error of CUPTI's profiler.
std::string_view ProfilerHint(CUptiResult result);

#if XSP_HAS_RANGE_PROFILER

/// The range profiler on one CUDA context, in automatic ranges (one per kernel) and kernel replay:
/// between Start and Stop each kernel that is launched runs as often as the metrics need passes,
/// its memory put back in between, and its launch returns when all are done.
///
/// Threading: one thread at a time, any: where the context is not the thread's current one, it is
/// for as long as a function runs, as CUPTI asks.
class ContextMetrics {
 public:
  /// Most launches between Start and Stop.
  static constexpr std::size_t kMostLaunches = 64;
  /// Ranges that the image has room for: a launch may run more than one kernel.
  static constexpr std::size_t kMostRanges = 2 * kMostLaunches;

  ContextMetrics(const CuptiApi& cupti, const ProfilerApi& api, CUcontext context)
      : cupti_(cupti), api_(api), context_(context) {}
  ~ContextMetrics();
  ContextMetrics(const ContextMetrics&) = delete;
  ContextMetrics& operator=(const ContextMetrics&) = delete;

  /// Resolves what was asked for on this context's chip and makes ready. Returns what went wrong;
  /// can_measure() says whether anything can be measured all the same.
  MetricProblem Open(std::string_view asked, const MetricTable& table);
  bool can_measure() const { return profiler_ != nullptr; }

  /// `in_pushed_range`: with a range pushed around all of it, which some versions of CUPTI need in
  /// automatic ranges, too.
  MetricProblem Start(bool in_pushed_range);
  /// Reads what was measured since Start into `ranges`, and how many found no room in the image.
  MetricProblem Stop(MeasuredRanges* ranges, std::size_t* dropped);

  const MetricPlan& plan() const { return plan_; }
  std::uint32_t device() const { return device_; }
  const std::string& chip() const { return chip_; }
  int compute_capability() const { return compute_capability_; }  ///< Ten times it; 0: not known.
  std::size_t passes() const { return passes_; }                  ///< Times that a kernel runs.

 private:
  MetricProblem Failed(const char* function, CUptiResult result) const;
  MetricProblem NotCurrent(CUresult result) const;
  MetricProblem AskDevice();
  MetricProblem OpenHost();
  MetricProblem AddMetrics(std::string_view asked, const MetricTable& table);
  MetricProblem MakeConfig();
  MetricProblem OpenTarget();
  MetricProblem Evaluate(MeasuredRanges* ranges);
  bool HasMetric(const std::string& raw) const;
  void CloseHost();

  const CuptiApi& cupti_;
  const ProfilerApi& api_;
  const CUcontext context_;
  std::uint32_t device_ = 0;
  std::string chip_;
  int compute_capability_ = 0;
  MetricPlan plan_;
  std::vector<const char*> raw_names_;  ///< Of plan_.raw.
  std::size_t passes_ = 0;
  std::vector<std::uint8_t> availability_, config_, counters_;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  bool is_pushed_ = false;
};

#endif

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_METRICS_CONTEXT_METRICS_H_
