#ifndef XSP_INGEST_IMPORTERS_LINE_READER_H_
#define XSP_INGEST_IMPORTERS_LINE_READER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "ingest/importers/byte_stream.h"

namespace xsp::importers {

/// The lines of a text, one after another. A file without line feeds does not fill the memory: of a
/// line the first kLongest bytes are kept.
class LineReader {
 public:
  static constexpr std::size_t kLongest = std::size_t{1} << 16;

  /// `stream` is borrowed. `chunk_bytes` (at least 1) are read at a time; the lines do not depend
  /// on it.
  LineReader(ByteStream& stream, std::size_t chunk_bytes);

  /// The next line without its line feed; nothing: the end. Valid until the next call.
  std::optional<std::string_view> Next();

  /// Whether the last line ended in a line feed: the last one of a file that was cut does not.
  bool is_whole() const { return is_whole_; }

 private:
  ByteStream& stream_;
  std::string chunk_, line_;
  std::size_t at_ = 0, size_ = 0;  ///< Of the chunk: what is taken, and what there is.
  bool is_whole_ = true;
};

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_LINE_READER_H_
