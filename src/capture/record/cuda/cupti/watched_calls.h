#ifndef XSP_CAPTURE_RECORD_CUDA_CUPTI_WATCHED_CALLS_H_
#define XSP_CAPTURE_RECORD_CUDA_CUPTI_WATCHED_CALLS_H_

#include <cupti.h>

#include <cstdint>
#include <span>

#include "capture/record/cuda/cupti/measured_launch.h"

namespace xsp::record::cuda {

/// What a CUDA call of the program means to this library.
enum class CallRole {
  kOther,
  kLaunch,        ///< Runs one kernel now.
  kGraphLaunch,   ///< Runs a graph's kernels.
  kCaptureBegin,  ///< From its end on a stream is captured.
  kCaptureEnd,
  kContextEnd,   ///< Ends one context or more (see EndingOf).
  kInstantiate,  ///< Makes a graph executable: nodes that are made meanwhile are clones.
  kProfilerStop,
};

struct WatchedCall {
  CUpti_CallbackDomain domain;
  CUpti_CallbackId id;
  CallRole role;
};

/// All calls that have a role. A CUPTI that does not know one refuses its callback.
std::span<const WatchedCall> WatchedCalls();

CallRole RoleOf(CUpti_CallbackDomain domain, CUpti_CallbackId id);

/// The stream of a call that launches a kernel, of the driver's domain.
CUstream StreamOf(CUpti_CallbackId id, const CUpti_CallbackData& call);
/// Whether that call's null stream is the thread's own.
bool IsPerThread(CUpti_CallbackId id);
/// Names, grid and blocks of that call.
void DescribeLaunch(CUpti_CallbackId id, const CUpti_CallbackData& call, MeasuredLaunch* launch);

/// The stream of a call that begins or ends a capture.
CUstream CapturedStreamOf(const CUpti_CallbackData& call);

/// What a call of kContextEnd ends.
struct ContextEnding {
  CUcontext context = nullptr;  ///< That one; null: see device.
  std::int64_t device = -1;     ///< The primary context of that one; -1: of an unknown one.
};
ContextEnding EndingOf(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                       const CUpti_CallbackData& call);

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_CUPTI_WATCHED_CALLS_H_
