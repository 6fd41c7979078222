#include "measure/sweeps/file_claim.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace xsp::sweeps {
namespace {

/// Of making a file that its last holder removes at the same moment.
constexpr int kMaxAttempts = 100;

/// Between two looks at a claim that another holds: its holder measures for seconds at least.
constexpr int kWaitMs = 200;

/// What the user can do about `code`; empty: only to go elsewhere.
std::string_view RemedyOf(int code) {
  switch (code) {
    case EACCES:
    case EPERM:
      return "Make the folder and its files writable for this user, or ";
    case EROFS:
      return "Mount the file system writable, or ";
    case ENOSPC:
    case EDQUOT:
      return "Free space, or ";
    case ENOLCK:
    case ENOSYS:
    case EOPNOTSUPP:
      return "Its file system does not lock files (NFS does from version 4): mount it so that it "
             "does, or ";
    default:
      return "";
  }
}

}  // namespace

Error CannotClaim(const std::filesystem::path& file, int code, std::string_view elsewhere) {
  std::string hint = fmt::format("{}{}.", RemedyOf(code), elsewhere);
  if (hint.front() >= 'a' && hint.front() <= 'z') hint.front() -= 'a' - 'A';
  return {ErrorKind::kEnvironment,
          fmt::format("cannot lock {}: {}", file.string(), std::strerror(code)), std::move(hint)};
}

namespace {

/// The user may not be in the group: then nobody else is let in.
void ShareLike(const struct stat& folder, int descriptor, mode_t bits) {
  if (fchown(descriptor, static_cast<uid_t>(-1), folder.st_gid) == 0)
    fchmod(descriptor, folder.st_mode & bits);
}

/// Opens the file; where there is none it is made, with the permissions of its folder from the
/// first moment on, as others may open it at once. -1: see errno.
int OpenShared(const std::filesystem::path& file) {
  const int there = open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (there >= 0 || errno != ENOENT) return there;
  std::string fresh = file.string() + ".XXXXXX";
  const int made = mkostemp(fresh.data(), O_CLOEXEC);
  if (made < 0) return made;
  struct stat folder {};
  if (stat(file.parent_path().c_str(), &folder) == 0) ShareLike(folder, made, 0666);
  const bool is_linked = link(fresh.c_str(), file.c_str()) == 0 || errno == EEXIST;
  close(made);
  unlink(fresh.c_str());
  // A file system without hard links has no permissions of files either.
  return open(file.c_str(), O_RDWR | O_CLOEXEC | (is_linked ? 0 : O_CREAT), 0600);
}

/// Whether `file` is still what was opened: its last holder may have removed it meanwhile.
bool IsStill(const std::filesystem::path& file, int descriptor) {
  struct stat opened {
  }, named{};
  return fstat(descriptor, &opened) == 0 && stat(file.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

Status MakeClaimFolder(const std::filesystem::path& folder, std::string_view elsewhere) {
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);
  if (error) return CannotClaim(folder, error.value(), elsewhere);
  if (mkdir(folder.c_str(), 0777) != 0) {
    if (errno == EEXIST) return Ok{};
    return CannotClaim(folder, errno, elsewhere);
  }
  struct stat parent {};
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return Ok{};
  if (stat(folder.parent_path().c_str(), &parent) == 0) ShareLike(parent, descriptor, 07777);
  close(descriptor);
  return Ok{};
}

Result<std::optional<FileClaim>> FileClaim::Try(const std::filesystem::path& file,
                                                std::string_view elsewhere) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) return CannotClaim(file, error.value(), elsewhere);
  for (int attempt = 1;; ++attempt) {
    const int descriptor = OpenShared(file);
    if (descriptor < 0 && errno == ENOENT && attempt < kMaxAttempts) continue;
    if (descriptor < 0) return CannotClaim(file, errno, elsewhere);
    FileClaim claim(file, descriptor);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::optional<FileClaim>();
      if (errno == EINTR) continue;
      return CannotClaim(file, errno, elsewhere);
    }
    if (IsStill(file, descriptor)) return std::optional<FileClaim>(std::move(claim));
  }
}

Result<FileClaim> FileClaim::Wait(const std::filesystem::path& file, std::string_view elsewhere,
                                  os::Interrupts& interrupts) {
  for (;;) {
    if (interrupts.stop())
      return Error{ErrorKind::kInterrupted, "interrupted while waiting for another measurement",
                   ""};
    XSP_TRY(std::optional<FileClaim> claim, Try(file, elsewhere));
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
