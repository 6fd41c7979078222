#ifndef XSP_ANSWER_ANALYZE_GOLDEN_CASE_TESTING_H_
#define XSP_ANSWER_ANALYZE_GOLDEN_CASE_TESTING_H_

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "store/database.h"

namespace xsp::analyze {

/// One case of a golden/ folder: `NAME.sql` fills an empty experiment and begins with
/// `-- why: ...`; a file beside it holds what must then come out.
struct GoldenOutcome {
  std::string name;
  std::string why;
  std::string difference;  ///< Empty: as expected. Else the first line that differs, both ways.
};

/// An experiment without rows, whose raw tables have the column run_id as those of an opened one.
/// Errors: those of Database::Query.
Result<store::Database> OpenEmptyExperiment();

/// The `NAME.sql` below `folder`/golden, in order of name. Error: kBadInput without one.
Result<std::vector<std::filesystem::path>> GoldenFiles(const std::filesystem::path& folder);

/// An experiment that cases fill, one after another: to make its tables takes longer than a case.
class GoldenExperiment {
 public:
  /// Errors: those of Database::Query.
  static Result<GoldenExperiment> Open();

  /// Empties it, runs the INSERT statements of `file`, each of which ends with ';' at the end of a
  /// line, and returns the case's why. Errors: kBadInput for a case without its why, or SQL that
  /// fails, naming the file and line.
  Result<std::string> Fill(const std::filesystem::path& file);

  const store::Database& database() const { return database_; }

 private:
  explicit GoldenExperiment(store::Database database) : database_(std::move(database)) {}

  store::Database database_;
  bool is_filled_ = false;
};

/// The first line in which `actual` differs from the text of `expected_file`; empty: none does.
/// With `accept`, `actual` becomes the text of the file. Errors: those of reading and writing it.
Result<std::string> CompareOrAccept(const std::filesystem::path& expected_file,
                                    const std::string& actual, bool accept);

}  // namespace xsp::analyze

#endif  // XSP_ANSWER_ANALYZE_GOLDEN_CASE_TESTING_H_
