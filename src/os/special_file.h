#ifndef XSP_OS_SPECIAL_FILE_H_
#define XSP_OS_SPECIAL_FILE_H_

#include <filesystem>
#include <system_error>

namespace xsp::os {

/// Whether `path` leads to a device, a pipe or a socket. Such a file is written as it stands: a
/// file that is renamed into its place takes it from everybody (/dev/null).
inline bool IsSpecialFile(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace xsp::os

#endif  // XSP_OS_SPECIAL_FILE_H_
