#ifndef XSP_WORKERS_TORCH_MODEL_H_
#define XSP_WORKERS_TORCH_MODEL_H_

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "harness/worker.h"
#include "torch/infer_inputs.h"

namespace xsp::worker_torch {

/// A loaded model that can be called. Everything here throws: PyTorch's exceptions or WorkerError.
class Model {
 public:
  virtual ~Model() = default;

  virtual std::vector<InferredInput> Infer(std::int64_t batch) const = 0;

  /// Takes the inputs of every later call: the harness's memory is used where it is, or copied when
  /// device or precision ask for it.
  virtual void Bind(const std::vector<at::Tensor>& inputs) = 0;

  /// One forward pass. Returns when the CPU is done with it: a device may still be at work.
  virtual void Call() = 0;

  /// What the last call returned: its tensors in order, lists, tuples and dictionaries opened,
  /// dense and in host memory.
  std::vector<at::Tensor> Outputs() const;

  c10::Device device() const { return device_; }
  /// "eager", "frozen", "optimised" or "compiled".
  const std::string& graph() const { return graph_; }
  const std::string& precision() const { return precision_; }

 protected:
  Model(c10::Device device, std::string graph, std::string precision)
      : device_(device), graph_(std::move(graph)), precision_(std::move(precision)) {}

  c10::IValue result_;  ///< Of the last call; dropped by the next.

 private:
  c10::Device device_;
  std::string graph_;
  std::string precision_;
};

/// Loads what the job names, TorchScript or compiled package.
///
/// Graph modes of TorchScript: `eager` (the default) is what a user's own
/// `torch.jit.load(path).eval()` runs, profiling executor and all; `frozen` is torch.jit.freeze();
/// `optimised` is torch.jit.optimize_for_inference(). All run in inference mode.
std::unique_ptr<Model> LoadModel(const xsp_worker_job& job);

/// The element type of a result. Throws WorkerError for one that the harness does not know.
xsp_worker_dtype DtypeOf(const at::Tensor& tensor);

/// A tensor over the harness's memory.
at::Tensor Wrap(const xsp_worker_tensor& tensor);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_MODEL_H_
