#include "measure/sweeps/file_claim.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace xsp::sweeps {
namespace {

/// Between two looks at a claim that another holds: its holder measures for seconds at least.
constexpr int kWaitMs = 200;

Error CannotClaim(const std::filesystem::path& file, int code) {
  return {ErrorKind::kEnvironment,
          fmt::format("cannot lock {}: {}", file.string(), std::strerror(code)),
          "Make the folder writable, or choose another store with --store (or XSP_STORE)."};
}

/// Whether `file` is still what was opened: its last holder may have removed it meanwhile.
bool IsStill(const std::filesystem::path& file, int descriptor) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && stat(file.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

Result<std::optional<FileClaim>> FileClaim::Try(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  for (;;) {
    const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) return CannotClaim(file, errno);
    FileClaim claim(file, descriptor);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::optional<FileClaim>();
      if (errno == EINTR) continue;
      return CannotClaim(file, errno);
    }
    if (IsStill(file, descriptor)) return std::optional<FileClaim>(std::move(claim));
  }
}

Result<FileClaim> FileClaim::Wait(const std::filesystem::path& file, os::Interrupts& interrupts) {
  for (;;) {
    if (interrupts.stop())
      return Error{ErrorKind::kInterrupted, "interrupted while waiting for another measurement",
                   ""};
    XSP_TRY(std::optional<FileClaim> claim, Try(file));
    if (claim) return *std::move(claim);
    pollfd wake = {interrupts.wake_fd(), POLLIN, 0};
    poll(&wake, 1, kWaitMs);
  }
}

FileClaim::FileClaim(FileClaim&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileClaim::~FileClaim() {
  if (descriptor_ >= 0) close(descriptor_);
}

void FileClaim::Finish() {
  if (descriptor_ < 0) return;
  unlink(file_.c_str());
  close(std::exchange(descriptor_, -1));
}

}  // namespace xsp::sweeps
