#ifndef XSP_ANSWER_REPORT_SENTENCES_TESTING_H_
#define XSP_ANSWER_REPORT_SENTENCES_TESTING_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "answer/findings/rule.h"
#include "answer/report/summary.h"
#include "source_dir.h"
#include "store/database.h"

namespace xsp::report {

/// An empty experiment: its raw tables, as those of every experiment, are led by the run.
inline store::Database EmptyExperiment() {
  auto database = store::Database::OpenEmpty().value();
  for (const std::string table : {"span", "track"})
    EXPECT_TRUE(database.Query("ALTER TABLE " + table + " ADD COLUMN run_id BIGINT").ok());
  return database;
}

/// The rules of this source tree.
inline const std::vector<findings::Rule>& BuiltInRules() {
  static const auto rules =
      findings::LoadRules({std::filesystem::path(XSP_SOURCE_DIR) / "findings"}).value();
  return rules;
}

/// An imported run of one point, whose tables a test fills.
class ImportedRunTest : public testing::Test {
 public:
  static std::vector<std::string> TextsOf(const Result<std::vector<Sentence>>& found) {
    EXPECT_TRUE(found.ok()) << found.error().what;
    std::vector<std::string> texts;
    if (!found.ok()) return texts;
    for (const Sentence& sentence : found.value()) texts.push_back(sentence.text);
    return texts;
  }

 protected:
  void SetUp() override {
    Insert(
        "point (point_id, model, backend, device, precision, settings, status) VALUES "
        "(1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done')");
    Insert("run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a')");
  }

  /// `rows`: "TABLE VALUES (...)".
  void Insert(const std::string& rows) {
    const auto done = database_.Query("INSERT INTO " + rows);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }

  store::Database database_ = EmptyExperiment();
};

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_SENTENCES_TESTING_H_
