#include "pipeline/csv.h"

#include <algorithm>

namespace xsp::pipeline {

CsvReader::CsvReader(std::string_view text, char separator) : text_(text), separator_(separator) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = kByteOrderMark.size();
}

void CsvReader::ReadField(Row& row) {
  std::string field;
  const bool quoted = Peek() == '"';
  if (quoted) {
    ++at_;
    bool closed = false;
    while (at_ < text_.size() && !closed) {
      const char c = text_[at_++];
      if (c == '\n') ++line_;
      if (c != '"') {
        field += c;
      } else if (at_ < text_.size() && text_[at_] == '"') {
        field += '"';
        ++at_;
      } else {
        closed = true;
      }
    }
    row.damaged = row.damaged || !closed;
  }
  const std::size_t end =
      std::min({text_.find(separator_, at_), text_.find('\n', at_), text_.size()});
  std::string_view rest = text_.substr(at_, end - at_);
  at_ = end;
  if (Peek() == '\n' && !rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  if (quoted && !rest.empty()) row.damaged = true;
  field += rest;
  row.fields.push_back(std::move(field));
}

bool CsvReader::Next(Row& row) {
  while (at_ < text_.size()) {
    row = {line_, {}, false};
    ReadField(row);
    while (at_ < text_.size() && text_[at_] == separator_) {
      ++at_;
      ReadField(row);
    }
    if (at_ < text_.size()) {
      ++at_;
      ++line_;
    }
    if (row.damaged || row.fields.size() > 1 || !row.fields[0].empty()) return true;
  }
  return false;
}

}  // namespace xsp::pipeline
