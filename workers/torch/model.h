#ifndef XSP_WORKERS_TORCH_MODEL_H_
#define XSP_WORKERS_TORCH_MODEL_H_

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "harness/worker.h"
#include "torch/cuda_graph.h"
#include "torch/input_inference.h"

namespace xsp::worker_torch {

/// A loaded model that can be called. Everything here throws: PyTorch's exceptions or WorkerError.
class Model {
 public:
  virtual ~Model() = default;

  /// What it takes, as far as its file tells; empty: that tells nothing.
  virtual std::vector<xsp_worker_input> Inputs() const = 0;

  /// Takes the inputs of every later call: the harness's memory is used where it is, or copied when
  /// device or precision ask for it.
  void Bind(const std::vector<at::Tensor>& inputs);

  /// One forward pass, or one replay of its graph. Returns when the CPU is done with it: a device
  /// may still be at work.
  void Call();

  /// From the next call on, forward passes are replays of a CUDA graph. That call makes it: three
  /// passes that are not recorded, the capture, whose operators are, and the first replay; again
  /// whenever inputs of other shapes are bound.
  void UseCudaGraph() { uses_cuda_graph_ = true; }
  /// Throws WorkerError (not possible) where the model's device has no CUDA graphs.
  void CheckCudaGraph() const;

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

  /// The inputs as Forward takes them: on the device, of the right types.
  virtual std::vector<at::Tensor> Prepare(const std::vector<at::Tensor>& inputs) const = 0;
  /// What every later Forward takes.
  virtual void Take(const std::vector<at::Tensor>& prepared) = 0;
  virtual c10::IValue Forward() = 0;

 private:
  void CaptureGraph();

  bool uses_cuda_graph_ = false;
  std::vector<at::Tensor> bound_;  ///< What a graph reads: kept for its life.
  c10::IValue result_;             ///< Of the last call; dropped by the next, if it is no replay.
  std::unique_ptr<CudaGraph> cuda_graph_;
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
