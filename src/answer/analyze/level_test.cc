#include "answer/analyze/level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "answer/analyze/analysis.h"
#include "core/snake_case_testing.h"
#include "ingest/importers/importer.h"
#include "source_dir.h"
#include "store/database.h"

namespace xsp::analyze {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

std::vector<Level> ShippedLevels() {
  auto levels = LoadLevels(fs::path(XSP_SOURCE_DIR) / "levels");
  EXPECT_TRUE(levels.ok()) << levels.error().what;
  return levels.ok() ? std::move(levels).value() : std::vector<Level>{};
}

TEST(ShippedLevels, AreInOrderOfTheirNames) {
  const std::vector<Level> levels = ShippedLevels();
  ASSERT_FALSE(levels.empty());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    EXPECT_TRUE(core::IsSnakeCase(levels[i].name)) << levels[i].name;
    EXPECT_TRUE(i == 0 || levels[i - 1].name < levels[i].name);
  }
}

TEST(ShippedLevels, HaveTextsThatMakeSentences) {
  for (const Level& level : ShippedLevels()) {
    SCOPED_TRACE(level.name);
    EXPECT_FALSE(level.what.ends_with('.')) << "\"here.\" or the points follow it";
    for (const std::string& text : {level.measure, level.recorded, level.import})
      EXPECT_TRUE(text.empty() || text.ends_with('.')) << text;
  }
}

TEST(ShippedLevels, AreForFilesOfAnyFormat) {
  for (const Level& level : ShippedLevels())
    EXPECT_THAT(level.import, testing::Not(testing::AnyOf(HasSubstr("PyTorch"), HasSubstr("torch."),
                                                          HasSubstr("profiler."))))
        << level.name << ": an importer has hints for the files of its tool";
}

TEST(ShippedLevels, HaveProbesThatRunByThemselves) {
  const auto database = store::Database::OpenEmpty();
  ASSERT_TRUE(database.ok());
  for (const Level& level : ShippedLevels()) {
    const auto rows = database.value().Query(level.probe);
    ASSERT_TRUE(rows.ok()) << level.name << ": " << rows.error().what;
    EXPECT_TRUE(rows.value().rows.empty()) << level.name << " of an empty experiment";
    EXPECT_EQ(rows.value().columns.size(), 1U) << level.name;
    EXPECT_TRUE(level.of_experiment || rows.value().columns.at(0) == "point_id") << level.name;
  }
}

TEST(ShippedLevels, AreWhatTheHintsOfImportersName) {
  const std::vector<Level> levels = ShippedLevels();
  for (const ImporterSpec* importer : importers::AllImporters())
    for (const importers::LevelHint& hint : importer->hints)
      EXPECT_NE(FindLevel(levels, hint.level), nullptr) << importer->name << ": " << hint.level;
}

TEST(ShippedLevels, AreAllThatAnalysesNeed) {
  const std::vector<Level> levels = ShippedLevels();
  const auto analyses = LoadAnalyses({fs::path(XSP_SOURCE_DIR) / "analyses"});
  ASSERT_TRUE(analyses.ok()) << analyses.error().what;
  for (const Analysis& analysis : analyses.value())
    for (const std::string& need : analysis.needs)
      EXPECT_NE(FindLevel(levels, need), nullptr) << analysis.name << ": " << need;
}

TEST(ShippedLevels, AreReadOnce) {
  const auto levels = KnownLevels();
  ASSERT_TRUE(levels.ok()) << levels.error().what;
  EXPECT_EQ(KnownLevels().value(), levels.value());
  EXPECT_EQ(levels.value()->size(), ShippedLevels().size());
}

TEST(NeededLevelsTest, AreThoseThatAreNamedAndWhatTheyRestOn) {
  std::vector<Level> levels(4);
  levels[0].name = "flops";
  levels[0].rests_on = "kernel";
  levels[1].name = "kernel";
  levels[1].rests_on = "layer";
  levels[2].name = "layer";
  levels[3].name = "roof";
  const auto names = [&](const std::vector<std::string>& needs) {
    std::vector<std::string> found;
    for (const Level& level : NeededLevels(levels, needs)) found.push_back(level.name);
    return found;
  };
  EXPECT_THAT(names({"flops"}), ElementsAre("flops", "kernel", "layer"));
  EXPECT_THAT(names({"roof", "layer", "roof"}), ElementsAre("layer", "roof"));
  EXPECT_THAT(names({"unknown"}), ElementsAre());
  levels[2].rests_on = "flops";  // A loop of a user's files.
  EXPECT_THAT(names({"kernel"}), ElementsAre("flops", "kernel", "layer"));
}

