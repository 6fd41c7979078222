#include "store/sql_text.h"

#include <algorithm>
#include <cctype>

namespace xsp::store {

std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

std::string QuotedName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

std::size_t SkipComments(std::string_view sql) {
  std::size_t at = 0;
  while (at < sql.size()) {
    if (std::isspace(static_cast<unsigned char>(sql[at]))) {
      ++at;
    } else if (sql.substr(at, 2) == "--") {
      at = std::min(sql.find('\n', at), sql.size());
    } else if (sql.substr(at, 2) == "/*") {
      const std::size_t end = sql.find("*/", at + 2);
      at = end == std::string_view::npos ? sql.size() : end + 2;
    } else {
      break;
    }
  }
  return at;
}

bool WordAt(std::string_view sql, std::size_t at, std::string_view word) {
  if (at + word.size() > sql.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(sql[at + i])) != word[i]) return false;
  }
  const std::size_t next = at + word.size();
  return next == sql.size() ||
         !(std::isalnum(static_cast<unsigned char>(sql[next])) || sql[next] == '_');
}

}  // namespace xsp::store
