#include "answer/publish/site_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "core/json_text.h"
#include "os/files.h"

namespace xsp::publish {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kSiteVersion = 1;
constexpr std::string_view kMarker = "site.json";
constexpr std::string_view kFormat = "xsp-site";
constexpr std::array kOwnFolders = {"assets", "data", "experiments"};

Error DiskError(std::string_view what, const fs::path& path, int code) {
  const bool is_full = code == ENOSPC || code == EDQUOT;
  return {ErrorKind::kEnvironment,
          fmt::format("{}: {}: {}", what, path.string(), std::strerror(code)),
          is_full ? "Free some space. The site is as it was."
                  : "Make the folder writable, or choose another one. The site is as it was."};
}

/// A locked descriptor of the folder.
Result<std::shared_ptr<const int>> LockFolder(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return DiskError("cannot open the folder", path, errno);
  std::shared_ptr<const int> lock(new int(fd), [](const int* held) {
    close(*held);
    delete held;
  });
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return Error{ErrorKind::kEnvironment,
                 "another process publishes into the folder: " + path.string(),
                 "Wait for it or stop it; `xsp publish --watch` runs until Ctrl-C."};
  return lock;
}

Result<json> ReadMarker(const fs::path& file) {
  XSP_TRY(const std::string text, os::ReadFile(file));
  json marker = core::ParseJson(text);
  if (!marker.is_object() || marker.value("format", "") != kFormat)
    return Error{ErrorKind::kBadInput, "not the manifest of a site: " + file.string(),
                 "Remove the folder or choose another one."};
  if (marker.value("format_version", 0) > kSiteVersion)
    return Error{ErrorKind::kBadInput, "a newer XSP wrote the site: " + file.string(),
                 "Update XSP or choose another folder."};
  return marker;
}

/// `manifest` with what marks the folder.
std::string MarkerText(json manifest) {
  manifest["format"] = kFormat;
  manifest["format_version"] = kSiteVersion;
  return core::JsonText(manifest);
}

Status MakeParent(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return DiskError("cannot create the folder", file.parent_path(), error.value());
  return Ok{};
}

/// Writes a new file; errno of the failure, else 0.
int WriteNew(const fs::path& path, std::string_view text) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (fd < 0) return errno;
  int code = 0;
  while (!text.empty() && code == 0) {
    const ssize_t done = write(fd, text.data(), text.size());
    if (done >= 0) {
      text.remove_prefix(static_cast<std::size_t>(done));
    } else if (errno != EINTR) {
      code = errno;
    }
  }
  if (close(fd) != 0 && code == 0) code = errno;
  return code;
}

/// Beside `path`; the suffix keeps it out of what the site refers to.
fs::path TemporaryOf(const fs::path& path) { return path.string() + ".tmp"; }

}  // namespace

Result<SiteFolder> SiteFolder::Open(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) return DiskError("cannot create the folder", directory, error.value());
  XSP_TRY(std::shared_ptr<const int> lock, LockFolder(directory));
  SiteFolder folder(directory, std::move(lock));
  const fs::path marker = directory / kMarker;
  if (fs::exists(marker, error)) {
    XSP_TRY(folder.manifest_, ReadMarker(marker));
  } else if (fs::is_empty(directory, error)) {
    XSP_RETURN_IF_ERROR(os::WriteFileAtomically(marker, MarkerText(json::object())));
  } else {
    return Error{ErrorKind::kUsage,
                 "the folder has files and is no site of XSP: " + directory.string(),
                 "Choose a new or empty folder."};
  }
  return folder;
}

Status SiteFolder::Write(const fs::path& name, std::string_view text) const {
  const fs::path file = path_ / name;
  XSP_RETURN_IF_ERROR(MakeParent(file));
  // The file that is there may be a link of the store's: it is replaced, never written to.
  const fs::path temporary = TemporaryOf(file);
  unlink(temporary.c_str());
  int code = WriteNew(temporary, text);
  if (code == 0 && rename(temporary.c_str(), file.c_str()) != 0) code = errno;
  if (code != 0) {
    unlink(temporary.c_str());
    return DiskError("cannot write", file, code);
  }
  ++*written_;
  return Ok{};
}

Status SiteFolder::WriteOnce(const fs::path& name, std::string_view text) const {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path_ / name, error);
  if (!error && bytes == text.size()) return Ok{};
  return Write(name, text);
}

Status SiteFolder::Link(const fs::path& file, const fs::path& name) const {
  const fs::path target = path_ / name;
  XSP_RETURN_IF_ERROR(MakeParent(target));
  std::error_code error;
  fs::remove(target, error);
  fs::create_hard_link(file, target, error);
  if (error) {
    error.clear();
    const fs::path temporary = TemporaryOf(target);
    fs::copy_file(file, temporary, fs::copy_options::overwrite_existing, error);
    if (!error) fs::rename(temporary, target, error);
  }
  if (error) return DiskError("cannot copy to", target, error.value());
  ++*written_;
  return Ok{};
}

Status SiteFolder::Remove(const fs::path& name) const {
  const fs::path file = path_ / name;
  if (unlink(file.c_str()) != 0 && errno != ENOENT) return DiskError("cannot remove", file, errno);
  return Ok{};
}

Status SiteFolder::Switch(std::string_view page, json manifest) {
  // One call for all files: fsync of each of thousands takes minutes on a disk.
  if (syncfs(*lock_) != 0) return DiskError("cannot write", path_, errno);
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(path_ / "index.html", page));
  ++*written_;
  manifest_ = std::move(manifest);
  return os::WriteFileAtomically(path_ / kMarker, MarkerText(manifest_));
}

std::size_t SiteFolder::Sweep(const std::set<std::string>& keep) const {
  std::vector<fs::path> gone;
  for (const char* folder : kOwnFolders) {
    std::error_code error;
    for (fs::directory_iterator it(path_ / folder, error), end; !error && it != end;
         it.increment(error))
      if (!keep.contains(folder + ("/" + it->path().filename().string())))
        gone.push_back(it->path());
  }
  for (const fs::path& path : gone) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  return gone.size();
}

}  // namespace xsp::publish
