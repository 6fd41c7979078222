#include "os/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "os/special_file.h"

namespace xsp::os {

namespace fs = std::filesystem;

namespace {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

Error EnvironmentError(std::string_view what, const fs::path& path) {
  return {ErrorKind::kEnvironment, fmt::format("{}: {}: {}", what, path.string(), strerror(errno)),
          errno == ENOSPC ? "Free some space, or choose another place with --store." : ""};
}

Status WriteAll(int fd, std::string_view text, const fs::path& path, Durable durable) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return EnvironmentError("cannot write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (durable == Durable::kNow && fsync(fd) != 0 && errno != EINVAL && errno != EROFS) {
    return EnvironmentError("cannot write", path);
  }
  return Ok{};
}

}  // namespace

Result<std::string> ReadFile(const fs::path& path, std::uint64_t limit_bytes) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return Error{ErrorKind::kBadInput, fmt::format("no such file: {}", path.string()), ""};
  }
  if (fs::is_directory(status)) {
    return Error{ErrorKind::kBadInput, fmt::format("is a directory: {}", path.string()),
                 "Name a file in it."};
  }
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return EnvironmentError("cannot open", path);

  // Read to the end rather than to the stated size: files of /proc state 0.
  std::string text;
  std::string chunk(1 << 16, '\0');
  for (;;) {
    const ssize_t got = read(file.get(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return EnvironmentError("cannot read", path);
    if (got == 0) return text;
    text.append(chunk, 0, static_cast<std::size_t>(got));
    if (text.size() > limit_bytes) {
      return Error{ErrorKind::kBadInput,
                   fmt::format("file is larger than {} bytes: {}", limit_bytes, path.string()), ""};
    }
  }
}

Status WriteFileAtomically(const fs::path& path, std::string_view text, Durable durable) {
  if (IsSpecialFile(path)) {
    const Descriptor file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file.get() < 0) return EnvironmentError("cannot open", path);
    return WriteAll(file.get(), text, path, durable);
  }
  static std::atomic<int> next = 0;
  const fs::path temporary =
      fmt::format("{}.tmp-{}-{}", path.string(), getpid(), next.fetch_add(1));
  const Status written = [&]() -> Status {
    const Descriptor file(open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) return EnvironmentError("cannot create", temporary);
    return WriteAll(file.get(), text, temporary, durable);
  }();
  if (written.ok() && rename(temporary.c_str(), path.c_str()) == 0) return Ok{};
  const Status failed = written.ok() ? EnvironmentError("cannot rename into place", path) : written;
  unlink(temporary.c_str());
  return failed;
}

}  // namespace xsp::os
