#ifndef XSP_PIPELINE_CSV_H_
#define XSP_PIPELINE_CSV_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::pipeline {

/// Reads rows of separated values (RFC 4180): fields may be quoted, quotes in them doubled, and
/// then hold separators and line ends.
class CsvReader {
 public:
  /// `text` must outlive this. A byte order mark at its start is skipped.
  CsvReader(std::string_view text, char separator);

  struct Row {
    std::size_t line = 0;  ///< Counted from 1, where the row begins.
    std::vector<std::string> fields;
    bool damaged = false;  ///< A quote was not closed, or text follows a closed one.
  };

  /// The next row that is not an empty line; false at the end.
  bool Next(Row& row);

 private:
  void ReadField(Row& row);
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }

  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_CSV_H_
