#ifndef XSP_WORKERS_MXNET_MODEL_FILE_H_
#define XSP_WORKERS_MXNET_MODEL_FILE_H_

#include <string>

namespace xsp::worker_mxnet {

/// NAME-symbol.json and the parameters beside it.
struct ModelFile {
  std::string symbol;      ///< Path.
  std::string parameters;  ///< Path: NAME-NNNN.params, the highest number.
  std::string json;        ///< What `symbol` holds.
};

/// Finds both from either of them, from the path that their names begin with, or from a folder that
/// has one symbol. Throws WorkerError (bad
/// input) that says what is wrong with it.
ModelFile FindModelFile(const std::string& path);

}  // namespace xsp::worker_mxnet

#endif  // XSP_WORKERS_MXNET_MODEL_FILE_H_
