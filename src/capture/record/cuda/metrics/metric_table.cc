// A file of its own: compilers' caches keep none that includes bytes.
#include "capture/record/cuda/metrics/metric_table.h"

#include <cstddef>

// The table's bytes as they are: the library goes into programs that know nothing of XSP's files.
// clang-format off
__asm__(
    ".pushsection .rodata\n"
    ".local xsp_cuda_metrics_begin\n"
    ".local xsp_cuda_metrics_end\n"
    "xsp_cuda_metrics_begin:\n"
    ".incbin \"" XSP_CUDA_METRICS_TABLE "\"\n"
    "xsp_cuda_metrics_end:\n"
    ".byte 0\n"
    ".popsection\n");
// clang-format on
extern "C" {
__attribute__((visibility("hidden"))) extern const char xsp_cuda_metrics_begin[];
__attribute__((visibility("hidden"))) extern const char xsp_cuda_metrics_end[];
}

namespace xsp::record::cuda {

std::string_view BuiltInMetricTable() {
  return {xsp_cuda_metrics_begin,
          static_cast<std::size_t>(xsp_cuda_metrics_end - xsp_cuda_metrics_begin)};
}

}  // namespace xsp::record::cuda
