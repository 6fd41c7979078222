#ifndef XSP_CAPTURE_RECORD_CPU_CAPTURE_H_
#define XSP_CAPTURE_RECORD_CPU_CAPTURE_H_

#include <cstdint>
#include <string_view>

#include "capture/wire/xsp.h"

namespace xsp::record {

/// What the capture has seen since the process began, all threads.
struct CpuCaptureCounts {
  std::uint64_t kernels = 0;          ///< Lines that became kernel spans.
  std::uint64_t other_lines = 0;      ///< Creation, information: swallowed, not recorded.
  std::uint64_t truncated_lines = 0;  ///< Longer than 16 KiB: their time is lost, not recorded.
};

/// From now on the lines that oneDNN and MKL announce their calls with (`onednn_verbose,...`,
/// `MKL_VERBOSE ...`) become kernel spans of type `primitive` inside the span that is open on the
/// printing thread, with attribute `raw`, and do not reach stdout. Everything else that is printed
/// passes unchanged. The libraries' own verbose switches are the caller's business.
///
/// Works because this file defines the C library's print functions: whoever links it must export
/// them to shared libraries (see docs/cpu-capture.md). Any thread; costs about a microsecond a
/// line.
void StartCpuCapture();

/// From now on all lines pass unchanged.
void StopCpuCapture();

/// One captured call, as its thread sees it just after it ended.
struct CapturedKernel {
  xsp_string kind;  ///< "convolution", "SGEMM".
  std::uint64_t start_ns, duration_ns;
  std::string_view line;  ///< As announced, without the line feed; gone when the sink returns.
};

/// From now on `sink` gets the kernels, on the thread that executed each, instead of the recording;
/// null: the recording gets them again. For frameworks that tell their layers only after the call:
/// see harness/announced_kernels.h. The sink must not print.
using KernelSink = void (*)(const CapturedKernel& kernel);
void SetKernelSink(KernelSink sink);

CpuCaptureCounts CpuCaptureCountsSoFar();

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_CPU_CAPTURE_H_
