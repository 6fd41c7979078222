#ifndef XSP_WORKERS_TENSORFLOW_MODEL_FILE_H_
#define XSP_WORKERS_TENSORFLOW_MODEL_FILE_H_

#include <string>

namespace xsp::worker_tensorflow {

enum class ModelFormat { kSavedModel, kFrozenGraph };

struct ModelFile {
  ModelFormat format = ModelFormat::kSavedModel;
  std::string path;   ///< SavedModel: its folder.
  std::string graph;  ///< Frozen graph: the file's bytes, a GraphDef as far as its fields tell.
};

/// Reads what the job's path names: a SavedModel (its folder, or the saved_model.pb in it) or a
/// frozen graph, judged by content. Throws WorkerError (bad input) that says what it is instead and
/// how to export it.
ModelFile ReadModelFile(const std::string& path);

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_MODEL_FILE_H_
