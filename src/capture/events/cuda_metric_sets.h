#ifndef XSP_CAPTURE_EVENTS_CUDA_METRIC_SETS_H_
#define XSP_CAPTURE_EVENTS_CUDA_METRIC_SETS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::events {

/// The sets of kernel metrics that the table knows, in its order: "flops", "roofline", ...
/// Errors: kEnvironment (no such table).
Result<std::vector<std::string>> CudaMetricSets(const std::filesystem::path& table);

/// Looks at what is to be measured before a program runs for it: sets of machine/cuda_metrics.csv
/// (or of the table that XSP_RECORD_CUDA_METRICS_TABLE names), and raw names, which have "__" in
/// them and which only the GPU can know. Errors: kUsage for another word, with the sets that there
/// are; kEnvironment (no table).
Status CheckCudaMetrics(std::string_view asked);

}  // namespace xsp::events

#endif  // XSP_CAPTURE_EVENTS_CUDA_METRIC_SETS_H_
