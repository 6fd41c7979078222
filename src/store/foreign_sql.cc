#include "store/foreign_sql.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "store/sql_text.h"

namespace xsp::store {
namespace {

/// The engine's settings hold the paths of the files that may be read; extensions, the user's home.
/// What runs a serialised statement has no text that could be looked at.
constexpr std::array<std::string_view, 6> kHidden = {"duckdb_settings", "pg_settings",
                                                     "current_setting", "duckdb_extensions",
                                                     "serialized_sql",  "u&\""};
/// Table functions that run or look up what a text says, which the statement may compose.
constexpr std::array<std::string_view, 2> kComposing = {"query", "query_table"};

bool IsPartOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether `sql`, in lower case, calls `function`: the name as a word, and behind it `(`.
bool Calls(std::string_view sql, std::string_view function) {
  for (std::size_t at = sql.find(function); at != std::string_view::npos;
       at = sql.find(function, at + 1)) {
    if (at > 0 && IsPartOfName(sql[at - 1])) continue;
    std::string_view rest = sql.substr(at + function.size());
    if (rest.starts_with('"')) rest.remove_prefix(1);
    rest.remove_prefix(std::min(SkipComments(rest), rest.size()));
    if (rest.starts_with('(')) return true;
  }
  return false;
}

Error Refusal(std::string_view name) {
  return {ErrorKind::kBadInput, fmt::format("not available here: {}", name),
          "DESCRIBE, SHOW TABLES and duckdb_columns() describe the tables."};
}

}  // namespace

Status CheckNames(std::string_view sql) {
  std::string lower(sql);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view name : kHidden)
    if (lower.find(name) != std::string::npos) return Refusal(name);
  for (const std::string_view function : kComposing)
    if (Calls(lower, function)) return Refusal(fmt::format("{}()", function));
  return Ok{};
}

/// The plan names what is called, whatever the statement's text.
Status CheckFunctions(const DuckDb& db, const std::string& sql) {
  constexpr std::array<std::string_view, 6> kChanging = {
      "ENABLE_", "DISABLE_", "CHECKPOINT", "FORCE_CHECKPOINT", "TRUNCATE_", "ARROW_SCAN"};
  XSP_TRY(const Table plan, db.Query("EXPLAIN (FORMAT JSON) " + sql, ErrorKind::kBadInput));
  for (const auto& row : plan.rows) {
    const auto* text = row.empty() ? nullptr : std::get_if<std::string>(&row.back());
    for (const std::string_view function : kChanging)
      if (text != nullptr &&
          text->find(fmt::format("\"Function\": \"{}", function)) != std::string::npos)
        return Error{ErrorKind::kBadInput, "results are read-only: a function changes the engine",
                     "Ask with a single SELECT (or DESCRIBE, SHOW, SUMMARIZE)."};
  }
  return Ok{};
}

}  // namespace xsp::store
