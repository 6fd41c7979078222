#include "os/special_file.h"

namespace xsp::os {

namespace fs = std::filesystem;

bool IsSpecialFile(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

}  // namespace xsp::os
