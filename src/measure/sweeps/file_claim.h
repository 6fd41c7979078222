#ifndef XSP_MEASURE_SWEEPS_FILE_CLAIM_H_
#define XSP_MEASURE_SWEEPS_FILE_CLAIM_H_

#include <filesystem>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "os/interrupt.h"

namespace xsp::sweeps {

/// Makes a folder for claims of all who use the folder that it is in: with the same permissions and
/// group, as far as the user may set these. `elsewhere`: as FileClaim. Errors: kEnvironment.
Status MakeClaimFolder(const std::filesystem::path& folder, std::string_view elsewhere);

/// That `file` cannot be locked because of `code`, an errno, with a hint that fits it. `elsewhere`:
/// as FileClaim.
Error CannotClaim(const std::filesystem::path& file, int code, std::string_view elsewhere);

/// A lock on a file that one process holds until it ends, in whatever way, or lets go: the kernel
/// releases it. On file systems of a network it holds among their machines where these share locks
/// (flock(2); NFS from version 4). One thread.
class FileClaim {
 public:
  /// Nothing: another holder has it. The file and its folder are made; whoever may write into the
  /// folder may claim the file. `elsewhere` is how the user has the file in another place, for the
  /// hint of an error: "choose another store with --store". Errors: kEnvironment.
  static Result<std::optional<FileClaim>> Try(const std::filesystem::path& file,
                                              std::string_view elsewhere);

  /// Waits until it can be had. Errors: kEnvironment, kInterrupted.
  static Result<FileClaim> Wait(const std::filesystem::path& file, std::string_view elsewhere,
                                os::Interrupts& interrupts);

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
