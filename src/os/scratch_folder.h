#ifndef XSP_OS_SCRATCH_FOLDER_H_
#define XSP_OS_SCRATCH_FOLDER_H_

#include <cstdint>
#include <filesystem>

#include "core/result.h"

namespace xsp::os {

/// A folder in the system's temporary folder ($TMPDIR), removed with all it holds unless kept. What
/// a process leaves that is killed is removed by a later one (RemoveAbandonedFolders()).
class ScratchFolder {
 public:
  /// Errors: kEnvironment.
  static Result<ScratchFolder> Create();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }
  /// It stays, also when this process has ended.
  void Keep();

 private:
  ScratchFolder(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  int lock_;  ///< Descriptor of the folder, which it locks while this lives; -1: none.
  bool keep_ = false;
};

/// Removes from `parent` the scratch folders of this user whose process has ended without doing so,
/// a day after they were last written to, so that what is in them can be looked at. Those that are
/// kept, and all that cannot be removed, stay.
void RemoveAbandonedFolders(const std::filesystem::path& parent);

/// Whether `bytes` can be written in `folder` now, by writing them: a quota or a full disk is found
/// before an hour is measured. Errors: kEnvironment.
Status ProbeSpace(const std::filesystem::path& folder, std::int64_t bytes);

}  // namespace xsp::os

#endif  // XSP_OS_SCRATCH_FOLDER_H_
