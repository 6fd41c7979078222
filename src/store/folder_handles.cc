#include "store/folder_handles.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

std::string PathOfHandle(int handle) { return fmt::format("/proc/self/fd/{}/", handle); }

}  // namespace

FolderHandles& FolderHandles::operator=(FolderHandles&& other) noexcept {
  std::swap(handles_, other.handles_);
  return *this;
}

FolderHandles::~FolderHandles() {
  for (const auto& [folder, handle] : handles_) close(handle);
}

Result<fs::path> FolderHandles::PathOf(const fs::path& path) {
  const fs::path folder = path.parent_path();
  auto found = handles_.find(folder);
  if (found == handles_.end()) {
    const int handle = open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0)
      return Error{ErrorKind::kEnvironment,
                   fmt::format("the store's folder cannot be opened: {}", std::strerror(errno)),
                   "Check the folder and the limit of open files (ulimit -n)."};
    found = handles_.emplace(folder, handle).first;
  }
  fs::path hidden = PathOfHandle(found->second) + path.filename().string();
  std::error_code error;
  if (!fs::exists(hidden, error))
    return Error{ErrorKind::kEnvironment,
                 fmt::format("not there by way of /proc: {}", path.filename().string()),
                 "Mount /proc."};
  return hidden;
}

std::string FolderHandles::Shortened(std::string text) const {
  for (const auto& [folder, handle] : handles_) {
    const std::string path = PathOfHandle(handle);
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at))
      text.erase(at, path.size());
  }
  return text;
}

}  // namespace xsp::store
