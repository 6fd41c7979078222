#ifndef XSP_WORKERS_TORCH_COUNTER_OBSERVER_H_
#define XSP_WORKERS_TORCH_COUNTER_OBSERVER_H_

#include <ATen/record_function.h>
#include <c10/core/Device.h>

namespace xsp::worker_torch {

/// While it lives, each outermost operator is recorded as a layer span with what was counted on the
/// thread that ran it (rung `counters`). Operators inside it and TorchScript functions are not
/// recorded: their reading would be counted too. On an asynchronous device a layer ends when the
/// device has finished it, and what is counted is the host's part. Threads as LayerObserver.
class CounterObserver {
 public:
  explicit CounterObserver(c10::Device device);
  ~CounterObserver();
  CounterObserver(const CounterObserver&) = delete;
  CounterObserver& operator=(const CounterObserver&) = delete;

 private:
  at::CallbackHandle handle_;
};

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_COUNTER_OBSERVER_H_
