#include "answer/analyze/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "store/schema.h"

namespace xsp::analyze {
namespace {

/// The tables that an experiment has one of.
std::vector<std::string_view> ExperimentTables() {
  std::vector<std::string_view> names;
  for (const store::TableSchema& table : store::Schema())
    if (!table.raw) names.push_back(table.name);
  return names;
}

/// The shared views as common table expressions, to follow those of the tables.
std::string SharedViewsOn(bool are_led) {
  std::string views;
  for (const store::SharedView& view : store::SharedViews())
    views +=
        fmt::format("{}{} AS ({})", views.empty() ? "" : ",\n", view.name, view.Select(are_led));
  return views;
}

/// Where the SQL starts behind its leading white space and comments.
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

/// True when the word at `at` is `word` (given in lower case), in any case.
bool WordAt(std::string_view sql, std::size_t at, std::string_view word) {
  if (at + word.size() > sql.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(sql[at + i])) != word[i]) return false;
  }
  const std::size_t next = at + word.size();
  return next == sql.size() ||
         !(std::isalnum(static_cast<unsigned char>(sql[next])) || sql[next] == '_');
}

/// `sql` with the common table expressions `views` before its own.
std::string WithViews(std::string_view sql, std::string_view views) {
  const std::size_t start = SkipComments(sql);
  const std::string_view head = sql.substr(0, start);
  if (!WordAt(sql, start, "with")) {
    return fmt::format("{}WITH {}\n{}", head, views, sql.substr(start));
  }
  std::size_t rest = start + 4;
  const std::size_t word = rest + SkipComments(sql.substr(rest));
  const bool recursive = WordAt(sql, word, "recursive");
  if (recursive) rest = word + std::string_view("recursive").size();
  return fmt::format("{}WITH {}{},\n{}", head, recursive ? "RECURSIVE " : "", views,
                     sql.substr(rest));
}

std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

}  // namespace

Result<Experiments> OpenExperiments(const store::Database& database) {
  XSP_TRY(const store::Table head, database.Query("SELECT * FROM point LIMIT 0"));
  if (std::find(head.columns.begin(), head.columns.end(), "experiment") == head.columns.end()) {
    return Experiments{false, {""}};
  }
  Experiments experiments{true, {}};
  XSP_TRY(const store::Table names,
          database.Query("SELECT experiment FROM point GROUP BY experiment ORDER BY experiment"));
  for (const auto& row : names.rows) {
    if (const auto* name = std::get_if<std::string>(&row[0])) experiments.names.push_back(*name);
  }
  return experiments;
}

std::string OnOneExperiment(std::string_view sql, const Experiments& experiments,
                            std::string_view name) {
  if (!experiments.led) return std::string(sql);
  std::string views;
  for (const std::string_view table : ExperimentTables()) {
    views +=
        fmt::format("{}{} AS (SELECT * EXCLUDE (experiment) FROM main.{} WHERE experiment = {})",
                    views.empty() ? "" : ",\n", table, table, Quoted(name));
  }
  return WithViews(sql, views + ",\n" + SharedViewsOn(false));
}

std::string OnAllExperiments(std::string_view sql, const Experiments& experiments) {
  if (experiments.led) return WithViews(sql, SharedViewsOn(true));
  std::string views;
  for (const std::string_view table : ExperimentTables()) {
    views += fmt::format("{}{} AS (SELECT '' AS experiment, * FROM main.{})",
                         views.empty() ? "" : ",\n", table, table);
  }
  return WithViews(sql, views + ",\n" + SharedViewsOn(true));
}

}  // namespace xsp::analyze
