#ifndef XSP_WORKERS_TORCH_DETAIL_OBSERVER_H_
#define XSP_WORKERS_TORCH_DETAIL_OBSERVER_H_

#include <ATen/record_function.h>
#include <c10/core/Device.h>
#include <c10/util/ThreadLocalDebugInfo.h>

#include <memory>

#include "capture/wire/xsp.h"

namespace xsp::worker_torch {

/// Whether memory that was allocated on `allocated` is part of what a model on `observed` takes.
bool IsCounted(c10::Device allocated, c10::Device observed);

/// While it lives, every operator and TorchScript function of this thread is recorded as a layer
/// span with
/// - attributes input_shapes, input_types, output_shapes: its tensors in order, lists of tensors
///   opened up, what is no tensor left out;
/// - attribute input_values of convolutions: an entry for each argument, empty for what is neither
///   a number, a truth value nor a list of numbers (";;;[2,2];[1,1];[1,1];False;[0,0];1");
/// - attribute sequence: autograd's sequence number, where there is one;
/// - metrics allocated_bytes and peak_bytes, from what PyTorch's allocators report: the sum of the
///   allocations within the span (frees not subtracted), and how far the memory in use rose above
///   its level at the span's start. Scratch memory that oneDNN allocates by itself is not reported.
/// All this takes time: the times of the spans are not worth much.
class DetailObserver {
 public:
  /// Memory is that of `device`; the host's, beside a GPU, is not counted.
  explicit DetailObserver(c10::Device device);
  ~DetailObserver();
  DetailObserver(const DetailObserver&) = delete;
  DetailObserver& operator=(const DetailObserver&) = delete;

  /// Around one call of the model: puts its allocated_bytes and peak_bytes on the span `call`.
  void BeginCall(xsp_span call);
  void EndCall();

 private:
  at::CallbackHandle handle_;
  std::unique_ptr<c10::DebugInfoGuard> memory_;
};

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_DETAIL_OBSERVER_H_
