#include "torch/detail_observer.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/Allocator.h>
#include <c10/core/ScalarType.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "harness/fact.h"
#include "torch/module_path.h"
#include "torch/span_stack.h"

namespace xsp::worker_torch {

using worker::Intern;

namespace {

struct DetailFrame {
  const at::RecordFunction* function;  ///< Null: the call as a whole.
  bool is_operator;                    ///< Not a TorchScript function or the call.
  xsp_span span;
  std::int64_t allocated_bytes;
  std::int64_t start_bytes;  ///< In use when it began.
  std::int64_t peak_bytes;   ///< The most in use since.
};

struct ThreadDetails {
  SpanStack<DetailFrame> stack;
  std::int64_t in_use_bytes;
};

thread_local constinit ThreadDetails details = {};

struct Names {
  xsp_string input_shapes = Intern("input_shapes");
  xsp_string input_types = Intern("input_types");
  xsp_string output_shapes = Intern("output_shapes");
  xsp_string input_values = Intern("input_values");
  xsp_string sequence = Intern("sequence");
  xsp_string path = Intern("path");
  xsp_string allocated_bytes = Intern("allocated_bytes");
  xsp_string peak_bytes = Intern("peak_bytes");
  xsp_string byte = Intern("byte");
  xsp_string provenance = Intern("measured:torch_allocator");
};

const Names& CommonNames() {
  static const Names names;
  return names;
}

/// Counts what the allocator of one device reports: on a GPU the host's small tensors (sizes,
/// staging) are no part of what the model takes there.
class MemoryHook : public c10::MemoryReportingInfoBase {
 public:
  explicit MemoryHook(c10::Device device) : device_(device) {}

  void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t,
                         c10::Device device) override {
    if (!IsCounted(device, device_)) return;
    details.in_use_bytes += bytes;
    DetailFrame* top = details.stack.Top();
    if (!top || bytes <= 0) return;
    top->allocated_bytes += bytes;
    top->peak_bytes = std::max(top->peak_bytes, details.in_use_bytes);
  }

  bool memoryProfilingEnabled() const override { return true; }

 private:
  c10::Device device_;
};

void Push(const at::RecordFunction* function, xsp_span span) {
  if (DetailFrame* frame = details.stack.Push()) {
    const bool is_operator = function != nullptr && function->scope() == at::RecordScope::FUNCTION;
    *frame = {function, is_operator, span, 0, details.in_use_bytes, details.in_use_bytes};
  }
}

/// Takes a frame off, writes its memory and hands it on to the frame around it.
const DetailFrame* Pop(const at::RecordFunction* function) {
  const DetailFrame* frame = details.stack.Pop(function);
  if (!frame) return nullptr;
  if (DetailFrame* outer = details.stack.Top()) {
    outer->allocated_bytes += frame->allocated_bytes;
    outer->peak_bytes = std::max(outer->peak_bytes, frame->peak_bytes);
  }
  const Names& names = CommonNames();
  xsp_metric(frame->span, names.allocated_bytes, static_cast<double>(frame->allocated_bytes),
             names.byte, names.provenance);
  xsp_metric(frame->span, names.peak_bytes,
             static_cast<double>(frame->peak_bytes - frame->start_bytes), names.byte,
             names.provenance);
  return frame;
}

/// "float32", "bfloat16", ... as in attribute dtype.
std::string TypeName(at::ScalarType type) {
  switch (type) {
    case at::ScalarType::Float:
      return "float32";
    case at::ScalarType::Double:
      return "float64";
    case at::ScalarType::Half:
      return "float16";
    case at::ScalarType::Int:
      return "int32";
    case at::ScalarType::Long:
      return "int64";
    case at::ScalarType::Short:
      return "int16";
    case at::ScalarType::Char:
      return "int8";
    case at::ScalarType::Byte:
      return "uint8";
    default:
      break;
  }
  std::string name = c10::toString(type);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

/// Lists of shapes and types, as text: "[[1,3,224,224],[64,3,7,7]]" and "[float32,float32]".
class TensorTexts {
 public:
  void Add(const at::IValue& value) {
    if (value.isTensor()) {
      AddTensor(value.toTensor());
    } else if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorList()) AddTensor(tensor);
    } else if (value.isList()) {
      for (const at::IValue& item : value.toListRef()) Add(item);
    } else if (value.isTuple()) {
      for (const at::IValue& item : value.toTupleRef().elements()) Add(item);
    }
  }

  std::string Shapes() const { return "[" + shapes_ + "]"; }
  std::string Types() const { return "[" + types_ + "]"; }

