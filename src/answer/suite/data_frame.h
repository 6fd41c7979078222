#ifndef XSP_ANSWER_SUITE_DATA_FRAME_H_
#define XSP_ANSWER_SUITE_DATA_FRAME_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "answer/suite/answer.h"
#include "core/result.h"
#include "store/table.h"

namespace xsp::suite {

/// What a frame holds where a value is not known: never a zero.
inline constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

struct Metric {
  std::string name;  ///< "gpu_share"
  std::string unit;  ///< As analyze::Column::unit; empty where a user's table does not say.
  std::string provenance;
};

/// Workload vectors: one row a workload, one column a metric.
struct DataFrame {
  std::vector<std::string> labels;  ///< Unique, one a row.
  std::vector<std::string> groups;  ///< The suite that each belongs to; "" where not known.
  std::vector<Metric> metrics;
  std::vector<std::vector<double>> values;  ///< values[row][metric]; kMissing where not known.

  std::size_t rows() const { return labels.size(); }
};

/// Which columns of a table are what.
struct DataFrameColumns {
  std::vector<std::string> labels;   ///< Joined by "-"; empty: the first column that is text.
  std::string group;                 ///< Empty: none.
  std::vector<std::string> metrics;  ///< Empty: every other column that is a number.
};

/// The frame that `table` holds. Numbers that are NaN or infinite, and NULL, are kMissing; the
/// count of the infinite ones is reported in `*treatments` (appended to; not null), and which
/// columns that nobody asked for are no metrics as some of their cells are text. Errors: kBadInput,
/// naming the column (none of that name, text where a number is asked for, no metric at all), the
/// label that stands twice, the row without a label, or a table without rows.
Result<DataFrame> DataFrameOf(const store::Table& table, const DataFrameColumns& columns,
                              std::vector<std::string>* treatments);

/// What `cell` says as a word: text as it is, numbers and truths written out; NULL: "".
std::string TextOf(const store::Cell& cell);

/// The number in `cell`, perhaps an infinite one; kMissing for all that is no number.
double NumberOf(const store::Cell& cell);

/// The row of the first cell of text in `column` that could not be read as a number: one such cell
/// makes text of a whole column of a file. Nothing: the column holds no text.
std::optional<std::size_t> FirstText(const store::Table& table, std::size_t column);

/// `value` as a cell; kMissing: NULL.
store::Cell NumberCell(double value);

/// `frame` as a table of an answer: label, group where any is known, the metrics. Missing: NULL.
Table TableOf(const DataFrame& frame, std::string id, std::string title);

/// What is done with workloads or metrics that lack values.
enum class MissingRule { kDropRows, kDropMetrics, kMean };

/// "rows", "metrics" or "mean". Error: kUsage.
Result<MissingRule> MissingRuleOf(const std::string& word);

/// `frame` without missing values, by `rule`: rows that lack any are left out, or metrics that lack
/// any are, or the metric's mean stands in. What was done is appended to `*treatments` (not null),
/// with names. Errors: kBadInput when nothing would be left.
Result<DataFrame> Completed(const DataFrame& frame, MissingRule rule,
                            std::vector<std::string>* treatments);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_DATA_FRAME_H_
