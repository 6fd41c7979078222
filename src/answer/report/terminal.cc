#include "answer/report/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "answer/wording/quantity.h"
#include "answer/wording/short_name.h"

namespace xsp::report {
namespace {

constexpr int kGap = 2;  // Blanks between columns.
constexpr int kBarWidth = 12;

/// One column made ready: its heading and its cells as text.
struct Rendered {
  std::size_t index = 0;             // In the table.
  std::vector<std::string> heading;  // Name, then unit.
  std::vector<std::string> cells;
  std::vector<double> bars;  // 0 to 1 beside each cell; empty: none.
  int bar_width = 0;
  bool numeric = false;
  int width = 0;  // Without the bars.

  int TotalWidth() const { return width + (bar_width > 0 ? bar_width + 1 : 0); }
};

/// Columns that `text` takes on a terminal: code points, as none of ours are double width.
int DisplayWidth(std::string_view text) {
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The byte at which display column `column` of `text` starts.
std::size_t ByteOfColumn(std::string_view text, int column) {
  std::size_t at = 0;
  while (at < text.size() && column > 0) {
    ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
    --column;
  }
  return at;
}

/// Names differ at their ends as often as at their starts: shorten in the middle.
std::string Shorten(const std::string& text, int width) {
  const int length = DisplayWidth(text);
  if (length <= width) return text;
  const int head = (width - 1) / 2;
  const int tail = width - 1 - head;
  return text.substr(0, ByteOfColumn(text, head)) + "\u2026" +
         text.substr(ByteOfColumn(text, length - tail));
}

/// Foreign names must not move the cursor: control characters become '?'.
std::string Printable(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

double Number(const store::Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return std::nan("");
}

std::string CellText(const store::Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return Printable(*text);
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? "yes" : "";
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *integer);
  if (const auto* real = std::get_if<double>(&cell)) return wording::Format(*real, {});
  return "-";
}

/// "layer_latency_ns" with its unit shown below it reads "layer latency".
std::string Heading(std::string name, std::string_view unit) {
  static constexpr std::pair<std::string_view, std::string_view> kSuffixes[] = {
      {"ns", "_ns"},
      {"byte", "_bytes"},
      {"flop/s", "_flops_per_s"},
      {"byte/s", "_bytes_per_s"},
      {"1", "_percent"}};
  for (const auto& [of_unit, suffix] : kSuffixes)
    if (unit == of_unit && name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// A column as the data has it.
Rendered RenderExact(const TerminalColumn& column, const store::Table& table, std::size_t index,
                     std::size_t rows) {
  Rendered rendered;
  rendered.index = index;
  rendered.heading = {column.name, ""};
  rendered.width = DisplayWidth(column.name);
  for (std::size_t row = 0; row < rows; ++row) {
    const store::Cell& cell = table.rows[row].at(index);
    const auto* real = std::get_if<double>(&cell);
    const auto* truth = std::get_if<bool>(&cell);
    rendered.numeric |= real != nullptr || cell.index() == 2;
    rendered.cells.push_back(real != nullptr    ? fmt::format("{}", *real)
                             : truth != nullptr ? fmt::format("{}", *truth)
                                                : CellText(cell));
    rendered.width = std::max(rendered.width, DisplayWidth(rendered.cells.back()));
  }
  return rendered;
}

Rendered RenderColumn(const TerminalColumn& column, const store::Table& table, std::size_t index,
                      std::size_t rows, bool shortens) {
  Rendered rendered;
  std::vector<double> numbers;
  bool has_number = false;
  bool integral = true;
  for (const auto& row : table.rows) {
    const store::Cell& cell = row.at(index);
    has_number |= cell.index() == 2 || cell.index() == 3;
    integral &= cell.index() != 3;
    numbers.push_back(Number(cell));
  }
  const bool scaled = has_number && !(integral && (column.unit.empty() || column.unit == "1"));
  const bool share = column.unit == "1" && wording::IsShare(column.name);
  const wording::Scale scale =
      scaled ? wording::ChooseScale(numbers, column.unit, share) : wording::Scale{};
  // A bar is for the share of a whole; a percentage may be negative or above 100.
  const bool bars = scaled && share && !column.name.ends_with("_percent");
  double largest = 0;  // What is not a number is larger than nothing.
  if (bars)
    for (const double number : numbers) largest = number > largest ? number : largest;
  rendered.index = index;
  rendered.numeric = has_number;
  rendered.heading = {Heading(column.name, column.unit), scale.unit};
  if (largest > 0) rendered.bar_width = kBarWidth;
  // Names of kernels can be signatures of hundreds of characters.
  const bool names =
      shortens && (column.name == "name" || column.name == "after" || column.name == "before");
  for (std::size_t row = 0; row < rows; ++row) {
    const bool is_null = table.rows[row].at(index).index() == 0;
    std::string text = scaled && !is_null ? wording::Format(numbers[row], scale)
                                          : CellText(table.rows[row][index]);
    rendered.cells.push_back(names ? wording::ShortName(text) : std::move(text));
    if (largest > 0)
      rendered.bars.push_back(numbers[row] > 0 ? std::min(numbers[row] / largest, 1.0) : 0.0);
  }
  for (const std::string& line : rendered.heading)
    rendered.width = std::max(rendered.width, DisplayWidth(line));
  for (const std::string& cell : rendered.cells)
    rendered.width = std::max(rendered.width, DisplayWidth(cell));
  return rendered;
}

int TotalWidth(const std::vector<Rendered>& columns) {
  return std::accumulate(columns.begin(), columns.end(), -kGap,
                         [](int sum, const Rendered& c) { return sum + c.TotalWidth() + kGap; });
}

/// Takes width from the widest text column again and again until the table fits or none is wider
/// than `narrowest`.
void ShortenTexts(std::vector<Rendered>& columns, int width, int narrowest) {
  while (TotalWidth(columns) > width) {
    Rendered* widest = nullptr;
    for (Rendered& column : columns)
      if (!column.numeric && column.width > narrowest &&
          (widest == nullptr || column.width > widest->width))
        widest = &column;
    if (widest == nullptr) return;
    --widest->width;
  }
}

/// Gives up what is least missed first: long names to a length that tells most apart, then bars,
/// then the last columns; a table of few columns rather has shorter names. Returns how many columns
/// went.
std::size_t FitToWidth(std::vector<Rendered>& columns, int width) {
  constexpr std::size_t kFewColumns = 6;
  const std::size_t before = columns.size();
  const auto drop_to = [&](std::size_t fewest) {
    while (columns.size() > fewest && TotalWidth(columns) > width) columns.pop_back();
  };
  ShortenTexts(columns, width, 28);
  for (const int bar_width : {kBarWidth / 2, 0}) {
    if (TotalWidth(columns) <= width) break;
    for (Rendered& column : columns) column.bar_width = std::min(column.bar_width, bar_width);
  }
  drop_to(kFewColumns);
  ShortenTexts(columns, width, 16);
  drop_to(1);
  return before - columns.size();
}

std::string Bar(double share, int width) {
  const auto filled = static_cast<int>(std::lround(share * width));
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? "\u2588" : " ";
  return bar;
}

/// `row`: whose bars to draw; nothing: a heading's line.
void AppendLine(std::string& out, const std::vector<Rendered>& columns,
                const std::vector<std::string>& cells, std::optional<std::size_t> row) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Rendered& column = columns[i];
    const std::string cell = Shorten(cells[i], column.width);
    const std::string padding(static_cast<std::size_t>(column.width - DisplayWidth(cell)), ' ');
    line += column.numeric ? padding + cell : cell + padding;
    if (column.bar_width > 0)
      line += " " + (row ? Bar(column.bars[*row], column.bar_width)
                         : std::string(static_cast<std::size_t>(column.bar_width), ' '));
    if (i + 1 < columns.size()) line += std::string(kGap, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + "\n";
}

/// Columns that say the same in every row, and need not say it in each.
struct Constant {
  std::string with_value;                 // "point id 1", joined.
  std::vector<std::string_view> unknown;  // Names of those without any value.
  std::vector<bool> is;                   // By column.
};

Constant FindConstant(const std::vector<TerminalColumn>& columns, const store::Table& table) {
  Constant constant;
  constant.is.resize(columns.size(), false);
  if (table.rows.size() < 2) return constant;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const store::Cell& first = table.rows.front().at(i);
    constant.is[i] = std::all_of(table.rows.begin(), table.rows.end(),
                                 [&](const auto& row) { return row.at(i) == first; });
    if (!constant.is[i]) continue;
    if (first.index() == 0) {
      constant.unknown.push_back(columns[i].name);
      continue;
    }
    // As in the table, with its unit.
    const Rendered rendered = RenderColumn(columns[i], table, i, 1, true);
    if (!constant.with_value.empty()) constant.with_value += ", ";
    constant.with_value += fmt::format("{} {}", rendered.heading[0],
                                       rendered.cells[0].empty() ? "no" : rendered.cells[0]);
    if (!rendered.heading[1].empty()) constant.with_value += " " + rendered.heading[1];
  }
  // Something must be left to show.
  if (std::all_of(constant.is.begin(), constant.is.end(), [](bool is) { return is; }))
    return {{}, {}, std::vector<bool>(columns.size(), false)};
  return constant;
}

}  // namespace

TerminalStyle StyleOfStandardOutput() {
  TerminalStyle style;
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  style.fits_tables = is_terminal;
  winsize size{};
  if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = size.ws_col;
  const char* const columns = std::getenv("COLUMNS");
  if (const int asked = columns == nullptr ? 0 : std::atoi(columns); asked > 0) {
    style.width = asked;
    style.fits_tables = true;
  }
  if (!is_terminal) return style;
  const char* no_colour = std::getenv("NO_COLOR");
  style.colour = no_colour == nullptr || *no_colour == '\0';
  return style;
}

std::string RenderTable(const std::vector<TerminalColumn>& columns, const store::Table& table,
                        const TerminalStyle& style) {
  std::size_t rows = table.rows.size();
  if (style.max_rows > 0) rows = std::min(rows, static_cast<std::size_t>(style.max_rows));
  Constant constant;
  constant.is.resize(columns.size(), false);
  if (style.fits_tables && !style.exact) constant = FindConstant(columns, table);
  std::vector<Rendered> rendered;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (constant.is[i]) continue;
    rendered.push_back(style.exact ? RenderExact(columns[i], table, i, rows)
                                   : RenderColumn(columns[i], table, i, rows, style.fits_tables));
  }
  std::vector<std::string> dropped;
  for (const Rendered& column : rendered) dropped.push_back(columns[column.index].name);
  const std::size_t gone = style.fits_tables ? FitToWidth(rendered, style.width) : 0;
  dropped.erase(dropped.begin(), dropped.end() - static_cast<std::ptrdiff_t>(gone));

  std::string out;
  for (std::size_t line = 0; line < 2; ++line) {
    std::vector<std::string> cells;
    for (const Rendered& column : rendered) cells.push_back(column.heading[line]);
    std::string text;
    AppendLine(text, rendered, cells, std::nullopt);
    if (text == "\n") continue;
    if (style.colour)
      text = (line == 0 ? "\033[1m" : "\033[2m") + text.substr(0, text.size() - 1) + "\033[0m\n";
    out += text;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<std::string> cells;
    for (const Rendered& column : rendered) cells.push_back(column.cells[row]);
    AppendLine(out, rendered, cells, row);
  }
  const auto more = static_cast<std::int64_t>(table.rows.size() - rows) + style.rows_left_out;
  if (more > 0) out += fmt::format("... and {} more rows\n", more);
  const auto note = [&](const std::string& text) {
    out += Wrap(fmt::format("({})", text), style.width, 2) + "\n";
  };
  if (!constant.with_value.empty())
    note((style.rows_left_out > 0 ? "in every row shown: " : "in every row: ") +
         constant.with_value);
  if (!constant.unknown.empty())
    note(fmt::format("{}: {}", style.rows_left_out > 0 ? "not known in these" : "not known",
                     fmt::join(constant.unknown, ", ")));
  if (!dropped.empty()) {
    note(fmt::format("too narrow for: {}", fmt::join(dropped, ", ")));
  }
  return out;
}

std::string Wrap(const std::string& text, int width, int indent) {
  std::string out;
  int column = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const int length = DisplayWidth(word);
    if (column > 0 && column + 1 + length > width) {
      out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
    } else if (column > 0) {
      out += " ";
      ++column;
    }
    out += word;
    column += length;
  }
  return out;
}

}  // namespace xsp::report
