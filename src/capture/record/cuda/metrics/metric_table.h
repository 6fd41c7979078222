#ifndef XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_TABLE_H_
#define XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_TABLE_H_

#include <string_view>

namespace xsp::record::cuda {

/// machine/cuda_metrics.csv as it was when the library was built; static data.
std::string_view BuiltInMetricTable();

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_TABLE_H_
