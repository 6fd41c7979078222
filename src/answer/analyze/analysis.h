#ifndef XSP_ANSWER_ANALYZE_ANALYSIS_H_
#define XSP_ANSWER_ANALYZE_ANALYSIS_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/database.h"
#include "store/table.h"

namespace xsp::analyze {

struct Column {
  std::string name;
  std::string
      unit;  ///< "ns", "byte", "flop", "flop/s", "flop/byte", "byte/s", "1/s", "1", "" text.
  std::string help;
  std::string provenance;  ///< Fixed text, or empty when the rows carry it / it is taken from data.

  /// What Run() fills `provenance` from: "runs" (who made the runs: measured:xsp, or
  /// reported:<backend> of an import), or a column of an experiment table that holds provenances
  /// ("layer.flops_provenance"). Their distinct values are joined with
  /// '+'. Empty: `provenance` stands as declared.
  std::vector<std::string> sources = {};
};

/// One data folder of analyses/ (or of --analyses DIR): analysis.yaml, query.sql, chart.vl.json,
/// README.md, golden/.
struct Analysis {
  std::string id;                  ///< "A1", "models": stable, and what the command line takes.
  std::string name;                ///< The folder's name.
  std::string title;               ///< "Layer information"
  std::string question;            ///< Ends in '?'.
  std::vector<std::string> needs;  ///< Levels, by name: KnownLevels().
  std::vector<Column> columns;

  /// One SELECT over the experiment tables. Its tables are those of one experiment; where several
  /// are open, Run() runs it on each and leads the rows with a column `experiment`.
  std::string sql;
  /// True: the SELECT sees all open experiments at once, each table led by a column `experiment`
  /// (also when only one is open).
  bool across_experiments = false;

  std::string chart;  ///< Vega-Lite JSON; its data is named "rows". Empty: none.
  std::string text;   ///< README.md: how to read it.
  std::filesystem::path folder;
};

struct MissingLevel {
  std::string level;
  std::string how;  ///< A sentence: which level is missing and the command that gets it.
};

struct AnalysisResult {
  const Analysis* analysis = nullptr;  ///< Borrowed from the caller's list.
  std::vector<Column> columns;         ///< As declared, provenance filled in.
  store::Table table;
  std::int64_t rows_left_out = 0;     ///< Rows behind those of `table` that were not asked for.
  std::vector<MissingLevel> missing;  ///< Not empty: `table` may have no rows.
};

/// Every analysis below `folders` (DataRoot()/analyses, then the user's), in order of id (A2 before
/// A10, words after). Errors: kBadInput naming the file and line of a broken folder, or two
/// analyses of one id.
Result<std::vector<Analysis>> LoadAnalyses(const std::vector<std::filesystem::path>& folders);

/// The analysis of this id ("A2", "a2"), or of this folder name; null: none. Points into
/// `analyses`.
const Analysis* Find(const std::vector<Analysis>& analyses, std::string_view id);

/// Runs one analysis on an open database; of its rows (of each experiment, where several are open)
/// the first `most_rows` are fetched, 0: all. Errors: kBadInput when its SQL fails or yields other
/// columns than analysis.yaml declares, naming the file.
Result<AnalysisResult> Run(const Analysis& analysis, const store::Database& database,
                           std::int64_t most_rows = 0);

/// Runs `analyses` in their order; cheaper than Run() on each, as what the experiment has is looked
/// up once. Errors: as Run(), of the first that fails.
Result<std::vector<AnalysisResult>> RunAll(const std::vector<Analysis>& analyses,
                                           const store::Database& database,
                                           std::int64_t most_rows = 0);

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_ANALYSIS_H_
