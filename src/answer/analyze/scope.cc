#include "answer/analyze/scope.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/schema.h"
#include "store/sql_text.h"

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

/// `sql` with the common table expressions `views` before its own.
std::string WithViews(std::string_view sql, std::string_view views) {
  const std::size_t start = store::SkipComments(sql);
  const std::string_view head = sql.substr(0, start);
  if (!store::WordAt(sql, start, "with")) {
    return fmt::format("{}WITH {}\n{}", head, views, sql.substr(start));
  }
  std::size_t rest = start + 4;
  const std::size_t word = rest + store::SkipComments(sql.substr(rest));
  const bool recursive = store::WordAt(sql, word, "recursive");
  if (recursive) rest = word + std::string_view("recursive").size();
  return fmt::format("{}WITH {}{},\n{}", head, recursive ? "RECURSIVE " : "", views,
                     sql.substr(rest));
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
                    views.empty() ? "" : ",\n", table, table, store::Quoted(name));
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
