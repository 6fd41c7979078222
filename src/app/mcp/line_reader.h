#ifndef XSP_APP_MCP_LINE_READER_H_
#define XSP_APP_MCP_LINE_READER_H_

#include <cstddef>
#include <string>

namespace xsp::mcp {

/// Reads lines from a descriptor until it ends or another one becomes readable. A line that is too
/// long is passed over without being kept.
class LineReader {
 public:
  enum class Kind {
    kLine,
    kTooLong,  ///< Its text is gone.
    kEnd,      ///< Of the input; an error of reading ends it, too.
    kStopped,  ///< `wake_fd` is readable.
  };

  struct Line {
    Kind kind = Kind::kEnd;
    std::string text = {};  ///< Without the end of the line.
  };

  /// Borrows both descriptors. A line has at most `max_bytes`.
  LineReader(int fd, int wake_fd, std::size_t max_bytes)
      : fd_(fd), wake_fd_(wake_fd), max_bytes_(max_bytes) {}

  /// Waits for the next line. A last one without an end counts.
  Line Next();

 private:
  enum class More { kYes, kEnd, kStopped };

  /// Appends to the buffer what can be read.
  More Read();

  int fd_, wake_fd_;
  std::size_t max_bytes_;
  std::string buffer_;
  std::size_t searched_ = 0;  ///< The first bytes of the buffer that end no line.
  bool skips_line_ = false;
};

}  // namespace xsp::mcp

#endif  // XSP_APP_MCP_LINE_READER_H_
