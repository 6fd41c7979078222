#ifndef XSP_OS_SCRATCH_FOLDER_H_
#define XSP_OS_SCRATCH_FOLDER_H_

#include <cstdint>
#include <filesystem>

#include "core/result.h"

namespace xsp::os {

/// A folder in the system's temporary folder ($TMPDIR), removed with all it holds unless kept.
class ScratchFolder {
 public:
  /// Errors: kEnvironment.
  static Result<ScratchFolder> Create();
  ScratchFolder(ScratchFolder&& other) noexcept;
  ScratchFolder& operator=(ScratchFolder&&) = delete;
  ~ScratchFolder();

  const std::filesystem::path& path() const { return path_; }
  void Keep() { keep_ = true; }

 private:
  explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
  bool keep_ = false;
};

/// Whether `bytes` can be written in `folder` now, by writing them: a quota or a full disk is found
/// before an hour is measured. Errors: kEnvironment.
Status ProbeSpace(const std::filesystem::path& folder, std::int64_t bytes);

}  // namespace xsp::os

#endif  // XSP_OS_SCRATCH_FOLDER_H_
