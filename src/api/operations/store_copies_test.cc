#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/operations/operation_list.h"
#include "core/json_text.h"
#include "store/baselines.h"
#include "store/catalogue.h"
#include "store/experiment_changes.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

/// A store with "x1", "x2" (of the model x) and "y1", and another, empty one.
class StoreCopiesTest : public testing::Test {
 protected:
  void SetUp() override {
    context_.store = folder_.path() / "ours";
    context_.progress = &progress_;
    context_.interrupts = [this]() -> os::Interrupts& { return interrupts_; };
    for (const auto& [name, model] : {std::pair{"x1", "x"}, {"x2", "x"}, {"y1", "y"}}) {
      auto writer = store::ExperimentWriter::Create(context_.store, name).value();
      ASSERT_TRUE(writer.AddRun("r", store::RandomTrace(1, 10), "{}").ok());
      ASSERT_TRUE(
          writer.Commit(core::JsonText(json{{"kind", "run"}, {"model", model}, {"status", "done"}}))
              .ok());
    }
  }

  Result<Document> Do(const char* operation, const json& request) const {
    return Perform(operation, request, context_);
  }
  /// The values of one column of the rows.
  static std::vector<std::string> Column(const Result<Document>& document, const char* name) {
    std::vector<std::string> values;
    EXPECT_TRUE(document.ok()) << (document.ok() ? "" : document.error().what);
    if (document.ok())
      for (const json& row : ToJson(document.value())) values.push_back(row[name]);
    return values;
  }
  static std::vector<std::string> Names(const fs::path& store) {
    std::vector<std::string> names;
    const auto entries = store::List(store);
    EXPECT_TRUE(entries.ok());
    if (entries.ok())
      for (const auto& entry : entries.value()) names.push_back(entry.name);
    std::ranges::sort(names);
    return names;
  }
  fs::path theirs() const { return folder_.path() / "theirs"; }

  store::TestFolder folder_;
  core::NoProgress progress_;
  os::Interrupts interrupts_;
  Context context_;
};

TEST_F(StoreCopiesTest, CopiesWhatFits) {
  const json request = {{"model", "x"}, {"to", theirs().string()}};
  EXPECT_THAT(Column(Do("store/copy", request), "done"), ElementsAre("copied", "copied"));
  EXPECT_THAT(Names(theirs()), ElementsAre("x1", "x2"));
  EXPECT_THAT(Column(Do("store/copy", {{"all", true}, {"to", theirs().string()}}), "done"),
              ElementsAre("was there", "was there", "copied"));
  EXPECT_THAT(Names(context_.store), ElementsAre("x1", "x2", "y1"));
}

TEST_F(StoreCopiesTest, ChoosesInOneWay) {
  for (const json& request : {json{{"to", "b"}}, json{{"to", "b"}, {"all", true}, {"model", "x"}},
                              json{{"to", "b"}, {"name", {"x1"}}, {"all", true}},
                              json{{"to", context_.store.string()}, {"all", true}}}) {
    const auto refused = Do("store/copy", request);
    ASSERT_FALSE(refused.ok()) << core::JsonText(request);
    EXPECT_EQ(refused.error().kind, ErrorKind::kUsage) << refused.error().what;
  }
  EXPECT_EQ(Do("store/copy", {{"name", {"x1", "none"}}, {"to", theirs().string()}}).error().kind,
            ErrorKind::kBadInput);
  EXPECT_FALSE(fs::exists(theirs()));
}

TEST_F(StoreCopiesTest, MovesAllOrNone) {
  ASSERT_TRUE(store::SetBaseline(context_.store, "main", "x2", "").ok());
  const json request = {{"model", "x"}, {"to", theirs().string()}};
  EXPECT_EQ(Do("store/move", request).error().kind, ErrorKind::kBadInput);  // A baseline.
  EXPECT_FALSE(fs::exists(theirs()));
  ASSERT_TRUE(store::RemoveBaseline(context_.store, "main").ok());
  EXPECT_THAT(Column(Do("store/move", request), "done"), ElementsAre("moved", "moved"));
  EXPECT_THAT(Names(theirs()), ElementsAre("x1", "x2"));
  EXPECT_THAT(Names(context_.store), ElementsAre("y1"));
}

TEST_F(StoreCopiesTest, ArchivesComeBack) {
  const std::string file = (folder_.path() / "a.zip").string();
  const auto written = Do("store/export", {{"all", true}, {"output", file}});
  ASSERT_TRUE(written.ok()) << written.error().what;
  EXPECT_EQ(std::get<json>(written.value().content)["experiments"], (json{"x1", "x2", "y1"}));
  EXPECT_THAT(Column(Do("store/import", {{"file", file}}), "done"),
              ElementsAre("was there", "was there", "was there"));
  ASSERT_TRUE(Do("remove", {{"name", {"x1", "x2", "y1"}}}).ok());
  EXPECT_EQ(Do("store/import", {{"file", file}, {"only", {"x3"}}}).error().kind,
            ErrorKind::kBadInput);
  EXPECT_THAT(Column(Do("store/import", {{"file", file}, {"only", {"x2"}}}), "name"),
              ElementsAre("x2"));
  EXPECT_THAT(Names(context_.store), ElementsAre("x2"));
}

TEST_F(StoreCopiesTest, PrunesWhatIsNotKept) {
  ASSERT_TRUE(store::SetBaseline(context_.store, "main", "x1", "").ok());
  EXPECT_EQ(Do("store/prune", json::object()).error().kind, ErrorKind::kUsage);
  const json none = {{"keep_tag", {"keep"}}, {"plan", true}};
  EXPECT_THAT(Column(Do("store/prune", none), "done"),
              ElementsAre("kept", "would be removed", "would be removed"));
  EXPECT_EQ(Names(context_.store).size(), 3U);
  ASSERT_TRUE(store::TagExperiment(context_.store, "x2", {{"keep", "yes"}}).ok());
  EXPECT_THAT(Column(Do("store/prune", {{"keep_tag", {"keep=yes"}}}), "why"),
              ElementsAre("the baseline main", "has the tag keep=yes", ""));
  EXPECT_THAT(Names(context_.store), ElementsAre("x1", "x2"));
}

TEST_F(StoreCopiesTest, AnInterruptionKeepsTheRest) {
  interrupts_.Request();
  const auto copied = Do("store/copy", {{"all", true}, {"to", theirs().string()}});
  ASSERT_TRUE(copied.ok());
  EXPECT_EQ(copied.value().exit_status, static_cast<int>(ErrorKind::kInterrupted));
  const auto pruned = Do("store/prune", {{"keep_tag", {"keep"}}});
  ASSERT_TRUE(pruned.ok());
  EXPECT_EQ(pruned.value().exit_status, static_cast<int>(ErrorKind::kInterrupted));
  EXPECT_EQ(Names(context_.store).size(), 3U);
}

}  // namespace
}  // namespace xsp::api
