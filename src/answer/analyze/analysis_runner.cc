#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <span>

#include "answer/analyze/analysis.h"
#include "answer/analyze/coverage.h"
#include "answer/analyze/level.h"
#include "answer/analyze/scope.h"

namespace xsp::analyze {
namespace {

/// What is looked up once for all analyses of a database.
class Session {
 public:
  static Result<Session> Begin(std::span<const Analysis> analyses, const store::Database& database,
                               std::int64_t most_rows) {
    Session session(database, most_rows);
    XSP_TRY(session.levels_, KnownLevels());
    XSP_TRY(session.experiments_, OpenExperiments(database));
    std::vector<std::string> needs;
    for (const Analysis& analysis : analyses)
      needs.insert(needs.end(), analysis.needs.begin(), analysis.needs.end());
    XSP_TRY(session.coverage_,
            ReadCoverage(database, session.experiments_, NeededLevels(*session.levels_, needs)));
    return session;
  }

  Result<AnalysisResult> Run(const Analysis& analysis) {
    AnalysisResult result;
    result.analysis = &analysis;
    for (Column column : analysis.columns) {
      if (!column.sources.empty()) {
        XSP_TRY(column.provenance, Provenance(column.sources));
      }
      result.columns.push_back(std::move(column));
    }
    XSP_TRY(result.table, Rows(analysis, result.rows_left_out));
    if (Leads(analysis)) {
      result.columns.insert(result.columns.begin(),
                            Column{"experiment", "", "Name of the experiment", ""});
    }
    for (const Coverage& coverage : coverage_) {
      for (MissingLevel& level : MissingLevels(analysis.needs, coverage, *levels_)) {
        if (experiments_.led) level.how = coverage.experiment + ": " + level.how;
        result.missing.push_back(std::move(level));
      }
    }
    return result;
  }

 private:
  Session(const store::Database& database, std::int64_t most_rows)
      : database_(&database), most_rows_(most_rows) {}

  bool Leads(const Analysis& analysis) const {
    return experiments_.led && !analysis.across_experiments;
  }

  Result<store::Table> Rows(const Analysis& analysis, std::int64_t& left_out) const {
    if (analysis.across_experiments) {
      return Select(analysis, OnAllExperiments(analysis.sql, experiments_), left_out);
    }
    if (!experiments_.led) return Select(analysis, analysis.sql, left_out);
    store::Table all;
    for (const std::string& name : experiments_.names) {
      XSP_TRY(store::Table table,
              Select(analysis, OnOneExperiment(analysis.sql, experiments_, name), left_out));
      for (auto& row : table.rows) {
        row.insert(row.begin(), name);
        all.rows.push_back(std::move(row));
      }
      all.columns = std::move(table.columns);
    }
    if (all.columns.empty()) {
      for (const Column& column : analysis.columns) all.columns.push_back(column.name);
    }
    all.columns.insert(all.columns.begin(), "experiment");
    return all;
  }

  /// Adds to `left_out` how many rows there are behind the most that are fetched.
  Result<store::Table> Select(const Analysis& analysis, const std::string& sql,
                              std::int64_t& left_out) const {
    const std::string file = (analysis.folder / "query.sql").string();
    auto table = database_->Query(
        most_rows_ > 0 ? fmt::format("SELECT * FROM (\n{}\n) LIMIT {}", sql, most_rows_) : sql);
    if (table.ok() && most_rows_ > 0 &&
        static_cast<std::int64_t>(table.value().rows.size()) == most_rows_) {
      XSP_TRY(const store::Table all,
              database_->Query(fmt::format("SELECT count(*) FROM (\n{}\n)", sql)));
      left_out += std::get<std::int64_t>(all.rows.at(0).at(0)) - most_rows_;
    }
    if (!table.ok()) {
      return Error{table.error().kind, fmt::format("{}: {}", table.error().what, file),
                   table.error().hint};
    }
    std::vector<std::string> declared;
    for (const Column& column : analysis.columns) declared.push_back(column.name);
    if (table.value().columns != declared) {
      return Error{
          ErrorKind::kBadInput,
          fmt::format("query yields other columns than analysis.yaml declares: {}: yields "
                      "{}; declared are {}",
                      file, fmt::join(table.value().columns, ", "), fmt::join(declared, ", ")),
          "Make the columns of analysis.yaml those of query.sql, in the same order."};
    }
    return std::move(table).value();
  }

  Result<std::string> Provenance(const std::vector<std::string>& sources) {
    std::set<std::string> parts;
    for (const std::string& source : sources) {
      if (source == "runs") {
        for (const Coverage& coverage : coverage_) {
          if (!coverage.runs_provenance.empty()) parts.insert(coverage.runs_provenance);
        }
        continue;
      }
      auto known = of_column_.find(source);
      if (known == of_column_.end()) {
        XSP_TRY(std::set<std::string> values, DistinctValues(source));
        known = of_column_.emplace(source, std::move(values)).first;
      }
      parts.insert(known->second.begin(), known->second.end());
    }
    return fmt::format("{}", fmt::join(parts, "+"));
  }

  /// The distinct values of "table.column", as one that the loader let pass.
  Result<std::set<std::string>> DistinctValues(const std::string& source) const {
    const std::string table = source.substr(0, source.find('.'));
    const std::string column = source.substr(source.find('.') + 1);
    XSP_TRY(const store::Table rows,
            database_->Query(fmt::format("SELECT {0} FROM {1} WHERE {0} IS NOT NULL{2} GROUP BY 1",
                                         column, table, table == "roof" ? " AND used" : "")));
    std::set<std::string> values;
    for (const auto& row : rows.rows) {
      if (const auto* value = std::get_if<std::string>(&row[0])) values.insert(*value);
    }
    return values;
  }

  const store::Database* database_;
  std::int64_t most_rows_;
  const std::vector<Level>* levels_ = nullptr;
  Experiments experiments_;
  std::vector<Coverage> coverage_;
  std::map<std::string, std::set<std::string>> of_column_;
};

}  // namespace

Result<AnalysisResult> Run(const Analysis& analysis, const store::Database& database,
                           std::int64_t most_rows) {
  XSP_TRY(Session session, Session::Begin({&analysis, 1}, database, most_rows));
  return session.Run(analysis);
}

Result<std::vector<AnalysisResult>> RunAll(const std::vector<Analysis>& analyses,
                                           const store::Database& database,
                                           std::int64_t most_rows) {
  XSP_TRY(Session session, Session::Begin(analyses, database, most_rows));
  std::vector<AnalysisResult> results;
  for (const Analysis& analysis : analyses) {
    XSP_TRY(AnalysisResult result, session.Run(analysis));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace xsp::analyze
