#ifndef XSP_ANSWER_REPORT_TERMINAL_H_
#define XSP_ANSWER_REPORT_TERMINAL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "store/table.h"

namespace xsp::report {

/// How a terminal wants its text.
struct TerminalStyle {
  int width = 100;                 ///< Columns that text is wrapped at.
  bool fits_tables = true;         ///< A table is cut to `width` too, and says what it left out;
                                   ///< else it has all columns, whole.
  bool exact = false;              ///< Numbers and names as in the data: no rounding, no units.
  bool colour = false;             ///< ANSI bold and dim.
  int max_rows = 0;                ///< 0: all. Otherwise the rest is counted in a last line.
  std::int64_t rows_left_out = 0;  ///< Rows that the table lacks, counted there too.
};

/// The style that fits standard output: its width and colours when it is a terminal; in a pipe no
/// colours, text of 100 columns, and whole tables. COLUMNS, where it is set, is the width of both,
/// NO_COLOR is honoured.
TerminalStyle StyleOfStandardOutput();

/// A column for people: its heading is made of `name` and the unit that its values are scaled to.
struct TerminalColumn {
  std::string name;
  std::string unit;  ///< As stored: "ns", "byte", ...; empty for text and counts.
};

/// `table` as aligned text: numbers right-aligned with one SI prefix a column and three significant
/// digits, text left-aligned and shortened in the middle where the width asks for it. Columns of
/// shares get a bar of block characters where there is room. What is the same in every row, or not
/// known in any, is reported once below; so is what the width had no room for. `columns` describes
/// `table.columns` by position.
std::string RenderTable(const std::vector<TerminalColumn>& columns, const store::Table& table,
                        const TerminalStyle& style);

/// `text` wrapped at `width` columns, its lines after the first led by `indent` spaces.
std::string Wrap(const std::string& text, int width, int indent);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_TERMINAL_H_
