#ifndef XSP_STORE_ZIP_FILE_H_
#define XSP_STORE_ZIP_FILE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

// Private to store/: ZIP files, by libzip. One thread at a time.

struct zip;

namespace xsp::store {

/// Told which share of the bytes is written (0 ... 1); true: stop.
using ZipProgress = std::function<bool(double share)>;

/// A ZIP file that is written. Nothing is there before Finish(), which replaces a file of its name.
class ZipWriter {
 public:
  /// Errors of all: kEnvironment.
  static Result<ZipWriter> Create(const std::filesystem::path& file);
  ZipWriter(ZipWriter&& other) noexcept;
  ZipWriter& operator=(ZipWriter&&) = delete;
  ~ZipWriter();

  /// A member of this text, which is copied, compressed.
  Status AddText(const std::string& name, std::string_view text);

  /// A member of the content that the file `from` has at Finish(). Compressed where `compresses`.
  Status AddFile(const std::string& name, const std::filesystem::path& from, bool compresses);

  /// Errors: also kInterrupted (`progress` said to stop).
  Status Finish(const ZipProgress& progress);

 private:
  ZipWriter(zip* archive, std::filesystem::path file);
  Status Add(const std::string& name, void* source, bool compresses);
  Error Failure(std::string_view what) const;

  zip* archive_;
  std::filesystem::path file_;
  std::vector<std::unique_ptr<std::string>> texts_;  ///< Read by Finish().
};

/// A ZIP file that is read.
class ZipReader {
 public:
  /// Errors: kBadInput (there is no such file, or it is no whole ZIP file).
  static Result<ZipReader> Open(const std::filesystem::path& file);
  ZipReader(ZipReader&& other) noexcept;
  ZipReader& operator=(ZipReader&&) = delete;
  ~ZipReader();

  bool Has(const std::string& name) const;

  /// A member of at most `limit_bytes`. Errors: kBadInput (there is none, it is larger or damaged).
  Result<std::string> ReadText(const std::string& name, std::uint64_t limit_bytes) const;

  /// Writes a member, of which more than `bytes` are not taken, into the new file `to`. Errors:
  /// kBadInput (there is none, it has another size or is damaged), kEnvironment.
  Status Extract(const std::string& name, std::uint64_t bytes,
                 const std::filesystem::path& to) const;

 private:
  using Sink = std::function<Status(std::string_view piece)>;

  ZipReader(zip* archive, std::filesystem::path file);
  Status Read(const std::string& name, std::uint64_t limit_bytes, const Sink& sink) const;

  zip* archive_;
  std::filesystem::path file_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_ZIP_FILE_H_
