#ifndef XSP_ANSWER_SUITE_ANSWER_H_
#define XSP_ANSWER_SUITE_ANSWER_H_

#include <optional>
#include <string>
#include <vector>

#include "answer/analyze/analysis.h"
#include "core/result.h"
#include "store/table.h"

namespace xsp::suite {

/// One table of an answer. `columns` describes `rows.columns` by position.
struct Table {
  std::string id;     ///< snake_case, unique in the answer: what `--table` takes.
  std::string title;  ///< "Explained variance"
  std::vector<analyze::Column> columns;
  store::Table rows;
};

/// A table without rows: its columns in `columns` and in `rows`.
Table EmptyTable(std::string id, std::string title, std::vector<analyze::Column> columns);

/// One picture of an answer: a Vega-Lite specification whose data is named "rows", or lies in it.
struct Chart {
  std::string id;  ///< snake_case, unique in the answer.
  std::string title;
  std::string table;  ///< The id of the table that "rows" is; empty: the data lies in `spec`.
  std::string spec;   ///< JSON.
};

/// What a command of `xsp suite` answers: in words first, then tables and pictures. Printed by the
/// command line, joined by `xsp suite report`. Holds everything: nothing is borrowed.
struct Answer {
  std::string id;                      ///< The command's name: "similarity".
  std::string title;                   ///< "Which workloads are alike"
  std::vector<std::string> sentences;  ///< Most important first; numbers with their units.
  /// How it was computed and what was done with input that is incomplete ("2 of 13 workloads lack
  /// nvlink_bytes_per_s and were left out"): stated treatments, never silent ones.
  std::vector<std::string> method;
  std::vector<Table> tables;
  std::vector<Chart> charts;
  /// Answers that this one joins and sums up; those have none themselves. Empty: it stands alone.
  std::vector<Answer> parts = {};
  /// Why a part of what was asked for is missing, kInterrupted where a signal cut the work short:
  /// the answer is printed like any other, and this is the exit status. Sentences say more.
  std::optional<ErrorKind> incomplete = {};
};

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_ANSWER_H_
