#include "shared_library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace xsp::cuda_alternatives {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> GivenFolders() {
  std::vector<fs::path> folders;
  const char* const given = std::getenv("XSP_CUDA_LIBRARY_PATH");
  std::string_view rest = given == nullptr ? "" : given;
  while (!rest.empty()) {
    const std::size_t cut = rest.find(':');
    if (const std::string_view folder = rest.substr(0, cut); !folder.empty())
      folders.emplace_back(folder);
    if (cut == std::string_view::npos) break;
    rest.remove_prefix(cut + 1);
  }
  return folders;
}

std::vector<fs::path> SubfoldersOf(const fs::path& folder) {
  std::vector<fs::path> all;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) all.push_back(entry.path());
  return all;
}

/// .deps/python/lib/python3.*/site-packages/nvidia/*/lib of the source tree whose
/// build/<preset>/bin holds this program.
std::vector<fs::path> PackageFolders() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path root = program.parent_path().parent_path().parent_path().parent_path();
  std::vector<fs::path> folders;
  for (const fs::path& python : SubfoldersOf(root / ".deps" / "python" / "lib"))
    for (const fs::path& package : SubfoldersOf(python / "site-packages" / "nvidia"))
      folders.push_back(package / "lib");
  return folders;
}

void* OpenIn(const std::vector<fs::path>& folders, const char* name) {
  std::error_code error;
  for (const fs::path& folder : folders) {
    if (!fs::exists(folder / name, error)) continue;
    if (void* opened = dlopen((folder / name).c_str(), RTLD_NOW | RTLD_LOCAL)) return opened;
  }
  return nullptr;
}

}  // namespace

std::optional<SharedLibrary> SharedLibrary::Open(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (void* opened = OpenIn(GivenFolders(), name)) return SharedLibrary(opened, name);
  for (const char* name : names)
    if (void* opened = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(opened, name);
  for (const char* name : names)
    if (void* opened = OpenIn(PackageFolders(), name)) return SharedLibrary(opened, name);
  return std::nullopt;
}

void* SharedLibrary::Find(const char* symbol) const {
  void* const found = dlsym(opened_, symbol);
  if (found == nullptr) throw NotPossible(name_ + " lacks " + symbol);
  return found;
}

}  // namespace xsp::cuda_alternatives
