#ifndef XSP_OS_FILES_H_
#define XSP_OS_FILES_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"

namespace xsp::os {

/// The whole of a small file (at most `limit_bytes`). Errors: kBadInput when it does not exist,
/// is a directory or is larger; kEnvironment when it cannot be read.
Result<std::string> ReadFile(const std::filesystem::path& path,
                             std::uint64_t limit_bytes = std::uint64_t{1} << 30);

/// When a file that was written is on the disk.
enum class Durable {
  kNow,    ///< When the call returns.
  kLater,  ///< When the system comes to it; after a power cut the file may be empty or gone. Takes
           ///< a hundredth of the time: for what can be had again.
};

/// Writes `text` beside `path`, syncs, and renames it into place: a reader sees the old file or
/// the whole new one. Threads may write one path at once; one of them is last. Errors: kEnvironment
/// (disk full, permission).
Status WriteFileAtomically(const std::filesystem::path& path, std::string_view text,
                           Durable durable = Durable::kNow);

}  // namespace xsp::os

#endif  // XSP_OS_FILES_H_
