#include "core/csv.h"

#include <utility>

namespace xsp::core {

CsvReader::CsvReader(std::istream& text, char separator, std::optional<char> comment)
    : text_(*text.rdbuf()), separator_(separator), comment_(comment) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  for (const char c : kByteOrderMark) {
    if (!At(c)) return;
    begun_ += Take();
  }
  begun_.clear();
}

void CsvReader::ReadField(Row& row) {
  std::string& field = row.fields.emplace_back(std::exchange(begun_, {}));
  const bool quoted = field.empty() && At('"');
  if (quoted) {
    Take();
    bool closed = false;
    while (!AtEnd() && !closed) {
      const char c = Take();
      if (c == '\n') ++line_;
      if (c != '"') {
        field += c;
      } else if (At('"')) {
        field += Take();
      } else {
        closed = true;
      }
    }
    row.damaged = row.damaged || !closed;
  }
  const std::size_t before = field.size();
  while (!AtEnd() && !At('\n') && !At(separator_)) field += Take();
  if (!At(separator_) && field.size() > before && field.back() == '\r') field.pop_back();
  if (quoted && field.size() > before) row.damaged = true;
  if (!quoted && field.find('"') != std::string::npos) row.stray_quote = true;
}

void CsvReader::SkipLine() {
  while (!AtEnd() && Take() != '\n') continue;
  ++line_;
}

bool CsvReader::Next(Row& row) {
  while (!AtEnd() || !begun_.empty()) {
    if (begun_.empty() && comment_ && At(*comment_)) {
      SkipLine();
      continue;
    }
    row = Row();
    row.line = line_;
    ReadField(row);
    while (At(separator_)) {
      Take();
      ReadField(row);
    }
    SkipLine();
    if (row.damaged || row.fields.size() > 1 || !row.fields[0].empty()) return true;
  }
  return false;
}

std::string QuotedCsvField(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

}  // namespace xsp::core
