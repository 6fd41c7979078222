#ifndef XSP_INGEST_IMPORTERS_BYTE_STREAM_H_
#define XSP_INGEST_IMPORTERS_BYTE_STREAM_H_

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

#include "core/result.h"

namespace xsp::importers {

/// The bytes of a file from its start to its end, unpacked if it is gzip (by content, not by name;
/// several members one after another are one text). Unpacking runs on a thread of its own, a few
/// MiB ahead of the reader.
///
/// Threading: one reader.
class ByteStream {
 public:
  /// Errors: kBadInput (no such file, a directory), kEnvironment (cannot be read).
  static Result<ByteStream> Open(const std::filesystem::path& path);

  /// The same for text that is in memory, packed or not.
  static ByteStream OfText(std::string text);

  ByteStream(ByteStream&&) noexcept;
  ByteStream& operator=(ByteStream&&) noexcept;
  ~ByteStream();

  /// Puts the next bytes into `out`, at most `capacity` and at least one unless the end is reached:
  /// then 0.
  std::size_t Read(char* out, std::size_t capacity);

  /// Why the end came too early ("compressed data ends in the middle"); empty: it did not. Known
  /// once Read() gave 0.
  const std::string& damage() const;

 private:
  struct State;
  explicit ByteStream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The first bytes of a file as ByteStream gives them, at most `most`. Errors: as Open().
Result<std::string> ReadPrefix(const std::filesystem::path& path, std::size_t most);

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_BYTE_STREAM_H_
