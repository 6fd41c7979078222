#ifndef XSP_WORKERS_TORCH_DESCRIBE_H_
#define XSP_WORKERS_TORCH_DESCRIBE_H_

#include <string>

namespace xsp::worker_torch {

/// What this worker can do here, as JSON (docs/worker-protocol.md).
std::string Describe();

/// Loads PyTorch's CUDA library where the machine has an NVIDIA driver. Returns how many CUDA
/// devices PyTorch then sees. A second call is quick.
int CudaDevices();

/// Writes what PyTorch says of its build into the open recording: torch.config, torch.parallel,
/// onednn.version, mkl.version.
void RecordBuildFacts();

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_DESCRIBE_H_
