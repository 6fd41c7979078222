#ifndef XSP_WORKERS_TORCH_MODEL_FILE_H_
#define XSP_WORKERS_TORCH_MODEL_FILE_H_

#include <string>

namespace xsp::worker_torch {

enum class ModelFormat { kTorchScript, kCompiledPackage };

/// What the file at `path` holds, judged by content. Throws WorkerError (bad input) with the way
/// out for everything that this worker cannot run: a directory, an empty or truncated file, a
/// state_dict or a pickled module, an exported program that was not compiled, another format.
ModelFormat FormatOf(const std::string& path);

}  // namespace xsp::worker_torch

#endif  // XSP_WORKERS_TORCH_MODEL_FILE_H_
