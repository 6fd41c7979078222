#include "store/sql_text.h"

#include <algorithm>
#include <array>
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

bool MayHaveParameters(std::string_view sql) {
  for (std::size_t at = 0; at < sql.size(); ++at) {
    const char c = sql[at];
    std::size_t end = at;
    if (c == '?' || c == '$') return true;
    if (c == '\'' || c == '"') {
      // A doubled quote ends a text and begins the next one, which is as good.
      end = sql.find(c, at + 1);
    } else if (sql.substr(at, 2) == "--") {
      end = std::min(sql.find('\n', at), sql.size());
    } else if (sql.substr(at, 2) == "/*") {
      end = sql.find("*/", at + 2);
    }
    if (end == std::string_view::npos) return true;
    at = end;
  }
  return false;
}

bool MayChangeTables(std::string_view sql) {
  constexpr std::array<std::string_view, 4> kChanging = {"insert", "update", "delete", "merge"};
  for (std::size_t at = 0; at < sql.size(); ++at)
    for (const std::string_view word : kChanging)
      if (WordAt(sql, at, word)) return true;
  return false;
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
