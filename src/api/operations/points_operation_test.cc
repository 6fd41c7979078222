#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "api/operations/operation_list.h"
#include "derive/history/history_testing.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

using history::TestDate;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PointsOperationTest : public testing::Test {
 protected:
  void SetUp() override { context_.store = folder_.path() / "store"; }

  std::filesystem::path Write(const history::TestExperiment& experiment) const {
    return history::WriteTestExperiment(context_.store, experiment);
  }

  Document Perform(const json& request = json::object()) const {
    const auto document = api::Perform("points", request, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? document.value() : Document{};
  }

  std::vector<std::string> ExperimentsOf(const json& request) const {
    std::vector<std::string> names;
    const json rows = ToJson(Perform(request));
    for (const json& row : rows) names.push_back(row["experiment"]);
    return names;
  }

  store::TestFolder folder_;
  Context context_;
};

TEST_F(PointsOperationTest, ListsThePointsOfTheNewestExperimentFirst) {
  Write({.name = "second", .created = TestDate(2), .latency_ns = 2e6, .batch = 4});
  Write({.name = "first", .created = TestDate(1)});
  const json rows = ToJson(Perform());
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["experiment"], "second");
  EXPECT_EQ(rows[0]["created"], TestDate(2));
  EXPECT_EQ(rows[0]["backend"], "PyTorch 2.15.0");
  EXPECT_EQ(rows[0]["latency_ns"], 2e6);
  EXPECT_EQ(rows[0]["throughput"], 2000);
  EXPECT_EQ(rows[0]["machine"], "Test CPU, 4 threads");
  EXPECT_EQ(rows[0]["worker"], "torch");
  EXPECT_EQ(rows[0]["run"], "model-1");
  EXPECT_EQ(rows[1]["experiment"], "first");
}

TEST_F(PointsOperationTest, SelectsByModelAndMachine) {
  Write({.name = "a", .created = TestDate(1)});
  Write({.name = "b", .created = TestDate(2), .cpu = "Other CPU"});
  Write({.name = "c", .created = TestDate(3), .model = "it's"});
  EXPECT_THAT(ExperimentsOf({{"model", "net"}}), ElementsAre("b", "a"));
  EXPECT_THAT(ExperimentsOf({{"model", "it's"}}), ElementsAre("c"));
  EXPECT_THAT(ExperimentsOf({{"machine", "Other CPU, 4 threads"}}), ElementsAre("b"));
  EXPECT_THAT(ExperimentsOf({{"model", "it's"}, {"machine", "Other CPU, 4 threads"}}), IsEmpty());
}

TEST_F(PointsOperationTest, ReadsARunThatWasReplacedAgain) {
  const std::filesystem::path folder = Write({.name = "a", .created = TestDate(1)});
  EXPECT_EQ(ToJson(Perform())[0]["machine"], "Test CPU, 4 threads");
  std::filesystem::remove_all(folder);
  Write({.name = "a", .created = TestDate(1), .cpu = "Another CPU"});
  EXPECT_EQ(ToJson(Perform())[0]["machine"], "Another CPU, 4 threads");
}

TEST_F(PointsOperationTest, ShowsAFailedPointWithoutLatency) {
  Write({.name = "failed", .created = TestDate(1), .status = "failed"});
  const json rows = ToJson(Perform());
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["status"], "failed");
  EXPECT_TRUE(rows[0]["latency_ns"].is_null());
  EXPECT_TRUE(rows[0]["throughput"].is_null());
}

TEST_F(PointsOperationTest, LeavesOutWhatCannotBeRead) {
  Write({.name = "good", .created = TestDate(1)});
  const std::filesystem::path bad = Write({.name = "bad", .created = TestDate(2)});
  std::ofstream(bad / "point.parquet") << "not a table";
  const Document document = Perform();
  EXPECT_EQ(ToJson(document).size(), 1U);
  EXPECT_THAT(document.notes, ElementsAre(HasSubstr("left out: bad: ")));
}

TEST_F(PointsOperationTest, HasNoRowsInAnEmptyStore) { EXPECT_THAT(ToJson(Perform()), IsEmpty()); }

}  // namespace
}  // namespace xsp::api
