#ifndef XSP_WORKERS_ONNXRUNTIME_MODEL_H_
#define XSP_WORKERS_ONNXRUNTIME_MODEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/worker.h"
#include "onnxruntime/explained_session.h"
#include "onnxruntime/runtime.h"

namespace xsp::worker_onnxruntime {

/// What a model says of one of its inputs.
struct Input {
  std::string name;
  std::optional<xsp_worker_dtype> dtype;  ///< Nothing: strings, or no tensor.
  std::vector<std::int64_t> shape;        ///< -1: any.
  std::vector<std::string> symbols;       ///< Name of each dimension that is any; else empty.
};

/// A session and what it is called with. Everything here throws WorkerError.
class Model {
 public:
  /// Loads the file that the job names, with its settings.
  explicit Model(const xsp_worker_job& job);

  const std::vector<Input>& inputs() const { return inputs_; }
  /// Threads that share one operator's loop, the caller among them.
  int threads() const { return threads_; }
  /// In the rung details only.
  const Explanation& explanation() const { return explanation_; }

  /// Takes the inputs of every later call, by name, or in order where no name is the model's.
  void Bind(const xsp_worker_tensor* tensors, std::size_t count);

  /// One call. `options` may be null.
  void Call(const OrtRunOptions* options);

  /// The results of the last call, in the model's order. Fills at most `capacity`.
  std::size_t Outputs(xsp_worker_tensor* tensors, std::size_t capacity) const;

 private:
  void ReadInputs();
  void ReadOutputNames();
  const Input& InputFor(const xsp_worker_tensor& tensor, std::size_t index, bool by_name) const;

  Session session_;
  std::vector<Input> inputs_;
  std::vector<std::string> output_names_;
  int threads_ = 0;
  Explanation explanation_;
  std::vector<Value> bound_;
  std::vector<const char*> bound_names_, result_names_;
  std::vector<const OrtValue*> bound_values_;
  std::vector<OrtValue*> results_;
  std::vector<Value> owned_results_;
};

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_MODEL_H_
