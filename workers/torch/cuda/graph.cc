// libxsp-worker-torch-cuda.so: CUDA graphs for the PyTorch worker, over PyTorch's CUDA libraries.
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "capture/wire/xsp.h"
#include "torch/cuda_graph.h"

namespace xsp::worker_torch {
namespace {

class Graph final : public CudaGraph {
 public:
  explicit Graph(c10::DeviceIndex device)
      : device_(device), stream_(c10::cuda::getStreamFromPool(false, device)) {}

  void Rehearse(const std::function<void()>& work) override {
    const c10::cuda::CUDAGuard guard(device_);
    // What has been asked of the default stream, such as copies of inputs, comes first.
    c10::cuda::getDefaultCUDAStream(device_).synchronize();
    {
      const c10::cuda::CUDAStreamGuard on_stream(stream_);
      work();
    }
    stream_.synchronize();
  }

  void Capture(const std::function<void()>& work) override {
    const c10::cuda::CUDAGuard guard(device_);
    const c10::cuda::CUDAStreamGuard on_stream(stream_);
    graph_.capture_begin();
    try {
      work();
    } catch (...) {
      // The stream is not to stay in a capture; what failed first is what the user wants to know.
      try {
        graph_.capture_end();
      } catch (const c10::Error&) {
      }
      throw;
    }
    graph_.capture_end();
  }

  void Replay() override {
    const c10::cuda::CUDAGuard guard(device_);
    graph_.replay();
  }

 private:
  c10::DeviceIndex device_;
  c10::cuda::CUDAStream stream_;
  at::cuda::CUDAGraph graph_;
};

}  // namespace
}  // namespace xsp::worker_torch

/// Throws PyTorch's exceptions: worker and library are compiled alike, by one build.
extern "C" XSP_API xsp::worker_torch::CudaGraph* xsp_make_cuda_graph(int device) {
  return new xsp::worker_torch::Graph(static_cast<c10::DeviceIndex>(device));
}
