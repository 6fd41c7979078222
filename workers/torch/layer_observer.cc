#include "torch/layer_observer.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <memory>

#include "torch/span_stack.h"

namespace xsp::worker_torch {
namespace {

struct Frame {
  const at::RecordFunction* function;
  xsp_span span;
};

thread_local constinit SpanStack<Frame> stack = {};
/// Operators open on this thread; the outermost one waits for the device.
thread_local constinit std::uint32_t operators_open = 0;

/// Set before the observer is added, by the one thread that makes observers.
c10::Device observed_device = c10::kCPU;

std::unique_ptr<at::ObserverContext> Begin(const at::RecordFunction& function) {
  if (Frame* frame = stack.Push()) {
    frame->function = &function;
    frame->span = BeginLayer(function);
  }
  return nullptr;
}

void End(const at::RecordFunction& function, at::ObserverContext*) {
  if (const Frame* frame = stack.Pop(&function)) xsp_end(frame->span);
}

std::unique_ptr<at::ObserverContext> BeginAsynchronous(const at::RecordFunction& function) {
  operators_open += function.scope() == at::RecordScope::FUNCTION;
  return Begin(function);
}

void EndAsynchronous(const at::RecordFunction& function, at::ObserverContext* context) {
  if (function.scope() == at::RecordScope::FUNCTION && operators_open > 0 &&
      --operators_open == 0) {
    Synchronise(observed_device);
  }
  End(function, context);
}

}  // namespace

void Synchronise(c10::Device device) {
  if (device.is_cpu()) return;
  c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
}

LayerObserver::LayerObserver(c10::Device device) {
  FunctionType();
  observed_device = device;
  stack = {};
  operators_open = 0;
  auto callback = device.is_cpu() ? at::RecordFunctionCallback(Begin, End)
                                  : at::RecordFunctionCallback(BeginAsynchronous, EndAsynchronous);
  handle_ = at::addThreadLocalCallback(
      callback.scopes({at::RecordScope::FUNCTION, at::RecordScope::TORCHSCRIPT_FUNCTION}));
}

LayerObserver::~LayerObserver() { at::removeCallback(handle_); }

}  // namespace xsp::worker_torch