 private:
  void AddTensor(const at::Tensor& tensor) {
    // A nested tensor has no one shape.
    if (!tensor.defined() || tensor.is_nested()) return;
    if (!types_.empty()) {
      shapes_ += ',';
      types_ += ',';
    }
    shapes_ += '[';
    for (std::int64_t i = 0; i < tensor.dim(); ++i) {
      if (i > 0) shapes_ += ',';
      shapes_ += std::to_string(tensor.size(i));
    }
    shapes_ += ']';
    types_ += TypeName(tensor.scalar_type());
  }

  std::string shapes_, types_;
};

void Attribute(xsp_span span, xsp_string key, const std::string& value) {
  if (span) xsp_attribute(span, key, value.data(), value.size());
}

/// The function's own `count` values: TorchScript's interpreter hands over its whole stack, of
/// which these are the last.
template <typename Values>
TensorTexts TextsOfLast(const Values& stack, std::size_t count) {
  TensorTexts texts;
  for (std::size_t i = stack.size() - std::min(count, stack.size()); i < stack.size(); ++i)
    texts.Add(stack[i]);
  return texts;
}

/// A number, a truth value or a list of numbers; empty: anything else.
std::string TextOf(const at::IValue& value) {
  if (value.isInt()) return std::to_string(value.toInt());
  if (value.isBool()) return value.toBool() ? "True" : "False";
  if (!value.isIntList()) return "";
  std::string text;
  for (const std::int64_t item : value.toIntVector())
    text += (text.empty() ? "[" : ",") + std::to_string(item);
  return text.empty() ? "[]" : text + "]";
}

/// The function's own `count` values, as attribute input_values.
template <typename Values>
std::string ValuesOfLast(const Values& stack, std::size_t count) {
  const std::size_t first = stack.size() - std::min(count, stack.size());
  std::string text;
  for (std::size_t i = first; i < stack.size(); ++i)
    text += (i > first ? ";" : "") + TextOf(stack[i]);
  return text;
}

/// Their strides, padding and dilation are no shapes.
bool IsConvolution(const at::RecordFunction& function) {
  return function.scope() == at::RecordScope::FUNCTION &&
         std::string_view(function.name()).find("conv") != std::string_view::npos;
}

std::unique_ptr<at::ObserverContext> BeginDetail(const at::RecordFunction& function) {
  const xsp_span span = BeginLayer(function);
  const TensorTexts inputs = TextsOfLast(function.inputs(), function.num_inputs());
  Attribute(span, CommonNames().input_shapes, inputs.Shapes());
  Attribute(span, CommonNames().input_types, inputs.Types());
  if (IsConvolution(function))
    Attribute(span, CommonNames().input_values,
              ValuesOfLast(function.inputs(), function.num_inputs()));
  if (function.seqNr() >= 0) {
    Attribute(span, CommonNames().sequence, std::to_string(function.seqNr()));
  }
  // Operators inside of another one lie where that does.
  const DetailFrame* outer = details.stack.Top();
  const bool is_layer =
      function.scope() == at::RecordScope::FUNCTION && (outer == nullptr || !outer->is_operator);
  if (const std::string path = is_layer ? ModulePath() : ""; !path.empty())
    Attribute(span, CommonNames().path, path);
  Push(&function, span);
  return nullptr;
}

void EndDetail(const at::RecordFunction& function, at::ObserverContext*) {
  const DetailFrame* frame = Pop(&function);
  if (!frame) return;
  // A TorchScript function's results are not handed to observers: an empty list would be untrue.
  if (function.scope() == at::RecordScope::FUNCTION) {
    const TensorTexts outputs = TextsOfLast(function.outputs(), function.num_outputs());
    Attribute(frame->span, CommonNames().output_shapes, outputs.Shapes());
  }
  xsp_end(frame->span);
}

}  // namespace

bool IsCounted(c10::Device allocated, c10::Device observed) {
  if (allocated.type() != observed.type()) return false;
  // "cuda" without a number is the current one.
  return observed.is_cpu() || !observed.has_index() || allocated.index() == observed.index();
}

DetailObserver::DetailObserver(c10::Device device) {
  CommonNames();
  FunctionType();
  details = {};
  memory_ = std::make_unique<c10::DebugInfoGuard>(c10::DebugInfoKind::PROFILER_STATE,
                                                  std::make_shared<MemoryHook>(device));
  handle_ = at::addThreadLocalCallback(
      at::RecordFunctionCallback(BeginDetail, EndDetail)
          .needsInputs(true)
          .needsOutputs(true)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::TORCHSCRIPT_FUNCTION}));
}

DetailObserver::~DetailObserver() { at::removeCallback(handle_); }

void DetailObserver::BeginCall(xsp_span call) { Push(nullptr, call); }

void DetailObserver::EndCall() { Pop(nullptr); }

}  // namespace xsp::worker_torch
