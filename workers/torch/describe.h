#ifndef XSP_WORKERS_TORCH_DESCRIBE_H_
#define XSP_WORKERS_TORCH_DESCRIBE_H_

#include <c10/core/Device.h>

#include <string>

namespace xsp::worker_torch {

/// What this worker can do here, as JSON (docs/worker-protocol.md).
std::string Describe();

/// The CUDA devices that PyTorch sees, or why there are none, in words for people.
struct CudaState {
  int devices = 0;
  std::string why_none;  ///< Empty: there are some.
};

/// Loads PyTorch's CUDA library (from the folder of its other libraries) where the machine has an
/// NVIDIA driver. A second call is quick.
const CudaState& Cuda();

/// Writes what the caching allocator of a device has handed out and taken at most into the open
/// recording: torch.allocated_peak_bytes, torch.reserved_peak_bytes. Nothing for a CPU, which has
/// no such allocator.
void RecordMemoryFacts(c10::Device device);

/// Writes what PyTorch says of its build into the open recording: torch.config, torch.parallel,
/// onednn.version, mkl.version.
void RecordBuildFacts();

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_DESCRIBE_H_
