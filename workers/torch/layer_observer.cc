#include "torch/layer_observer.h"

#include <c10/core/impl/VirtualGuardImpl.h>

#include <memory>

#include "harness/device_waits.h"
#include "torch/span_stack.h"

namespace xsp::worker_torch {
namespace {

struct Frame {
  const at::RecordFunction* function;
  xsp_span span;
};

thread_local constinit SpanStack<Frame> stack = {};
thread_local constinit worker::DeviceWaits waits = {};

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
  if (function.scope() == at::RecordScope::FUNCTION) waits.BeginOperator();
  return Begin(function);
}

void EndAsynchronous(const at::RecordFunction& function, at::ObserverContext* context) {
  if (function.scope() == at::RecordScope::FUNCTION && waits.EndOperator())
    Synchronise(observed_device);
  End(function, context);
}

}  // namespace

WithoutWaiting::WithoutWaiting() { waits.Forbid(); }
WithoutWaiting::~WithoutWaiting() { waits.Allow(); }

void Synchronise(c10::Device device) {
  if (device.is_cpu()) return;
  c10::impl::VirtualGuardImpl(device.type()).synchronizeDevice(device.index());
}

LayerObserver::LayerObserver(c10::Device device) {
  FunctionType();
  observed_device = device;
  stack = {};
  waits.Forget();
  auto callback = device.is_cpu() ? at::RecordFunctionCallback(Begin, End)
                                  : at::RecordFunctionCallback(BeginAsynchronous, EndAsynchronous);
  handle_ = at::addThreadLocalCallback(
      callback.scopes({at::RecordScope::FUNCTION, at::RecordScope::TORCHSCRIPT_FUNCTION}));
}

LayerObserver::~LayerObserver() { at::removeCallback(handle_); }

}  // namespace xsp::worker_torch
