#ifndef XSP_OS_SPECIAL_FILE_H_
#define XSP_OS_SPECIAL_FILE_H_

#include <filesystem>

namespace xsp::os {

/// Whether `path` leads to a device, a pipe or a socket. Such a file is written as it stands: a new
/// file that were renamed into its place would take it from everybody (/dev/null).
bool IsSpecialFile(const std::filesystem::path& path);

}  // namespace xsp::os

#endif  // XSP_OS_SPECIAL_FILE_H_
