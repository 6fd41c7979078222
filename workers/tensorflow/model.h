#ifndef XSP_WORKERS_TENSORFLOW_MODEL_H_
#define XSP_WORKERS_TENSORFLOW_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/worker.h"
#include "tensorflow/handles.h"
#include "tensorflow/settings.h"
#include "tensorflow/signature.h"

namespace xsp::worker_tensorflow {

/// A graph in a session of TensorFlow's C API. Everything here throws WorkerError.
class Model {
 public:
  /// Loads a SavedModel or a frozen graph.
  Model(const std::string& path, const Settings& settings);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const Ports& ports() const { return ports_; }

  /// Takes the inputs of every later call: by name, or in order where no name is known. The
  /// harness's memory is used where it is.
  void Bind(const xsp_worker_tensor* inputs, std::size_t count);

  /// One call without any profiling.
  void Call();

  /// One call with RunOptions.trace_level SOFTWARE_TRACE: times and memory of each node, without
  /// the device tracer that FULL_TRACE would start.
  void CallTraced();

  /// One call that returns the graphs as they run, after rewriting, as RunMetadata; empty where
  /// they are too large to be returned (2 GiB).
  std::string RewrittenGraphs();

  /// RunMetadata of the last CallTraced(), serialised; valid until the next call.
  std::string_view run_metadata() const;

  /// Results of the last call.
  const std::vector<Tensor>& results() const { return results_; }

 private:
  void LoadSavedModel(const std::string& folder, TF_SessionOptions* options,
                      const Settings& settings);
  void LoadGraph(const std::string& bytes, TF_SessionOptions* options, const Settings& settings);
  void Run(const TF_Buffer* options, TF_Buffer* metadata, TF_Status& status);

  Graph graph_;
  TF_Session* session_ = nullptr;
  Ports ports_;
  std::vector<TF_Output> input_places_, output_places_;
  std::vector<Tensor> inputs_, results_;
  std::vector<TF_Tensor*> input_values_, output_values_;
  Buffer trace_options_, metadata_;
};

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_MODEL_H_