constexpr std::string_view kLayerFile =
    "rung: layer\n"
    "what: There are no layers\n"
    "probe: SELECT point_id FROM layer\n"
    "measure: '`{command}` of {model}.'\n"
    "import: Import them.\n";

class LevelFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-levels-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    Add("layer", std::string(kLayerFile));
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  void Add(const std::string& name, const std::string& yaml) {
    std::ofstream(folder_ / (name + ".yaml")) << yaml;
  }
  /// What is wrong with a file that has `from` replaced by `to`.
  std::string ErrorOf(const std::string& from, const std::string& to) {
    std::string yaml(kLayerFile);
    yaml.replace(yaml.find(from), from.size(), to);
    Add("layer", yaml);
    const auto loaded = LoadLevels(folder_);
    if (loaded.ok()) return "loaded";
    EXPECT_EQ(loaded.error().kind, ErrorKind::kBadInput);
    return loaded.error().what;
  }

  fs::path folder_;
};

TEST_F(LevelFolder, GivesEachLevelTheNameOfItsFile) {
  std::ofstream(folder_ / "README.md") << "Not a level.";
  const auto levels = LoadLevels(folder_);
  ASSERT_TRUE(levels.ok()) << levels.error().what;
  ASSERT_EQ(levels.value().size(), 1U);
  const Level& layer = levels.value()[0];
  EXPECT_EQ(layer.name, "layer");
  EXPECT_EQ(layer.rung, "layer");
  EXPECT_EQ(layer.recorded, "");
  EXPECT_FALSE(layer.of_experiment);
  EXPECT_EQ(FindLevel(levels.value(), "layer"), &layer);
  EXPECT_EQ(FindLevel(levels.value(), "lair"), nullptr);
}

TEST_F(LevelFolder, NamesFileAndLineOfWhatIsWrong) {
  EXPECT_THAT(ErrorOf("what: There are no layers\n", ""), HasSubstr("'what' is missing"));
  EXPECT_THAT(ErrorOf("import:", "imported:"), HasSubstr("'import' is missing"));
  EXPECT_THAT(ErrorOf("rung:", "colour: red\nrung:"),
              AllOf(HasSubstr("'colour' is not one of"), EndsWith("layer.yaml:1")));
  EXPECT_THAT(ErrorOf("rung:", "scope: model\nrung:"), HasSubstr("'scope'"));
  EXPECT_THAT(ErrorOf("rung:", "monitor: maybe\nrung:"), HasSubstr("'monitor'"));
  EXPECT_THAT(ErrorOf("{command}", "{commando}"),
              AllOf(HasSubstr("'measure' has a placeholder"), EndsWith("layer.yaml:4")));
  EXPECT_THAT(ErrorOf("rung: layer", "rung: ["), HasSubstr("layer.yaml:"));
}

TEST_F(LevelFolder, RestsOnlyOnLevelsOfPoints) {
  EXPECT_THAT(ErrorOf("rung:", "rests_on: nothing\nrung:"), EndsWith("layer.yaml: nothing"));
  EXPECT_THAT(ErrorOf("rung:", "rests_on: layer\nrung:"), EndsWith("layer.yaml: layer"));
  Add("roof", "scope: experiment\nprobe: SELECT 1\nmeasure: M.\nimport: I.\n");
  EXPECT_THAT(ErrorOf("rung:", "rests_on: roof\nrung:"), EndsWith("layer.yaml: roof"));
}

TEST_F(LevelFolder, WithoutLevelsIsAnError) {
  EXPECT_THAT(LoadLevels(folder_ / "nowhere").error().what, EndsWith("nowhere"));
}

}  // namespace
}  // namespace xsp::analyze
