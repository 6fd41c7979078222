#ifndef XSP_CAPTURE_RECORD_CUDA_CUPTI_MEASURED_LAUNCH_H_
#define XSP_CAPTURE_RECORD_CUDA_CUPTI_MEASURED_LAUNCH_H_

#include <cstdint>
#include <string>

namespace xsp::record::cuda {

/// One kernel launch whose kernel was replayed inside it.
struct MeasuredLaunch {
  std::uint64_t start_ns = 0, end_ns = 0;  ///< Of the call, CLOCK_MONOTONIC: all replays are in it.
  std::uint64_t correlation = 0;           ///< Ties the kernel to its launch; a number of our own.
  std::uint32_t device = 0, stream = 0, thread = 0;
  std::uint32_t grid[3] = {}, block[3] = {};
  std::uint32_t dynamic_shared_bytes = 0;
  std::string call;    ///< "cuLaunchKernel"
  std::string kernel;  ///< As linked (mangled); empty: CUPTI did not tell.
};

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_CUPTI_MEASURED_LAUNCH_H_
