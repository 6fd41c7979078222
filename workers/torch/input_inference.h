#ifndef XSP_WORKERS_TORCH_INPUT_INFERENCE_H_
#define XSP_WORKERS_TORCH_INPUT_INFERENCE_H_

#include <torch/script.h>

#include <vector>

#include "harness/worker.h"

namespace xsp::worker_torch {

/// What `forward` takes, as far as the operators tell that each argument reaches: a convolution
/// gives the channels, a linear layer or an LSTM the features, an embedding that it is ids. Plain
/// numbers (`sr: int`) are of rank 0. Arguments with a default value are left out. Throws
/// WorkerError (not possible) for an argument that no tensor stands for. `module` is in eval mode
/// and not changed.
std::vector<xsp_worker_input> InferInputs(const torch::jit::Module& module);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_INPUT_INFERENCE_H_
