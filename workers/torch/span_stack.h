#ifndef XSP_WORKERS_TORCH_SPAN_STACK_H_
#define XSP_WORKERS_TORCH_SPAN_STACK_H_

#include <ATen/record_function.h>

#include <array>
#include <cstdint>

#include "capture/wire/xsp.h"
#include "torch/name_table.h"

namespace xsp::worker_torch {

/// The id of "function", the type of TorchScript functions: they group layers.
inline xsp_string FunctionType() {
  static const xsp_string id = xsp_intern("function", 8);
  return id;
}

/// Begins the layer span of `function`.
inline xsp_span BeginLayer(const at::RecordFunction& function) {
  const xsp_string name = ThreadNames().Find(function.name());
  const bool is_operator = function.scope() == at::RecordScope::FUNCTION;
  return xsp_begin(XSP_LEVEL_LAYER, is_operator ? name : FunctionType(), name);
}

/// The functions that run on one thread, innermost last. `Frame` has a member
/// `const at::RecordFunction* function`. Plain data, so that a thread_local one needs no guard.
template <typename Frame>
struct SpanStack {
  /// Deeper calls are not recorded.
  static constexpr std::uint32_t kDeepest = 256;

  std::array<Frame, kDeepest> frames;
  std::uint32_t depth;

  /// The frame for a new innermost function, or null when it is too deep.
  Frame* Push() { return depth < kDeepest ? &frames[depth++] : nullptr; }

  Frame* Top() { return depth > 0 ? &frames[depth - 1] : nullptr; }

  /// Takes the frame of `function` off, with any above it that never ended here; null when the
  /// function began on another thread or was too deep.
  Frame* Pop(const at::RecordFunction* function) {
    for (std::uint32_t i = depth; i > 0; --i) {
      if (frames[i - 1].function == function) {
        depth = i - 1;
        return &frames[i - 1];
      }
    }
    return nullptr;
  }
};

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_SPAN_STACK_H_
