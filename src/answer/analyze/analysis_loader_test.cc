#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "answer/analyze/analysis.h"
#include "source_dir.h"

namespace xsp::analyze {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr std::string_view kYaml =
    "id: own\n"
    "title: Own\n"
    "question: How long is the longest layer?\n"
    "needs: [layer]\n"
    "columns:\n"
    "  - {name: longest_ns, unit: ns, provenance: runs, help: Longest}\n";

/// A user's folder of analyses, as `--analyses DIR` names it.
class UserFolder : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("xsp_load_test_" + std::to_string(getpid()));
    Add("longest", std::string(kYaml));
  }
  void TearDown() override { fs::remove_all(root_); }

  void Add(const std::string& name, const std::string& yaml) {
    fs::create_directories(root_ / name);
    std::ofstream(root_ / name / "analysis.yaml") << yaml;
    std::ofstream(root_ / name / "query.sql") << "SELECT max(latency_ns) AS longest_ns FROM layer";
    std::ofstream(root_ / name / "README.md") << "Longest.";
  }
  /// The error of a folder whose analysis.yaml has `from` replaced by `to`.
  Error ErrorOf(const std::string& from, const std::string& to) {
    std::string yaml(kYaml);
    yaml.replace(yaml.find(from), from.size(), to);
    Add("longest", yaml);
    const auto loaded = LoadAnalyses({root_});
    if (loaded.ok()) return {ErrorKind::kInternal, "loaded", ""};
    EXPECT_EQ(loaded.error().kind, ErrorKind::kBadInput);
    return loaded.error();
  }

  fs::path root_;
};

TEST(LoadAnalyses, FindsThoseOfTheHouseInOrder) {
  const auto loaded = LoadAnalyses({fs::path(XSP_SOURCE_DIR) / "analyses"});
  ASSERT_TRUE(loaded.ok()) << loaded.error().what;
  std::vector<std::string> ids;
  for (const Analysis& analysis : loaded.value()) ids.push_back(analysis.id);
  ASSERT_GE(ids.size(), 17U);
  // Those of the papers first, then the others by name.
  EXPECT_TRUE(std::is_sorted(ids.begin() + 15, ids.end()));
  ids.resize(15);
  EXPECT_THAT(ids, ElementsAre("A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11",
                               "A12", "A13", "A14", "A15"));
}

TEST_F(UserFolder, IsLoadedBesideTheHouse) {
  const auto loaded = LoadAnalyses({fs::path(XSP_SOURCE_DIR) / "analyses", root_});
  ASSERT_TRUE(loaded.ok()) << loaded.error().what;
  const Analysis* own = Find(loaded.value(), "own");
  ASSERT_NE(own, nullptr);
  EXPECT_EQ(own->name, "longest");
  EXPECT_EQ(own->chart, "");
  EXPECT_EQ(own->text, "Longest.");
  EXPECT_EQ(Find(loaded.value(), "LONGEST"), own);
  EXPECT_EQ(Find(loaded.value(), "a2")->id, "A2");
  EXPECT_EQ(Find(loaded.value(), "A99"), nullptr);
}

TEST_F(UserFolder, AnswersOnADatabase) {
  const auto loaded = LoadAnalyses({root_ / "longest"});  // The folder itself serves too.
  ASSERT_TRUE(loaded.ok()) << loaded.error().what;
  const auto database = store::Database::OpenEmpty();
  ASSERT_TRUE(
      database.value()
          .Query("INSERT INTO layer (point_id, layer_index, name, type, latency_ns, matched)"
                 " VALUES (1, 0, 'a', 'conv', 7, 'all'), (1, 1, 'b', 'conv', 9, 'all')")
          .ok());
  const auto result = analyze::Run(loaded.value()[0], database.value());
  ASSERT_TRUE(result.ok()) << result.error().what;
  EXPECT_EQ(std::get<double>(result.value().table.rows.at(0).at(0)), 9);
}

TEST_F(UserFolder, CannotTakeAnIdThatIsTaken) {
  Add("other", std::string(kYaml).replace(4, 3, "OWN"));
  const auto loaded = LoadAnalyses({root_});
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error().what, HasSubstr("two analyses have the id"));
}

TEST_F(UserFolder, ThatDoesNotExistIsAnError) {
  const auto loaded = LoadAnalyses({root_ / "nowhere"});
  ASSERT_FALSE(loaded.ok());
  EXPECT_THAT(loaded.error().what, EndsWith("nowhere"));
}

TEST_F(UserFolder, WithoutAQueryIsAnErrorThatNamesIt) {
  fs::remove(root_ / "longest/query.sql");
  EXPECT_THAT(LoadAnalyses({root_}).error().what, EndsWith("query.sql"));
}

TEST_F(UserFolder, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_THAT(ErrorOf("?", ".").what, testing::AllOf(HasSubstr("does not end in '?'"),
                                                     EndsWith("longest/analysis.yaml:3")));
  EXPECT_THAT(ErrorOf("[layer]", "[lair]").what,
              testing::AllOf(HasSubstr("lair"), EndsWith("analysis.yaml:4")));
  EXPECT_THAT(ErrorOf("title:", "heading:").what, HasSubstr("'title' is missing"));
  EXPECT_THAT(ErrorOf("needs:", "scope: all\nneeds:").what, HasSubstr("'scope'"));
  EXPECT_THAT(ErrorOf("needs:", "colour: red\nneeds:").what,
              testing::AllOf(HasSubstr("'colour' is not one of"), EndsWith(":4")));
  EXPECT_THAT(ErrorOf("runs", "from memory").what,
              testing::AllOf(HasSubstr("from memory"), EndsWith("analysis.yaml:6")));
  EXPECT_THAT(ErrorOf("runs", "layer.name; DROP TABLE layer").what, HasSubstr("'provenance'"));
  EXPECT_THAT(ErrorOf("{name", "{nome").what, EndsWith(":6"));
  EXPECT_THAT(ErrorOf("id: own", "id: [").what, HasSubstr("analysis.yaml:"));
  EXPECT_THAT(ErrorOf("id: own", "id: all").what, HasSubstr("'id'"));
  EXPECT_THAT(ErrorOf("columns:\n", "columns:\n  - {name: longest_ns, help: Twice}\n").what,
              HasSubstr("two columns are named longest_ns"));
}

}  // namespace
}  // namespace xsp::analyze
