#ifndef XSP_WORKERS_OPENVINO_MODEL_H_
#define XSP_WORKERS_OPENVINO_MODEL_H_

#include <cstdint>
#include <memory>
#include <openvino/openvino.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker.h"
#include "openvino/node_table.h"
#include "openvino/settings.h"

namespace xsp::worker_openvino {

/// OpenVINO itself; made at the first call. Never destroyed: its plugins' threads outlive main().
ov::Core& TheCore();

/// A loaded model that can be called. Everything here throws: OpenVINO's exceptions or WorkerError.
class Model {
 public:
  /// Reads the file and compiles it, for the shapes that it would have with the job's batch. What
  /// is still open then is compiled by Bind().
  explicit Model(const xsp_worker_job& job);

  /// The inputs that the model takes, as far as it tells.
  std::vector<xsp_worker_input> Inputs() const;

  /// Takes the inputs of every later call, by name or, where no name fits, by order; their memory
  /// is used where it is. Compiles again where the graph is for fixed shapes and these are others.
  void Bind(const xsp_worker_tensor* inputs, std::size_t count);

  /// One inference.
  void Call() { Active().request.infer(); }

  /// The results of the last call, in the model's order.
  std::vector<std::pair<std::string, ov::Tensor>> Outputs();

  /// Switches between the model and its twin that counts: the twin is compiled at the first call,
  /// and takes the model's memory a second time.
  void Count(bool counting);

  /// What the twin counted.
  std::vector<ov::ProfilingInfo> Counters() { return counting_->request.get_profiling_info(); }

  /// The nodes of what was compiled last; another table after each compilation.
  std::shared_ptr<const NodeTable> nodes() const { return nodes_; }

  const Settings& settings() const { return settings_; }
  /// What Call() runs; null until there is something compiled.
  const ov::CompiledModel* compiled() const { return compiled_ ? &compiled_->model : nullptr; }
  /// What really runs, as the compiled model says: "int8" where most of its convolutions and matrix
  /// products do, whatever the others compute in.
  int threads() const { return threads_; }
  const std::string& precision() const { return precision_; }

 private:
  struct Compiled {
    ov::CompiledModel model;
    ov::InferRequest request;
  };

  Compiled& Active() { return is_counting_ ? *counting_ : *compiled_; }
  bool IsBoundTo(const std::vector<ov::Tensor>& tensors) const;
  void Reshape(const std::vector<ov::PartialShape>& shapes);
  Compiled Compile(bool counting) const;
  void CompileAnew();
  void ReadBack(const ov::CompiledModel& compiled);
  std::size_t PlaceOf(const xsp_worker_tensor& input, std::size_t position,
                      std::size_t count) const;

  std::string path_;  ///< Of the file.
  Settings settings_;
  std::shared_ptr<ov::Model> original_;  ///< As the file has it.
  std::shared_ptr<ov::Model> shaped_;    ///< For the shapes of the inputs.
  std::optional<Compiled> compiled_, counting_;
  bool is_counting_ = false;
  std::shared_ptr<const NodeTable> nodes_;
  std::vector<ov::Tensor> inputs_;
  int threads_ = 0;
  std::string precision_;
};

/// The element type of a result. Throws WorkerError for one that the harness does not know.
xsp_worker_dtype DtypeOf(const ov::element::Type& type);

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_MODEL_H_
