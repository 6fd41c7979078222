#ifndef XSP_WORKERS_TORCH_OPERATOR_LIBRARY_H_
#define XSP_WORKERS_TORCH_OPERATOR_LIBRARY_H_

#include <string>

namespace xsp::worker_torch {

/// The operator that PyTorch does not know, by what it says when it loads a TorchScript file:
/// "torchvision::nms". Empty when the message is about something else.
std::string MissingOperator(const std::string& message);

/// Loads the library that has `name`, an operator that is missing, and records its path as the fact
/// `torchvision.library`. Only torchvision's is known: the file that the environment variable
/// XSP_TORCHVISION_LIBRARY names, else the package beside the PyTorch of the build. Throws
/// WorkerError (not_possible) when there is none, it cannot be loaded, or it was loaded before.
void LoadLibraryOf(const std::string& name);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_OPERATOR_LIBRARY_H_
