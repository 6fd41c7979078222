#ifndef XSP_WORKERS_TORCH_INFER_INPUTS_H_
#define XSP_WORKERS_TORCH_INFER_INPUTS_H_

#include <torch/script.h>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/worker.h"

namespace xsp::worker_torch {

struct InferredInput {
  std::string name;
  xsp_worker_dtype dtype;
  std::vector<std::int64_t> shape;
};

/// Guesses the tensors that `forward` takes, from the first operator that each one reaches: a
/// convolution gives the channels (images are taken as 224 x 224, series as 1024, volumes as 16 x
/// 112 x 112), a linear layer the features, an embedding 128 token ids. Throws WorkerError (bad
/// input) when it finds none: then the manifest has to say it. `module` is in eval mode and not
/// changed.
std::vector<InferredInput> InferInputs(const torch::jit::Module& module, std::int64_t batch);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_INFER_INPUTS_H_
