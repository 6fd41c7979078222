// libxsp-torch-VERSION.so: operators of an unchanged PyTorch program. The start-up hook of `xsp
// record` (src/capture/record/python_hook) loads it after `import torch`; the recording is that of
// libxsp.so, which is in the process already.

#include <ATen/record_function.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "capture/record/control.h"
#include "capture/record/process.h"
#include "capture/wire/xsp.h"
#include "torch/module_path.h"
#include "torch/span_stack.h"

namespace xsp::worker_torch {
namespace {

struct Frame {
  const at::RecordFunction* function;
  xsp_span span;
  bool is_asked;          ///< The range that recording is confined to.
  std::int64_t sequence;  ///< Of autograd; -1: no gradient will be asked for.
  bool is_placed;         ///< Of a TorchScript function whose operators are asked for their place.
};

/// Calls of a TorchScript function, on each thread, whose operators are asked where in the model
/// they are: some microseconds each, so not all.
constexpr int kPlacedCalls = 3;

thread_local constinit SpanStack<Frame> stack = {};

/// Set before the observer is added.
record::AskedRange asked_range;

xsp_string RangeType() {
  static const xsp_string id = xsp_intern("range", 5);
  return id;
}

/// Of autograd's two events a node the outer one, which holds the inner one and little else. It
/// comes as a function.
bool IsEngineEvent(std::string_view name) {
  return name.starts_with("autograd::engine::evaluate_function");
}

/// The start-up hook records these itself, as the phase of the step.
bool IsOptimiserStep(std::string_view name) { return name.starts_with("Optimizer.step#"); }

/// A backward node is an operator: outermost, so a layer of the step.
xsp_span BeginSpan(const at::RecordFunction& function) {
  const std::string_view name(function.name());
  switch (function.scope()) {
    case at::RecordScope::USER_SCOPE:
      if (IsOptimiserStep(name)) return 0;
      return xsp_begin(XSP_LEVEL_APPLICATION, RangeType(), ThreadNames().Find(function.name()));
    case at::RecordScope::BACKWARD_FUNCTION: {
      const xsp_string id = ThreadNames().Find(function.name());
      return xsp_begin(XSP_LEVEL_LAYER, id, id);
    }
    default:
      return IsEngineEvent(name) ? 0 : BeginLayer(function);
  }
}

xsp_string SequenceKey() {
  static const xsp_string id = xsp_intern("sequence", 8);
  return id;
}

/// An operator that makes a node for the backward pass has the number which that node will have:
/// it tells where in the model the node's gradient is of.
void WriteSequence(xsp_span span, std::int64_t sequence) {
  std::array<char, 20> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), sequence).ptr;
  xsp_attribute(span, SequenceKey(), text.data(), static_cast<std::size_t>(end - text.data()));
}

xsp_string ScriptPathKey() {
  static const xsp_string id = xsp_intern("script_path", 11);
  return id;
}

/// Whether operators of this function are asked for their place: those of its first calls, and of
/// functions that they call.
bool IsPlaced(const at::RecordFunction& function, bool outer_is_placed) {
  if (function.scope() != at::RecordScope::TORCHSCRIPT_FUNCTION || outer_is_placed)
    return outer_is_placed;
  thread_local std::unordered_map<xsp_string, int> calls;
  int& made = calls[ThreadNames().Find(function.name())];
  return made < kPlacedCalls && ++made > 0;
}

/// Where in the TorchScript module the operator is: nothing of it runs in Python.
void WritePlace(xsp_span span) {
  const std::string path = ModulePath();
  if (!path.empty()) xsp_attribute(span, ScriptPathKey(), path.data(), path.size());
}

std::unique_ptr<at::ObserverContext> Begin(const at::RecordFunction& function) {
  const Frame* outer = stack.Top();
  const std::int64_t outer_sequence = outer == nullptr ? -1 : outer->sequence;
  const bool in_script = outer != nullptr && outer->is_placed;
  Frame* frame = stack.Push();
  if (frame == nullptr) return nullptr;
  const bool is_asked = asked_range.is_asked && function.scope() == at::RecordScope::USER_SCOPE &&
                        record::IsAsked(asked_range, ThreadNames().Find(function.name()), 0);
  if (is_asked) record::EnterAskedRange();
  // Operators that an operator calls are of its place.
  const bool is_operator = function.scope() == at::RecordScope::FUNCTION;
  *frame = {&function, BeginSpan(function), is_asked, function.seqNr(),
            !is_operator && IsPlaced(function, in_script)};
  if (is_operator && in_script && frame->span != 0) WritePlace(frame->span);
  // What the operator around it says already need not be repeated.
  if (frame->span != 0 && frame->sequence >= 0 && frame->sequence != outer_sequence)
    WriteSequence(frame->span, frame->sequence);
  return nullptr;
}

void End(const at::RecordFunction& function, at::ObserverContext*) {
  const Frame* frame = stack.Pop(&function);
  if (frame == nullptr) return;
  if (frame->span != 0) xsp_end(frame->span);
  if (frame->is_asked) record::LeaveAskedRange();
}

}  // namespace
}  // namespace xsp::worker_torch

namespace {
/// 0: nothing is observed.
at::CallbackHandle observer = 0;
}  // namespace

/// From now on the operators, backward nodes, TorchScript functions and record_function ranges of
/// all threads are recorded. Not while another thread stops it.
extern "C" XSP_API void xsp_torch_observe() {
  using namespace xsp::worker_torch;
  if (observer != 0) return;
  FunctionType();
  SequenceKey();
  ScriptPathKey();
  asked_range = xsp::record::ParseAskedRange(xsp::record::Environment(xsp::record::kRangeVariable));
  observer = at::addGlobalCallback(
      at::RecordFunctionCallback(Begin, End)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION,
                   at::RecordScope::TORCHSCRIPT_FUNCTION, at::RecordScope::USER_SCOPE}));
}

/// From now on they are not. While no operator runs. For bench/record_parts.py.
extern "C" XSP_API void xsp_torch_stop_observing() {
  if (observer != 0) at::removeCallback(observer);
  observer = 0;
}
