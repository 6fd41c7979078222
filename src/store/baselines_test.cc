#include "store/baselines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "store/catalogue.h"
#include "store/experiment_changes.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class BaselinesTest : public testing::Test {
 protected:
  BaselinesTest() {
    Add("first", "2026-01-01T00:00:00.001Z");
    Add("second", "2026-01-01T00:00:00.002Z");
  }

  void Add(const std::string& name, const std::string& created) const {
    ExperimentWriter writer = ExperimentWriter::Create(store(), name).value();
    EXPECT_TRUE(writer.Commit(R"({"kind": "run", "created": ")" + created + "\"}").ok());
  }

  /// "main first#batch=8 ok"
  std::vector<std::string> Entries() const {
    std::vector<std::string> texts;
    const auto entries = ListBaselines(store()).value();
    for (const BaselineEntry& entry : entries)
      texts.push_back(entry.baseline.name + " " + entry.baseline.experiment + "#" +
                      entry.baseline.selector + " " + entry.status);
    return texts;
  }

  const fs::path& store() const { return folder_.path(); }

  TestFolder folder_;
};

TEST_F(BaselinesTest, NameAnExperimentAndAPoint) {
  const Baseline set = SetBaseline(store(), "main", "first", "batch=8").value();
  EXPECT_THAT(set.set, StartsWith("20"));
  EXPECT_EQ(set.created, "2026-01-01T00:00:00.001Z");
  const Baseline found = FindBaseline(store(), "main").value();
  EXPECT_EQ(found.experiment, "first");
  EXPECT_EQ(found.selector, "batch=8");
  EXPECT_EQ(found.set, set.set);
}

TEST_F(BaselinesTest, ReplaceAnEarlierOneOfTheirName) {
  ASSERT_TRUE(SetBaseline(store(), "main", "first", "").ok());
  ASSERT_TRUE(SetBaseline(store(), "main", "second", "").ok());
  ASSERT_TRUE(SetBaseline(store(), "a", "second", "").ok());
  EXPECT_THAT(Entries(), ElementsAre("a second# ok", "main second# ok"));
}

TEST_F(BaselinesTest, AreNoExperiments) {
  ASSERT_TRUE(SetBaseline(store(), "main", "first", "").ok());
  EXPECT_EQ(List(store()).value().size(), 2U);
  EXPECT_FALSE(Resolve(store(), "main.baseline.json").ok());
}

TEST_F(BaselinesTest, FollowARenamedExperiment) {
  ASSERT_TRUE(SetBaseline(store(), "main", "first", "batch=8").ok());
  ASSERT_TRUE(SetBaseline(store(), "other", "second", "").ok());
  ASSERT_TRUE(RenameExperiment(store(), "first", "third").ok());
  EXPECT_THAT(Entries(), ElementsAre("main third#batch=8 ok", "other second# ok"));
}

TEST_F(BaselinesTest, ProtectTheirExperiment) {
  ASSERT_TRUE(SetBaseline(store(), "main", "first", "").ok());
  const Status refused = RemoveExperiment(store(), "first");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(refused.error().what, HasSubstr("baseline main"));
  EXPECT_THAT(refused.error().hint, HasSubstr("xsp baseline remove main"));
  ASSERT_TRUE(RemoveBaseline(store(), "main").ok());
  EXPECT_TRUE(RemoveExperiment(store(), "first").ok());
}

TEST_F(BaselinesTest, TellThatTheirExperimentIsGone) {
  ASSERT_TRUE(SetBaseline(store(), "main", "first", "").ok());
  fs::remove_all(store() / "first");
  const auto gone = FindBaseline(store(), "main");
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(gone.error().what, HasSubstr("not in the store: first"));
  EXPECT_THAT(Entries(), ElementsAre("main first# removed"));
}

TEST_F(BaselinesTest, AreNoOtherExperimentOfTheSameName) {
  ASSERT_TRUE(SetBaseline(store(), "main", "first", "").ok());
  fs::remove_all(store() / "first");
  Add("first", "2026-02-02T00:00:00.000Z");
  EXPECT_THAT(FindBaseline(store(), "main").error().what, HasSubstr("replaced"));
  EXPECT_THAT(Entries(), ElementsAre("main first# replaced"));
  // Which nothing protects.
  EXPECT_TRUE(RemoveExperiment(store(), "first").ok());
}

TEST_F(BaselinesTest, ThatAreDamagedAreListedAndCanBeRemoved) {
  std::ofstream(store() / "noise.baseline.json") << "\x01{";
  std::ofstream(store() / "list.baseline.json") << "[]";
  std::ofstream(store() / "newer.baseline.json")
      << R"({"format_version": 99, "experiment": "first"})";
  std::ofstream(store() / "outside.baseline.json") << R"({"experiment": "../../etc"})";
  std::ofstream(store() / ".baseline.json") << "{}";
  fs::create_directory(store() / "folder.baseline.json");
  EXPECT_THAT(Entries(),
              ElementsAre(HasSubstr("unreadable: not a baseline"),
                          HasSubstr("unreadable: written by a newer XSP"),
                          HasSubstr("unreadable: not a baseline"), "outside ../../etc# removed"));
  for (const char* name : {"noise", "list", "newer", "outside", "none", "../first"})
    EXPECT_EQ(FindBaseline(store(), name).error().kind, ErrorKind::kBadInput) << name;
  // They are in the way of nothing.
  EXPECT_TRUE(RenameExperiment(store(), "first", "third").ok());
  EXPECT_TRUE(RemoveExperiment(store(), "second").ok());
  EXPECT_TRUE(RemoveBaseline(store(), "noise").ok());
  EXPECT_TRUE(SetBaseline(store(), "list", "third", "").ok());
  EXPECT_TRUE(FindBaseline(store(), "list").ok());
}

TEST_F(BaselinesTest, RefuseWhatIsNoNameOrExperiment) {
  for (const char* name : {"", "a b", "../a", ".a", "latest", "größe"})
    EXPECT_EQ(SetBaseline(store(), name, "first", "").error().kind, ErrorKind::kBadInput) << name;
  for (const char* experiment : {"", "none", "../first", "latest", "first/run"})
    EXPECT_EQ(SetBaseline(store(), "main", experiment, "").error().kind, ErrorKind::kBadInput);
  fs::create_directory(store() / "empty");
  EXPECT_EQ(SetBaseline(store(), "main", "empty", "").error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(Entries(), IsEmpty());
}

TEST_F(BaselinesTest, SuggestTheNearestName) {
  EXPECT_THAT(FindBaseline(store(), "main").error().hint, HasSubstr("xsp baseline set"));
  ASSERT_TRUE(SetBaseline(store(), "main", "first", "").ok());
  const auto found = RemoveBaseline(store(), "mian");
  ASSERT_FALSE(found.ok());
  EXPECT_THAT(found.error().hint, AllOf(HasSubstr("main"), HasSubstr("xsp baseline list")));
}

TEST_F(BaselinesTest, OfAStoreThatDoesNotExistAreNone) {
  EXPECT_TRUE(ListBaselines(store() / "none").value().empty());
  EXPECT_EQ(FindBaseline(store() / "none", "main").error().kind, ErrorKind::kBadInput);
}

}  // namespace
}  // namespace xsp::store
