#include "store/pending_views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <utility>

#include "store/sql_text.h"

namespace xsp::store {
namespace {

using Words = std::set<std::string, std::less<>>;

/// Adds the words of `sql` in lower case: identifiers, key words, and words of comments and texts.
void AddWords(std::string_view sql, Words* words) {
  std::string word;
  for (const char c : sql) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '_') {
      word += static_cast<char>(std::tolower(byte));
    } else if (!word.empty()) {
      words->insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words->insert(word);
}

/// True where a statement of these words may list the views or their columns. DESC is no such word
/// but as the first one, where it stands for DESCRIBE; nor is `shown`.
bool SeesCatalogue(std::string_view sql, const Words& words) {
  constexpr std::array<std::string_view, 5> kBeginnings = {"pragma", "information_schema",
                                                           "duckdb_", "pg_", "sqlite_"};
  const auto begins = [&](const std::string& word) {
    return std::ranges::any_of(kBeginnings,
                               [&](std::string_view part) { return word.starts_with(part); });
  };
  return WordAt(sql, SkipComments(sql), "desc") || words.contains("show") ||
         words.contains("describe") || std::ranges::any_of(words, begins);
}

}  // namespace

void PendingViews::Add(std::string name, std::string select, Form form) {
  if (form == Form::kTable) {
    Words words;
    AddWords(select, &words);
    const bool rests_on_view = std::ranges::any_of(views_, [&](const View& view) {
      return view.form == Form::kView && words.contains(view.name);
    });
    if (rests_on_view) form = Form::kView;
  }
  views_.push_back({std::move(name), std::move(select), form});
}

Status PendingViews::CreateNamed(const DuckDb& db, std::string_view sql) {
  if (views_.empty()) return Ok{};
  Words words;
  AddWords(sql, &words);
  if (SeesCatalogue(sql, words)) return CreateAll(db);
  // From the last to the first: a view rests on those before it.
  for (auto view = views_.rbegin(); view != views_.rend(); ++view) {
    view->is_named = words.contains(view->name);
    if (view->is_named) AddWords(view->select, &words);
  }
  const bool has_tables = std::ranges::any_of(
      views_, [](const View& view) { return view.is_named && view.form == Form::kTable; });
  if (!has_tables) return Create(db, false);
  // All or none of them: nothing replaces a table by a view.
  XSP_RETURN_IF_ERROR(db.Execute("BEGIN TRANSACTION"));
  if (Create(db, true).ok()) return db.Execute("COMMIT");
  XSP_RETURN_IF_ERROR(db.Execute("ROLLBACK"));
  return Create(db, false);
}

Status PendingViews::CreateAll(const DuckDb& db) {
  for (View& view : views_) view.is_named = true;
  return Create(db, false);
}

Status PendingViews::Create(const DuckDb& db, bool stores_tables) {
  std::string sql;
  for (const View& view : views_) {
    if (!view.is_named) continue;
    const bool is_table = stores_tables && view.form == Form::kTable;
    sql += fmt::format("CREATE OR REPLACE {} {} AS {};\n", is_table ? "TABLE" : "VIEW",
                       QuotedName(view.name), view.select);
  }
  if (sql.empty()) return Ok{};
  XSP_RETURN_IF_ERROR(db.Execute(sql, ErrorKind::kBadInput));
  std::erase_if(views_, [](const View& view) { return view.is_named; });
  return Ok{};
}

}  // namespace xsp::store
