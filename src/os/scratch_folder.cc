#include "os/scratch_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

namespace xsp::os {

namespace fs = std::filesystem;

Result<ScratchFolder> ScratchFolder::Create() {
  std::error_code error;
  const fs::path parent = fs::temp_directory_path(error);
  std::string name = ((error ? fs::path("/tmp") : parent) / "xsp-run-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot make a temporary folder: {}: {}", name, strerror(errno)),
                 "Name a writable folder in TMPDIR."};
  }
  return ScratchFolder(fs::path(name));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::move(other.path_)), keep_(other.keep_) {
  other.path_.clear();
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty() && !keep_) fs::remove_all(path_, ignored);
}

Status ProbeSpace(const fs::path& folder, std::int64_t bytes) {
  const fs::path file = folder / "space-probe";
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int code = fd < 0 ? errno : 0;
  const std::string block(1 << 16, 'x');
  for (std::int64_t left = bytes; code == 0 && left > 0;) {
    const auto part = static_cast<std::size_t>(std::min<std::int64_t>(left, 1 << 16));
    const ssize_t written = write(fd, block.data(), part);
    if (written < 0 && errno != EINTR) code = errno;
    if (written > 0) left -= written;
  }
  // Some file systems count only what was really allocated.
  if (code == 0 && fsync(fd) != 0 && errno != EINVAL && errno != EROFS) code = errno;
  if (fd >= 0) close(fd);
  unlink(file.c_str());
  if (code == 0) return Ok{};
  return Error{
      ErrorKind::kEnvironment,
      fmt::format("cannot write {} MiB: {}: {}", bytes >> 20, folder.string(), strerror(code)),
      "Free some space, or choose another folder with --store (or XSP_STORE)."};
}

}  // namespace xsp::os
