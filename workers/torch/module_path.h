#ifndef XSP_WORKERS_TORCH_MODULE_PATH_H_
#define XSP_WORKERS_TORCH_MODULE_PATH_H_

#include <string>

namespace xsp::worker_torch {

/// The path in the model of the operator that TorchScript executes on this thread:
/// "layer1.0.conv2". Empty: of the model itself, or none is executed. Some microseconds: walks the
/// interpreter's frames and the node's inlined calls, which frozen graphs keep.
std::string ModulePath();

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_MODULE_PATH_H_
