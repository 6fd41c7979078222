#ifndef XSP_CAPTURE_WIRE_FILE_CLAIM_H_
#define XSP_CAPTURE_WIRE_FILE_CLAIM_H_

#include <signal.h>

#include <cstddef>
#include <cstdint>

namespace xsp::wire {

inline constexpr std::size_t kMaxPath = 4096;

/// Where a recording goes.
struct FileRequest {
  char path[kMaxPath];  ///< Absolute.
  bool keep_existing;   ///< A recording that is there is kept.
  bool beside;          ///< Never `path` itself: a forked child.
};

/// Makes a new, empty file for this process by the rules of xsp_open, locked (flock) for as long as
/// its descriptor lives. Writes where it is to `taken` (kMaxPath bytes).
/// Returns the descriptor, or -errno.
int ClaimFile(const FileRequest& request, char* taken);

/// When this process started, clock ticks since boot; 0 when /proc does not say. Tells a process
/// from a later one with the same number.
std::uint64_t ProcessStart();

/// Holds off the SIGXFSZ that the kernel sends to a thread that meets RLIMIT_FSIZE, and swallows
/// one that came: the measured process must not die of its own recording.
class FileSizeSignalGuard {
 public:
  FileSizeSignalGuard();
  ~FileSizeSignalGuard();
  FileSizeSignalGuard(const FileSizeSignalGuard&) = delete;
  FileSizeSignalGuard& operator=(const FileSizeSignalGuard&) = delete;

 private:
  sigset_t before_;
  bool was_pending_;
};

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_FILE_CLAIM_H_
