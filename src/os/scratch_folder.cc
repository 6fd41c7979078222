#include "os/scratch_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace xsp::os {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "xsp-run-";
constexpr const char* kKept = ".kept";  ///< A file in folders that are kept.
constexpr std::chrono::hours kAbandonedAfter{24};

/// A descriptor of `folder` that holds its lock; -1: another one holds it, or it has none.
int Lock(const fs::path& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

bool MayBeAbandoned(const fs::directory_entry& entry) {
  std::error_code error;
  struct stat status = {};
  if (!entry.path().filename().string().starts_with(kPrefix)) return false;
  if (lstat(entry.path().c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return false;
  return status.st_uid == geteuid() &&
         entry.last_write_time(error) + kAbandonedAfter < fs::file_time_type::clock::now() &&
         !error && !fs::exists(entry.path() / kKept, error) && !error;
}

}  // namespace

void RemoveAbandonedFolders(const fs::path& parent) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (!MayBeAbandoned(*entry)) continue;
    const int lock = Lock(entry->path());
    if (lock < 0) continue;
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
    close(lock);
  }
}

Result<ScratchFolder> ScratchFolder::Create() {
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  const fs::path parent = error ? fs::path("/tmp") : temporary;
  static std::once_flag once;
  std::call_once(once, [&] { RemoveAbandonedFolders(parent); });
  std::string name = (parent / fmt::format("{}XXXXXX", kPrefix)).string();
  if (mkdtemp(name.data()) == nullptr) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot make a temporary folder: {}: {}", name, strerror(errno)),
                 "Name a writable folder in TMPDIR."};
  }
  return ScratchFolder(name, Lock(name));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)), keep_(other.keep_) {
  other.path_.clear();
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty() && !keep_) fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

void ScratchFolder::Keep() {
  keep_ = true;
  const int fd = open((path_ / kKept).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
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
