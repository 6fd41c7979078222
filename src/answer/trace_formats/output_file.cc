#include "answer/trace_formats/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "os/special_file.h"

namespace xsp::trace_formats {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

Error CannotWrite(std::string_view what, const fs::path& path) {
  return {ErrorKind::kEnvironment,
          fmt::format("cannot {}: {}: {}", what, path.string(), std::strerror(errno)),
          errno == ENOSPC ? "Free some space, or choose another place with -o."
                          : "Choose another place with -o."};
}

}  // namespace

Result<OutputFile> OutputFile::Create(const fs::path& path) {
  if (os::IsSpecialFile(path)) {
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return CannotWrite("open", path);
    return OutputFile(path, "", fd);
  }
  const fs::path staging = fmt::format("{}.tmp-{}", path.string(), getpid());
  const int fd = open(staging.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return CannotWrite("create", staging);
  return OutputFile(path, staging, fd);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      staging_(std::move(other.staging_)),
      fd_(std::exchange(other.fd_, -1)),
      buffer_(std::move(other.buffer_)),
      bytes_(other.bytes_) {}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  close(fd_);
  if (!staging_.empty()) unlink(staging_.c_str());
}

Status OutputFile::Append(std::string_view text) {
  bytes_ += text.size();
  buffer_ += text;
  return buffer_.size() < kBufferBytes ? Status(Ok{}) : Flush();
}

Status OutputFile::Flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return CannotWrite("write", path_);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
  return Ok{};
}

Status OutputFile::Commit() {
  XSP_RETURN_IF_ERROR(Flush());
  if (fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) return CannotWrite("write", path_);
  if (!staging_.empty() && std::rename(staging_.c_str(), path_.c_str()) != 0)
    return CannotWrite("rename into place", path_);
  close(std::exchange(fd_, -1));
  return Ok{};
}

}  // namespace xsp::trace_formats
