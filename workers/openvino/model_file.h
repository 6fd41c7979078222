#ifndef XSP_WORKERS_OPENVINO_MODEL_FILE_H_
#define XSP_WORKERS_OPENVINO_MODEL_FILE_H_

#include <string>

namespace xsp::worker_openvino {

/// The formats whose frontends come with OpenVINO, as JSON for describe().
std::string ModelFormats();

/// Throws WorkerError (bad input) with the way out for what this worker cannot read: a folder that
/// is no SavedModel, an empty file, an IR without its weights, a file of another framework.
void CheckModelFile(const std::string& path);

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_MODEL_FILE_H_
