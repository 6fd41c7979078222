#ifndef XSP_MEASURE_SWEEPS_FILE_CLAIM_H_
#define XSP_MEASURE_SWEEPS_FILE_CLAIM_H_

#include <filesystem>
#include <optional>

#include "core/result.h"
#include "os/interrupt.h"

namespace xsp::sweeps {

/// A lock on a file that one process holds until it ends, in whatever way, or lets go: the kernel
/// releases it. On file systems of a network it holds among their machines where these share locks
/// (flock(2); NFS from version 4). One thread.
class FileClaim {
 public:
  /// Nothing: another holder has it. The file and its folder are made. Errors: kEnvironment.
  static Result<std::optional<FileClaim>> Try(const std::filesystem::path& file);

  /// Waits until it can be had. Errors: kEnvironment, kInterrupted.
  static Result<FileClaim> Wait(const std::filesystem::path& file, os::Interrupts& interrupts);

  FileClaim(FileClaim&& other) noexcept;
  FileClaim& operator=(FileClaim&&) = delete;
  ~FileClaim();

  /// Lets go and removes the file, so that claims of points that are done do not pile up.
  void Finish();

 private:
  FileClaim(std::filesystem::path file, int descriptor)
      : file_(std::move(file)), descriptor_(descriptor) {}

  std::filesystem::path file_;
  int descriptor_;
};

}  // namespace xsp::sweeps

#endif  // XSP_MEASURE_SWEEPS_FILE_CLAIM_H_
