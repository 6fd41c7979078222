#include "answer/analyze/golden_testing.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/csv.h"
#include "store/table.h"

namespace xsp::analyze {

namespace fs = std::filesystem;

namespace {

std::string CsvText(const store::Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return "";
  if (const auto* value = std::get_if<bool>(&cell)) return *value ? "true" : "false";
  if (const auto* value = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *value);
  if (const auto* value = std::get_if<double>(&cell)) return fmt::format("{:.9g}", *value);
  const std::string& text = std::get<std::string>(cell);
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  return core::QuotedCsvField(text);
}

Result<GoldenOutcome> RunCase(const Analysis& analysis, const fs::path& file, bool accept,
                              GoldenExperiment& experiment) {
  XSP_TRY(std::string why, experiment.Fill(file));
  XSP_TRY(const AnalysisResult result, Run(analysis, experiment.database()));
  fs::path expected_file = file;
  expected_file.replace_extension(".csv");
  XSP_TRY(std::string difference, CompareOrAccept(expected_file, GoldenText(result), accept));
  return GoldenOutcome{file.stem().string(), std::move(why), std::move(difference)};
}

}  // namespace

std::string GoldenText(const AnalysisResult& result) {
  std::string text;
  for (std::size_t i = 0; i < result.table.columns.size(); ++i) {
    text += (i == 0 ? "" : ",") + result.table.columns[i];
  }
  text += "\n";
  for (const auto& row : result.table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i == 0 ? "" : ",") + CsvText(row[i]);
    text += "\n";
  }
  for (const MissingLevel& level : result.missing) {
    text += fmt::format("# missing {}: {}\n", level.level, level.how);
  }
  return text;
}

Result<std::vector<GoldenOutcome>> RunGolden(const Analysis& analysis, bool accept,
                                             GoldenExperiment& experiment) {
  XSP_TRY(const std::vector<fs::path> files, GoldenFiles(analysis.folder));
  std::vector<GoldenOutcome> outcomes;
  for (const fs::path& file : files) {
    XSP_TRY(GoldenOutcome outcome, RunCase(analysis, file, accept, experiment));
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace xsp::analyze
