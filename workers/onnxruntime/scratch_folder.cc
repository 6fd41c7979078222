#include "onnxruntime/scratch_folder.h"

#include <stdlib.h>

#include <system_error>
#include <vector>

#include "capture/wire/xsp.h"
#include "harness/worker_errors.h"

namespace xsp::worker_onnxruntime {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(const std::string& purpose) {
  std::vector<char> recording(xsp_path(nullptr, 0) + 1);
  xsp_path(recording.data(), recording.size());
  const fs::path beside = fs::path(recording.data());
  std::string folder = (beside.empty() ? fs::temp_directory_path() / "xsp" : beside).string();
  folder += "." + purpose + "-XXXXXX";
  if (!mkdtemp(folder.data())) {
    throw worker::WorkerError(ErrorKind::kEnvironment,
                              "cannot make a folder for scratch files: " + folder,
                              "check the recording's folder, its permissions and the free space");
  }
  path_ = folder;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace xsp::worker_onnxruntime
