#ifndef XSP_APP_CLI_COMPARISON_OUTPUT_H_
#define XSP_APP_CLI_COMPARISON_OUTPUT_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace xsp::cli {

// How a compared pair of sides is shown: an object of the document of `xsp compare`.

/// Which rows of a pair are shown.
struct RowChoice {
  std::string rows = "leaves";  ///< leaves, operators, modules, changed or all.
  int top = 0;                  ///< Those with the largest differences; 0: all.
};

struct ShownRows {
  std::vector<nlohmann::json> rows;
  std::size_t left_out = 0;
};

/// Whether a row is called faster or slower.
bool IsChanged(const nlohmann::json& row);

/// The rows that were asked for, the largest differences first.
ShownRows ChosenRows(const nlohmann::json& pair, const RowChoice& choice);

/// Members of a row that a table shows.
const std::vector<std::string>& ComparisonColumns();

/// One line for each part of the answer but its rows.
std::vector<std::string> LinesOfComparison(const nlohmann::json& pair);

/// Writes gates, lines and a table of rows to standard output.
void PrintComparison(const nlohmann::json& pair, const RowChoice& choice);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_COMPARISON_OUTPUT_H_
