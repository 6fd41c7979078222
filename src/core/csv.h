#ifndef XSP_CORE_CSV_H_
#define XSP_CORE_CSV_H_

#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::core {

/// Reads rows of separated values (RFC 4180): fields may be quoted, quotes in them doubled, and
/// then hold separators and line ends. One row at a time is in memory.
class CsvReader {
 public:
  /// `text` must outlive this. A byte order mark at its start is skipped, and so are lines that
  /// begin with `comment`.
  CsvReader(std::istream& text, char separator, std::optional<char> comment = {});

  struct Row {
    std::size_t line = 0;  ///< Counted from 1, where the row begins.
    std::vector<std::string> fields;
    bool damaged = false;      ///< A quote was not closed, or text follows a closed one.
    bool stray_quote = false;  ///< A quote stands within a field that does not begin with one.
  };

  /// The next row that is not an empty line; false at the end.
  bool Next(Row& row);

 private:
  using Traits = std::streambuf::traits_type;

  void ReadField(Row& row);
  void SkipLine();
  bool AtEnd() const { return Traits::eq_int_type(text_.sgetc(), Traits::eof()); }
  bool At(char c) const { return Traits::eq_int_type(text_.sgetc(), Traits::to_int_type(c)); }
  char Take() { return Traits::to_char_type(text_.sbumpc()); }

  std::streambuf& text_;
  char separator_;
  std::optional<char> comment_;
  std::string begun_;  ///< Of the first field: bytes that looked like a byte order mark.
  std::size_t line_ = 1;
};

/// `text` as a quoted field: between quotes, those in it doubled.
std::string QuotedCsvField(std::string_view text);

}  // namespace xsp::core

#endif  // XSP_CORE_CSV_H_
