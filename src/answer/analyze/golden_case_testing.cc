#include "answer/analyze/golden_case_testing.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "os/files.h"
#include "store/schema.h"

namespace xsp::analyze {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kWhy = "-- why: ";

/// Runs the statements of `sql`, each of which ends with ';' at the end of a line.
Status RunStatements(const store::Database& database, const fs::path& file,
                     const std::string& sql) {
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

}  // namespace

Result<std::vector<fs::path>> GoldenFiles(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder / "golden", error);
       !error && entry != fs::end(entry); entry.increment(error)) {
    if (entry->path().extension() == ".sql") files.push_back(entry->path());
  }
  if (files.empty()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("no golden case: {}", (folder / "golden").string()),
                 "Write golden/NAME.sql: '-- why: ...', then INSERT statements."};
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<store::Database> OpenEmptyExperiment() {
  XSP_TRY(store::Database database, store::Database::OpenEmpty());
  for (const store::TableSchema& table : store::Schema()) {
    if (!table.raw) continue;
    XSP_TRY(const auto led,
            database.Query(fmt::format("ALTER TABLE {} ADD COLUMN run_id BIGINT", table.name)));
    static_cast<void>(led);
  }
  return database;
}

Result<GoldenExperiment> GoldenExperiment::Open() {
  XSP_TRY(store::Database database, OpenEmptyExperiment());
  // A few rows are read sooner than a plan for many is made.
  XSP_TRY([[maybe_unused]] const auto set, database.Query("PRAGMA disable_optimizer"));
  // Creates its views now: those that a case would create end with it.
  XSP_TRY([[maybe_unused]] const auto tables, database.Query("SHOW TABLES"));
  return GoldenExperiment(std::move(database));
}

Result<std::string> GoldenExperiment::Fill(const fs::path& file) {
  XSP_TRY(const std::string sql, os::ReadFile(file));
  const std::string first = sql.substr(0, sql.find('\n'));
  if (!first.starts_with(kWhy) || first.size() == kWhy.size()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("golden case does not begin with '-- why: ...': {}:1", file.string()),
                 "Say in one line what this case shows."};
  }
  if (std::exchange(is_filled_, false)) {
    XSP_TRY([[maybe_unused]] const auto emptied, database_.Query("ROLLBACK"));
  }
  XSP_TRY([[maybe_unused]] const auto begun, database_.Query("BEGIN TRANSACTION"));
  is_filled_ = true;
  XSP_RETURN_IF_ERROR(RunStatements(database_, file, sql));
  return first.substr(kWhy.size());
}

Result<std::string> CompareOrAccept(const fs::path& expected_file, const std::string& actual,
                                    bool accept) {
  if (accept) {
    XSP_RETURN_IF_ERROR(os::WriteFileAtomically(expected_file, actual));
    return std::string();
  }
  XSP_TRY(const std::string expected, os::ReadFile(expected_file));
  return FirstDifference(expected, actual);
}

}  // namespace xsp::analyze
