#include "answer/analyze/golden.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/csv.h"
#include "os/files.h"
#include "store/database.h"
#include "store/schema.h"

namespace xsp::analyze {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kWhy = "-- why: ";

std::string CsvText(const store::Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell)) return "";
  if (const auto* value = std::get_if<bool>(&cell)) return *value ? "true" : "false";
  if (const auto* value = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *value);
  if (const auto* value = std::get_if<double>(&cell)) return fmt::format("{:.9g}", *value);
  const std::string& text = std::get<std::string>(cell);
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  return core::QuotedCsvField(text);
}

/// Fills a database with the statements of `sql`, each of which ends with ';' at the end of a line.
Status Fill(const store::Database& database, const fs::path& file, const std::string& sql) {
  std::istringstream lines(sql);
  std::string line;
  std::string statement;
  int number = 0;
  int start = 1;
  while (std::getline(lines, line)) {
    ++number;
    if (line.starts_with("--") || line.empty()) continue;
    if (statement.empty()) start = number;
    statement += line + "\n";
    if (!line.ends_with(';')) continue;
    if (const auto done = database.Query(statement); !done.ok()) {
      return Error{ErrorKind::kBadInput,
                   fmt::format("{}: {}:{}", done.error().what, file.string(), start),
                   "schema/schema.sql has the tables and their columns."};
    }
    statement.clear();
  }
  if (statement.empty()) return Ok{};
  return Error{ErrorKind::kBadInput,
               fmt::format("last statement does not end with ';': {}:{}", file.string(), start),
               ""};
}

/// The first line in which two texts differ, or nothing.
std::string FirstDifference(const std::string& expected, const std::string& actual) {
  if (expected == actual) return "";
  std::istringstream a(expected);
  std::istringstream b(actual);
  for (int number = 1;; ++number) {
    std::string line_a;
    std::string line_b;
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "only the ends of lines differ";
    if (line_a == line_b && more_a == more_b) continue;
    return fmt::format("line {}\n  expected: {}\n  is:       {}", number,
                       more_a ? line_a : "(no such line)", more_b ? line_b : "(no such line)");
  }
}

Result<GoldenOutcome> RunCase(const Analysis& analysis, const fs::path& file, bool accept) {
  XSP_TRY(const std::string sql, os::ReadFile(file));
  GoldenOutcome outcome;
  outcome.name = file.stem().string();
  const std::string first = sql.substr(0, sql.find('\n'));
  if (!first.starts_with(kWhy) || first.size() == kWhy.size()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("golden case does not begin with '-- why: ...': {}:1", file.string()),
                 "Say in one line what this case shows."};
  }
  outcome.why = first.substr(kWhy.size());
  XSP_TRY(const store::Database database, store::Database::OpenEmpty());
  // As of an opened experiment, whose raw tables know their run.
  for (const store::TableSchema& table : store::Schema()) {
    if (!table.raw) continue;
    XSP_TRY(const auto led,
            database.Query(fmt::format("ALTER TABLE {} ADD COLUMN run_id BIGINT", table.name)));
    static_cast<void>(led);
  }
  XSP_RETURN_IF_ERROR(Fill(database, file, sql));
  XSP_TRY(const AnalysisResult result, Run(analysis, database));
  const std::string actual = GoldenText(result);
  fs::path expected_file = file;
  expected_file.replace_extension(".csv");
  if (accept) {
    XSP_RETURN_IF_ERROR(os::WriteFileAtomically(expected_file, actual));
    return outcome;
  }
  XSP_TRY(const std::string expected, os::ReadFile(expected_file));
  outcome.difference = FirstDifference(expected, actual);
  return outcome;
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

Result<std::vector<GoldenOutcome>> RunGolden(const Analysis& analysis, bool accept) {
  const fs::path folder = analysis.folder / "golden";
  std::vector<fs::path> files;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->path().extension() == ".sql") files.push_back(entry->path());
  }
  if (files.empty()) {
    return Error{ErrorKind::kBadInput, fmt::format("no golden case: {}", folder.string()),
                 "Write golden/NAME.sql: '-- why: ...', then INSERT statements."};
  }
  std::sort(files.begin(), files.end());
  std::vector<GoldenOutcome> outcomes;
  for (const fs::path& file : files) {
    XSP_TRY(GoldenOutcome outcome, RunCase(analysis, file, accept));
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace xsp::analyze
