#ifndef XSP_WORKERS_HARNESS_CUDA_RECORDING_H_
#define XSP_WORKERS_HARNESS_CUDA_RECORDING_H_

#include <string>

namespace xsp::worker {

/// Has libxsp-cuda.so record what this process does on CUDA devices, or not, from here on. XSP
/// names that library in CUDA_INJECTION64_PATH when it starts a worker for the rung `kernel` on
/// such a device, and the CUDA driver has loaded it once the worker's framework has used one.
/// Switched off, it costs nothing, so that alternating calls measure its overhead. What was
/// launched must have finished. Returns what is missing; empty: it is done.
std::string SwitchCudaRecording(bool on);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_CUDA_RECORDING_H_
