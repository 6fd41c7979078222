#ifndef XSP_WORKERS_ONNXRUNTIME_SCRATCH_FOLDER_H_
#define XSP_WORKERS_ONNXRUNTIME_SCRATCH_FOLDER_H_

#include <filesystem>
#include <string>

namespace xsp::worker_onnxruntime {

/// A folder of our own beside the recording, whose owner cleans up after a worker that was killed;
/// removed with all that is in it at the end.
class ScratchFolder {
 public:
  /// `purpose` is part of its name. Throws WorkerError (environment).
  explicit ScratchFolder(const std::string& purpose);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_SCRATCH_FOLDER_H_
