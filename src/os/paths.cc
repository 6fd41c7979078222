#include "os/paths.h"

#include <unistd.h>

#include <cstdlib>

#include "source_dir.h"

namespace xsp::os {

namespace fs = std::filesystem;

std::optional<std::string> Environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

fs::path ExecutableFolder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::current_path() : self.parent_path();
}

fs::path DataRoot() {
  if (auto home = Environment("XSP_HOME")) return *home;
  std::error_code error;
  const fs::path installed = ExecutableFolder().parent_path() / "share" / "xsp";
  if (fs::is_directory(installed / "analyses", error)) return installed;
  return XSP_SOURCE_DIR;
}

std::string SourceTreeHint(std::string_view hint) {
  const bool names_one = hint.find("tools/setup") != std::string_view::npos ||
                         hint.find("tools/build") != std::string_view::npos;
  std::error_code error;
  if (!names_one || fs::exists(DataRoot() / "tools" / "setup", error)) return {};
  return "This XSP is installed: tools/setup and tools/build are in its source tree, where its "
         "packages are made, too.";
}

fs::path CacheFolder() {
  if (auto cache = Environment("XSP_CACHE")) return *cache;
  if (auto xdg = Environment("XDG_CACHE_HOME")) return fs::path(*xdg) / "xsp";
  if (auto home = Environment("HOME")) return fs::path(*home) / ".cache" / "xsp";
  return fs::temp_directory_path() / "xsp-cache";
}

fs::path DefaultStore() {
  if (auto store = Environment("XSP_STORE")) return *store;
  return fs::current_path() / "xsp-store";
}

namespace {

void AppendList(const std::optional<std::string>& list, std::vector<fs::path>& folders) {
  if (!list) return;
  std::size_t start = 0;
  while (start <= list->size()) {
    const std::size_t end = std::min(list->find(':', start), list->size());
    if (end > start) folders.emplace_back(list->substr(start, end - start));
    start = end + 1;
  }
}

}  // namespace

std::vector<fs::path> WorkerFolders() {
  std::vector<fs::path> folders;
  AppendList(Environment("XSP_WORKER_PATH"), folders);
  folders.push_back(ExecutableFolder());
  folders.push_back(ExecutableFolder().parent_path() / "libexec" / "xsp");
  AppendList(Environment("PATH"), folders);
  return folders;
}

std::optional<fs::path> FindExecutable(std::string_view name,
                                       const std::vector<fs::path>& folders) {
  std::error_code error;
  for (const fs::path& folder : folders) {
    const fs::path candidate = folder / name;
    if (fs::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0)
      return candidate;
  }
  return std::nullopt;
}

}  // namespace xsp::os
