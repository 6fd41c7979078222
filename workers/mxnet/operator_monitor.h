#ifndef XSP_WORKERS_MXNET_OPERATOR_MONITOR_H_
#define XSP_WORKERS_MXNET_OPERATOR_MONITOR_H_

#include <mxnet/c_api.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "capture/wire/xsp.h"
#include "mxnet/symbol_graph.h"

namespace xsp::worker_mxnet {

/// What one operator of a call did. Shapes and types only where asked for.
struct MonitoredOperator {
  std::uint64_t start_ns = 0, end_ns = 0;  ///< CLOCK_MONOTONIC.
  bool seen = false;
  std::string input_shapes, input_types, output_shapes;  ///< Joined by commas.
};

/// Times the operators of an executor through its monitor callback, which MXNet calls for each
/// operator: once for each input before it is handed to the engine, once for each output after.
/// With the naive engine, which runs an operator on the calling thread before it returns, the
/// operator runs between the last of the former and the first of the latter.
class OperatorMonitor {
 public:
  /// `operators` in the order in which the executor runs them.
  explicit OperatorMonitor(std::vector<Operator> operators);

  /// Installs the callback on `executor`, for as long as that lives. This must live as long.
  void Watch(ExecutorHandle executor);

  /// Whether shapes and types are read, too.
  void ReadDetails(bool details) { details_ = details; }

  /// Before each call.
  void Begin();

  const std::vector<Operator>& operators() const { return operators_; }
  /// Of the last call, one for each of operators().
  const std::vector<MonitoredOperator>& calls() const { return calls_; }

 private:
  void OnArray(const char* name, NDArrayHandle array);
  bool IsOutputOf(std::size_t index, const char* name) const;
  /// The monitor reports an input that is a variable twice: by its own name, then as
  /// "OPERATOR_weight", which often is the same.
  bool IsInputOf(std::size_t index, const char* name) const;
  void ReadArray(NDArrayHandle array, bool is_output, MonitoredOperator& call) const;

  std::vector<Operator> operators_;
  std::vector<MonitoredOperator> calls_;
  std::size_t next_ = 0;       ///< The operator that runs now, or comes next.
  std::uint64_t last_ns_ = 0;  ///< When the last callback returned.
  bool in_outputs_ = false;    ///< The last callback was of an output of next_ - 1.
  std::string last_name_;      ///< Of the last callback for an input.
  bool details_ = false;
};

}  // namespace xsp::worker_mxnet

#endif  // XSP_WORKERS_MXNET_OPERATOR_MONITOR_H_
