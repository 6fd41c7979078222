#include "mxnet/operator_monitor.h"

#include <string_view>
#include <utility>

#include "mxnet/arrays.h"

namespace xsp::worker_mxnet {
namespace {

void Append(std::string& list, const std::string& item) {
  if (!list.empty()) list += ',';
  list += item;
}

}  // namespace

OperatorMonitor::OperatorMonitor(std::vector<Operator> operators)
    : operators_(std::move(operators)), calls_(operators_.size()) {}

void OperatorMonitor::Watch(ExecutorHandle executor) {
  const auto callback = [](const char* name, NDArrayHandle array, void* self) {
    static_cast<OperatorMonitor*>(self)->OnArray(name, array);
    // The callback owns what it is handed.
    MXNDArrayFree(array);
    static_cast<OperatorMonitor*>(self)->last_ns_ = xsp_now_ns();
  };
  Check(MXExecutorSetMonitorCallbackEX(executor, callback, this, true),
        "cannot watch the operators", "");
}

void OperatorMonitor::Begin() {
  for (MonitoredOperator& call : calls_) call = {};
  next_ = 0;
  in_outputs_ = false;
  last_name_.clear();
  last_ns_ = xsp_now_ns();
}

/// Callbacks name arrays "OPERATOR_output", "OPERATOR_output0", "OPERATOR_mean": the inputs of an
/// operator are named after it, too, so only the order tells them apart, and the operator's own
/// "_output" that MXNet gives most of them.
bool OperatorMonitor::IsOutputOf(std::size_t index, const char* name) const {
  const std::string& node = operators_[index].name;
  const std::string_view text(name);
  return text.starts_with(node) && text.substr(node.size()).starts_with("_output");
}

bool OperatorMonitor::IsInputOf(std::size_t index, const char* name) const {
  const std::string& node = operators_[index].name;
  const std::string_view text(name);
  return text.starts_with(node) && text.substr(node.size()).starts_with("_") && text != last_name_;
}

void OperatorMonitor::ReadArray(NDArrayHandle array, bool is_output,
                                MonitoredOperator& call) const {
  const auto dtype = ElementTypeOf(TypeFlagOfArray(array));
  const std::string shape = ShapeText(ShapeOf(array));
  if (is_output) return Append(call.output_shapes, shape);
  Append(call.input_shapes, shape);
  Append(call.input_types, dtype ? xsp_worker_dtype_name(*dtype) : "unknown");
}

void OperatorMonitor::OnArray(const char* name, NDArrayHandle array) {
  const std::uint64_t now_ns = xsp_now_ns();
  // Further outputs of the operator that ended.
  if (in_outputs_ && IsOutputOf(next_ - 1, name)) {
    if (details_) ReadArray(array, true, calls_[next_ - 1]);
    return;
  }
  in_outputs_ = false;
  if (next_ >= operators_.size()) return;
  MonitoredOperator& call = calls_[next_];
  const bool ends = IsOutputOf(next_, name);
  if (details_ && (ends || IsInputOf(next_, name))) ReadArray(array, ends, call);
  last_name_ = name;
  if (!ends) return;
  call.start_ns = last_ns_;
  call.end_ns = now_ns;
  call.seen = true;
  in_outputs_ = true;
  ++next_;
}

}  // namespace xsp::worker_mxnet
