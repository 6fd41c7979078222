#include "torch/counter_observer.h"

#include <memory>

#include "harness/worker.h"
#include "torch/layer_observer.h"
#include "torch/name_table.h"
#include "torch/span_stack.h"

namespace xsp::worker_torch {
namespace {

struct CounterFrame {
  const at::RecordFunction* function;
  xsp_span span;  ///< 0: inside another operator.
};

thread_local constinit SpanStack<CounterFrame> counted = {};

/// Set before the observer is added, by the one thread that makes observers.
c10::Device counted_device = c10::kCPU;

std::unique_ptr<at::ObserverContext> BeginCounter(const at::RecordFunction& function) {
  // Too deep for the stack is too deep for a layer, too: nothing to count.
  if (CounterFrame* frame = counted.Push()) {
    frame->function = &function;
    const xsp_string name = ThreadNames().Find(function.name());
    frame->span = xsp_worker_begin_counted(name, name);
  }
  return nullptr;
}

void EndCounter(const at::RecordFunction& function, at::ObserverContext*) {
  const std::uint32_t before = counted.depth;
  const CounterFrame* frame = counted.Pop(&function);
  if (!frame) return;
  if (frame->span != 0) Synchronise(counted_device);
  // Those above it never ended here.
  for (std::uint32_t open = before; open > counted.depth + 1; --open) xsp_worker_end_counted(0);
  xsp_worker_end_counted(frame->span);
}

}  // namespace

CounterObserver::CounterObserver(c10::Device device) {
  counted_device = device;
  counted = {};
  handle_ = at::addThreadLocalCallback(
      at::RecordFunctionCallback(BeginCounter, EndCounter).scopes({at::RecordScope::FUNCTION}));
}

CounterObserver::~CounterObserver() { at::removeCallback(handle_); }

}  // namespace xsp::worker_torch
