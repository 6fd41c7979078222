#ifndef XSP_WORKERS_MXNET_MODEL_H_
#define XSP_WORKERS_MXNET_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/worker.h"
#include "mxnet/arrays.h"
#include "mxnet/operator_monitor.h"

namespace xsp::worker_mxnet {

struct NamedArray {
  std::string name;
  Array array;
};

/// One input that the symbol takes and the parameters do not give.
struct Port {
  std::string name;
  std::vector<std::int64_t> shape;  ///< As the model's author gave it, 0 where free; may be empty.
};

/// A symbol with its parameters, bound to executors. Everything here throws WorkerError.
class Model {
 public:
  /// Loads what the path names (model_file.h).
  explicit Model(const std::string& path);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Labels of a training symbol are left out.
  const std::vector<Port>& inputs() const { return inputs_; }

  /// Copies the inputs of every later call, by name, or in order where no name is known, and binds
  /// an executor for their shapes.
  void Bind(const xsp_worker_tensor* inputs, std::size_t count);

  /// Makes the executor that Call(true) uses, unless it is there: the same symbol over the same
  /// arrays, so only what lies between operators takes memory twice.
  void PrepareMonitored();

  /// One call, start to finished results. `monitored`: each operator by itself, timed.
  void Call(bool monitored);

  OperatorMonitor& monitor() { return *monitor_; }

  /// The results of the last call, in order, valid until the next.
  std::vector<NDArrayHandle> Results() const;
  const std::vector<std::string>& result_names() const { return result_names_; }

 private:
  Executor MakeExecutor();
  void LoadParameters(const std::string& path);
  void FindInputs(const std::string& json);
  /// Arrays of all arguments and states, of these inputs' shapes.
  void MakeArguments(const std::vector<const xsp_worker_tensor*>& inputs);
  const Array* Parameter(const std::string& kind, const std::string& name) const;

  Symbol symbol_;
  std::vector<NamedArray> parameters_;  ///< "arg:fc_weight", "aux:bn_moving_mean".
  std::vector<std::string> arguments_, states_, result_names_;
  std::vector<Port> inputs_;
  std::vector<Array> made_;  ///< Inputs, labels, states without values.
  std::vector<NDArrayHandle> argument_arrays_, state_arrays_;
  Executor executor_, monitored_executor_;
  std::unique_ptr<OperatorMonitor> monitor_;
  ExecutorHandle last_ = nullptr;
};

}  // namespace xsp::worker_mxnet

#endif  // XSP_WORKERS_MXNET_MODEL_H_
