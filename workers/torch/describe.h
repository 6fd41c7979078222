#ifndef XSP_WORKERS_TORCH_DESCRIBE_H_
#define XSP_WORKERS_TORCH_DESCRIBE_H_

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

/// Writes what PyTorch says of its build into the open recording: torch.config, torch.parallel,
/// onednn.version, mkl.version.
void RecordBuildFacts();

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_DESCRIBE_H_
