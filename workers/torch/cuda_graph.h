#ifndef XSP_WORKERS_TORCH_CUDA_GRAPH_H_
#define XSP_WORKERS_TORCH_CUDA_GRAPH_H_

#include <functional>
#include <memory>

namespace xsp::worker_torch {

/// One CUDA graph on one device. Everything here throws PyTorch's exceptions.
class CudaGraph {
 public:
  virtual ~CudaGraph() = default;

  /// Runs `work` on the stream that Capture captures, and waits for the device: what libraries set
  /// up or choose at their first call must not fall into a capture.
  virtual void Rehearse(const std::function<void()>& work) = 0;

  /// Makes a graph of what `work` launches. Nothing is executed; the memory of its results stays,
  /// and each replay writes it again.
  virtual void Capture(const std::function<void()>& work) = 0;

  /// Launches the graph. Returns when that is done: the device may be at work.
  virtual void Replay() = 0;
};

/// A graph on the CUDA device of that index. Its code lies in a library of its own
/// (libxsp-worker-torch-cuda.so, cuda/graph.cc), since it needs PyTorch's CUDA libraries, which the
/// worker loads only for such a device. Throws WorkerError (not possible) where that library was
/// not built or cannot be loaded.
std::unique_ptr<CudaGraph> MakeCudaGraph(int device);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_CUDA_GRAPH_H_
