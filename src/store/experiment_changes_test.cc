#include "store/experiment_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "store/catalogue.h"
#include "store/experiment_writer.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class CurateTest : public testing::Test {
 protected:
  CurateTest() {
    std::string name = (fs::temp_directory_path() / "xsp-curate-XXXXXX").string();
    store_ = mkdtemp(name.data());
    for (const char* experiment : {"first", "second"}) {
      ExperimentWriter writer = ExperimentWriter::Create(store_, experiment).value();
      EXPECT_TRUE(writer.Commit(R"({"kind": "run", "model": "m", "status": "done"})").ok());
    }
  }
  ~CurateTest() override { fs::remove_all(store_); }

  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    const auto entries = List(store_).value();
    for (const CatalogueEntry& entry : entries) names.push_back(entry.name);
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path store_;
};

TEST_F(CurateTest, RemovesOneAndNothingElse) {
  ASSERT_TRUE(RemoveExperiment(store_, "first").ok());
  EXPECT_THAT(Names(), ElementsAre("second"));
  EXPECT_EQ(std::distance(fs::directory_iterator(store_), {}), 1);
}

TEST_F(CurateTest, NamesOnlyWhatLiesInTheStore) {
  for (const char* name : {"", ".", "..", "../x", "/tmp", "latest", "first/b1", "*"}) {
    const Status removed = RemoveExperiment(store_, name);
    ASSERT_FALSE(removed.ok()) << name;
    EXPECT_EQ(removed.error().kind, ErrorKind::kBadInput);
  }
  EXPECT_THAT(RemoveExperiment(store_, "first1").error().hint, HasSubstr("first"));
  EXPECT_THAT(Names(), ElementsAre("first", "second"));
}

TEST_F(CurateTest, RenamesUnlessTheNameIsTaken) {
  ASSERT_TRUE(RenameExperiment(store_, "first", "third").ok());
  EXPECT_THAT(Names(), ElementsAre("second", "third"));
  EXPECT_THAT(RenameExperiment(store_, "third", "second").error().what, HasSubstr("taken"));
  EXPECT_EQ(RenameExperiment(store_, "third", "a/b").error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(Names(), ElementsAre("second", "third"));
}

TEST_F(CurateTest, TagsAreKeptWithTheExperiment) {
  EXPECT_EQ(TagExperiment(store_, "first", {{"machine", "lab 3"}, {"git", "a1b2"}}).value().size(),
            2u);
  EXPECT_EQ(TagExperiment(store_, "first", {{"git", ""}}).value(), (Tags{{"machine", "lab 3"}}));
  EXPECT_EQ(List(store_).value().at(0).tags, (Tags{{"machine", "lab 3"}}));
  EXPECT_EQ(TagExperiment(store_, "first", {{"a b", "x"}}).error().kind, ErrorKind::kBadInput);
  fs::remove(store_ / "second" / "experiment.json");
  EXPECT_FALSE(TagExperiment(store_, "second", {{"git", "x"}}).ok());
}

}  // namespace
}  // namespace xsp::store
