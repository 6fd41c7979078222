#include "store/staging_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "os/files.h"
#include "os/parallel.h"
#include "store/directory.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLittleSpaceBytes = 1 << 20;
constexpr std::string_view kElsewhere = "choose another place with --store (or XSP_STORE)";

Error EnvironmentError(std::string_view what, const fs::path& path, int code) {
  return {ErrorKind::kEnvironment, fmt::format("{}: {}: {}", what, path.string(), strerror(code)),
          code == ENOSPC || code == EDQUOT
              ? fmt::format("Free some space, or {}.", kElsewhere)
              : fmt::format("Make the folder writable, or {}.", kElsewhere)};
}

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return SafeName(name.data());
}

/// Host and process of a temporary folder's name; 0: not one.
struct Writer {
  std::string host;
  pid_t pid = 0;
};

Writer WriterOf(std::string_view name) {
  const std::size_t mark = name.rfind(kTemporaryMark);
  if (!name.starts_with('.') || mark == std::string_view::npos) return {};
  const std::string_view rest = name.substr(mark + kTemporaryMark.size());
  const std::size_t number = rest.rfind('-');
  if (number == std::string_view::npos || number == 0) return {};
  const std::size_t process = rest.rfind('-', number - 1);
  if (process == std::string_view::npos) return {};
  Writer writer;
  const std::string_view pid = rest.substr(process + 1, number - process - 1);
  const auto [end, error] = std::from_chars(pid.data(), pid.data() + pid.size(), writer.pid);
  if (error != std::errc() || end != pid.data() + pid.size() || writer.pid <= 0) return {};
  writer.host = rest.substr(0, process);
  return writer;
}

Status Sync(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return EnvironmentError("cannot open", path, errno);
  const int code = fsync(fd) == 0 ? 0 : errno;
  close(fd);
  // Some file systems cannot sync a folder; that is not a failure to write.
  if (code != 0 && code != EINVAL && code != EROFS) {
    return EnvironmentError("cannot write", path, code);
  }
  return Ok{};
}

}  // namespace

std::string SafeName(std::string_view name) {
  constexpr std::size_t kLongest = 120;
  constexpr std::string_view kAllowed = "._-+=@,";
  std::string safe;
  for (const char c : name.substr(0, kLongest)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    safe += plain || kAllowed.find(c) != std::string_view::npos ? c : '-';
  }
  // A name that begins with "-" would be an option of the command line.
  safe.erase(0, std::min(safe.find_first_not_of(".-"), safe.size()));
  // "latest" is a word of the command line.
  if (safe.empty() || safe == "latest") return "experiment" + (safe.empty() ? "" : "-" + safe);
  return safe;
}

std::string TemporaryName(std::string_view name) {
  static std::atomic<int> next = 0;
  return fmt::format(".{}{}{}-{}-{}", name, kTemporaryMark, HostName(), getpid(),
                     next.fetch_add(1));
}

std::vector<fs::path> StaleFolders(const fs::path& store) {
  std::vector<fs::path> folders;
  std::error_code error;
  const std::string host = HostName();
  for (fs::directory_iterator it(store, error), end; !error && it != end; it.increment(error)) {
    const Writer writer = WriterOf(it->path().filename().string());
    if (writer.pid == 0 || writer.host != host) continue;
    if (kill(writer.pid, 0) == 0 || errno != ESRCH) continue;
    folders.push_back(it->path());
  }
  return folders;
}

void RemoveStaleFolders(const fs::path& store) {
  std::error_code ignored;
  for (const fs::path& folder : StaleFolders(store)) fs::remove_all(folder, ignored);
}

Status MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return EnvironmentError("cannot create the folder", path, error.value());
  return Ok{};
}

Status WriteFile(const fs::path& path, std::string_view text) {
  const Status written = os::WriteFileAtomically(path, text);
  if (written.ok() || !written.error().hint.empty()) return written;
  Error error = written.error();
  error.hint = SpaceHint(path);
  return error;
}

Status CopyInto(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  if (!fs::is_regular_file(file, error) || access(file.c_str(), R_OK) != 0) {
    return Error{ErrorKind::kBadInput, fmt::format("cannot read the file: {}", file.string()), ""};
  }
  XSP_RETURN_IF_ERROR(MakeFolder(folder));
  fs::path target = folder / file.filename();
  for (int n = 2; fs::exists(target, error); ++n) {
    target = folder / fmt::format("{}-{}{}", file.stem().string(), n, file.extension().string());
  }
  fs::copy_file(file, target, error);
  if (error) return EnvironmentError("cannot copy to", target, error.value());
  return Ok{};
}

Status SyncTree(const fs::path& folder) {
  std::vector<fs::path> paths = {folder};
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    paths.push_back(it->path());
  }
  if (error) return EnvironmentError("cannot read the folder", folder, error.value());
  // A disk takes many syncs at once in about the time of one.
  return os::ForEachWaiting(paths.size(), [&](std::size_t i) { return Sync(paths[i]); });
}

Result<bool> MoveIntoPlace(const fs::path& from, const fs::path& to) {
  int code =
      renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0 ? 0 : errno;
  if (code == EINVAL || code == ENOSYS) {
    // A file system without that flag: an empty folder claims the name, and is replaced.
    code = mkdir(to.c_str(), 0755) == 0 && rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  }
  if (code == EEXIST || code == ENOTEMPTY) return false;
  if (code != 0) return EnvironmentError("cannot rename into place", to, code);
  XSP_RETURN_IF_ERROR(Sync(to.parent_path()));
  return true;
}

std::string SpaceHint(const fs::path& path) {
  std::error_code error;
  const fs::space_info space = fs::space(path.parent_path(), error);
  const bool full = !error && space.available < kLittleSpaceBytes;
  return full ? fmt::format("The disk is full. Free some space, or {}.", kElsewhere)
              : fmt::format("Look whether the disk is full or the folder not writable, or {}.",
                            kElsewhere);
}

}  // namespace xsp::store
