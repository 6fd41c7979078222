#ifndef XSP_WORKERS_TORCH_LAYER_OBSERVER_H_
#define XSP_WORKERS_TORCH_LAYER_OBSERVER_H_

#include <ATen/record_function.h>
#include <c10/core/Device.h>

namespace xsp::worker_torch {

/// While it lives, every operator (scope FUNCTION) and TorchScript function that this thread runs
/// is recorded as a layer span: times only, nothing allocated.
///
/// PyTorch hands the observer on to the threads of fork() and launch(); the threads that share one
/// operator's loop (intra-op) run no operators of their own, so they show nothing.
/// On an asynchronous device an outermost operator ends when the device has finished it.
class LayerObserver {
 public:
  explicit LayerObserver(c10::Device device);
  ~LayerObserver();
  LayerObserver(const LayerObserver&) = delete;
  LayerObserver& operator=(const LayerObserver&) = delete;

 private:
  at::CallbackHandle handle_;
};

/// While one lives, no operator of this thread waits for the device, and layers end when they have
/// been launched: for the capture of a CUDA graph, which to wait would make void.
class WithoutWaiting {
 public:
  WithoutWaiting();
  ~WithoutWaiting();
  WithoutWaiting(const WithoutWaiting&) = delete;
  WithoutWaiting& operator=(const WithoutWaiting&) = delete;
};

/// Waits until everything launched on `device` has finished; nothing to do for a CPU.
void Synchronise(c10::Device device);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_LAYER_OBSERVER_H_
