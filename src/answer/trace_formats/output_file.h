#ifndef XSP_ANSWER_TRACE_FORMATS_OUTPUT_FILE_H_
#define XSP_ANSWER_TRACE_FORMATS_OUTPUT_FILE_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.h"

namespace xsp::trace_formats {

/// A file that grows beside its final place and is renamed there when it is complete: a reader sees
/// the old file or the whole new one. Destroyed without Commit(), it removes what it wrote. Errors
/// of all functions: kEnvironment (disk full, permission) with the path. A device or pipe is
/// written as it stands.
class OutputFile {
 public:
  /// Creates `path`.tmp-PID.
  static Result<OutputFile> Create(const std::filesystem::path& path);

  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  /// Adds `text`; what is written reaches the disk in pieces of about a MiB.
  Status Append(std::string_view text);

  /// Syncs the file and renames it into place. Nothing may be appended after it.
  Status Commit();

  /// Appended so far.
  std::uint64_t bytes() const { return bytes_; }

 private:
  OutputFile(std::filesystem::path path, std::filesystem::path staging, int fd)
      : path_(std::move(path)), staging_(std::move(staging)), fd_(fd) {}
  Status Flush();

  std::filesystem::path path_, staging_;
  int fd_;
  std::string buffer_;
  std::uint64_t bytes_ = 0;
};

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_OUTPUT_FILE_H_
