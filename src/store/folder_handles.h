#ifndef XSP_STORE_FOLDER_HANDLES_H_
#define XSP_STORE_FOLDER_HANDLES_H_

#include <filesystem>
#include <map>
#include <string>

#include "core/result.h"

namespace xsp::store {

/// Folders that are open, so that what lies in them has a path that does not tell where they are:
/// /proc/self/fd/NUMBER/NAME. The paths hold as long as this does. Threading: as any container.
class FolderHandles {
 public:
  FolderHandles() = default;
  FolderHandles(FolderHandles&& other) noexcept = default;
  FolderHandles& operator=(FolderHandles&& other) noexcept;
  ~FolderHandles();

  /// `path`, which is absolute, by way of its parent folder. Errors: kEnvironment (no such folder,
  /// too many open files, no /proc).
  Result<std::filesystem::path> PathOf(const std::filesystem::path& path);

  /// `text` with the paths in it as they are from their folder on: NAME/span.parquet.
  std::string Shortened(std::string text) const;

 private:
  std::map<std::filesystem::path, int> handles_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_FOLDER_HANDLES_H_
