#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "api/operations/operation_list.h"
#include "core/json_text.h"
#include "derive/history/history_testing.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

using history::TestDate;
using history::TestExperiment;
using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

class HistoryOperationTest : public testing::Test {
 protected:
  void SetUp() override { context_.store = folder_.path() / "store"; }

  std::filesystem::path Write(const TestExperiment& experiment) const {
    return history::WriteTestExperiment(context_.store, experiment);
  }

  /// `count` experiments from day `first` on, e1, e2, ..., which vary by a percent.
  void WriteMany(int first, int count, TestExperiment experiment) const {
    const double level = experiment.latency_ns;
    experiment.processes = 1;
    for (int i = 0; i < count; ++i) {
      experiment.name = "e" + std::to_string(first + i);
      experiment.created = TestDate(first + i);
      experiment.latency_ns = level * (1 + 0.002 * ((7 * i) % 5));
      Write(experiment);
    }
  }

  Document Perform(json request) const {
    request["model"] = request.value("model", "net");
    const auto document = api::Perform("history", request, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? document.value() : Document{};
  }

  json History(const json& request = json::object()) const { return ToJson(Perform(request)); }

  Error Refused(json request) const {
    request["model"] = request.value("model", "net");
    const auto document = api::Perform("history", request, context_);
    EXPECT_FALSE(document.ok());
    return document.ok() ? Error{ErrorKind::kInternal, "", ""} : document.error();
  }

  static std::vector<std::string> Names(const json& series) {
    std::vector<std::string> names;
    for (const json& entry : series["entries"]) names.push_back(entry["experiment"]);
    return names;
  }

  store::TestFolder folder_;
  Context context_;
};

TEST_F(HistoryOperationTest, ListsTheExperimentsOfASeriesOldestFirst) {
  Write({.name = "second", .created = TestDate(2), .version = "2.16.0"});
  Write({.name = "first", .created = TestDate(1)});
  Write({.name = "other", .created = TestDate(3), .model = "other"});
  const json document = History();
  EXPECT_EQ(document["unit"], "ns");
  ASSERT_EQ(document["series"].size(), 1U);
  const json& series = document["series"][0];
  EXPECT_EQ(series["backend"], "PyTorch");
  EXPECT_EQ(series["machine"], "Test CPU, 4 threads");
  EXPECT_EQ(Names(series), (std::vector<std::string>{"first", "second"}));
  const json& entry = series["entries"][0];
  EXPECT_EQ(entry["value"], 1e6);
  EXPECT_EQ(entry["low"], 0.99e6);
  EXPECT_EQ(entry["processes"], 2);
  EXPECT_EQ(entry["segment"], 1);
  EXPECT_EQ(entry["change"], json());
  EXPECT_TRUE(document["left_out"].empty());
}

TEST_F(HistoryOperationTest, OtherMachinesBatchSizesAndSettingsAreOtherSeries) {
  Write({.name = "a", .created = TestDate(1)});
  Write({.name = "b", .created = TestDate(2), .cpu = "Other CPU"});
  Write({.name = "c", .created = TestDate(3), .batch = 8});
  Write({.name = "d", .created = TestDate(4), .settings = R"({"threads":1,"seed":1})"});
  // Another seed measures the same.
  Write({.name = "e", .created = TestDate(5), .settings = R"({"threads":0,"seed":2})"});
  std::vector<std::vector<std::string>> all;
  const json document = History();
  for (const json& series : document["series"]) all.push_back(Names(series));
  EXPECT_THAT(all, testing::UnorderedElementsAre(ElementsAre("a", "e"), ElementsAre("b"),
                                                 ElementsAre("c"), ElementsAre("d")));
}

TEST_F(HistoryOperationTest, FindsAChangeAndWhatOfTheStackChangedThere) {
  WriteMany(1, 8, {});
  WriteMany(9, 8, {.latency_ns = 1.2e6, .version = "2.16.0", .kernel = "6.2"});
  const json series = History()["series"][0];
  ASSERT_EQ(series["changes"].size(), 1U);
  const json& change = series["changes"][0];
  EXPECT_EQ(change["before"], "e8");
  EXPECT_EQ(change["after"], "e9");
  EXPECT_EQ(change["verdict"], "worse");
  EXPECT_NEAR(change["ratio"].get<double>(), 1.2, 0.005);
  EXPECT_LT(change["low"].get<double>(), 1.2);
  EXPECT_GT(change["high"].get<double>(), 1.2);
  EXPECT_LE(change["p"].get<double>(), 0.05);
  EXPECT_EQ(change["command"], "xsp compare e8 e9");
  EXPECT_EQ(change["stack"], core::ParseJson(R"([
      {"key": "backend.torch.framework.version", "before": "2.15.0", "after": "2.16.0",
       "lasts": true},
      {"key": "system.kernel", "before": "6.1", "after": "6.2", "lasts": true}])"));
  EXPECT_EQ(series["entries"][15]["segment"], 2);
  EXPECT_NEAR(series["entries"][15]["change"].get<double>(), 0.2, 0.01);
  EXPECT_EQ(series["segments"][1]["experiments"], 8);
  EXPECT_EQ(series["experiments_missing"], 0);

  const json throughput = History({{"metric", "throughput"}})["series"][0];
  EXPECT_EQ(throughput["entries"][0]["value"], 1000);
  EXPECT_EQ(throughput["changes"][0]["verdict"], "worse");
  EXPECT_NEAR(throughput["changes"][0]["ratio"].get<double>(), 1 / 1.2, 0.005);
}

TEST_F(HistoryOperationTest, AFactThatOnlyDiffersAtTheChangeDoesNotLast) {
  WriteMany(1, 8, {});
  WriteMany(9, 1, {.latency_ns = 0.8e6, .kernel = "6.2"});
  WriteMany(10, 7, {.latency_ns = 0.8e6});
  const json change = History()["series"][0]["changes"][0];
  EXPECT_EQ(change["verdict"], "better");
  ASSERT_EQ(change["stack"].size(), 1U);
  EXPECT_EQ(change["stack"][0]["lasts"], false);
}

TEST_F(HistoryOperationTest, OfASegmentOnABusyMachineItClaimsNothing) {
  WriteMany(1, 8, {});
  WriteMany(9, 8, {.latency_ns = 1.3e6, .was_busy = true});
  const json series = History()["series"][0];
  ASSERT_EQ(series["changes"].size(), 1U);
  EXPECT_EQ(series["changes"][0]["verdict"], "busy");
  EXPECT_THAT(series["entries"][9]["flags"], ElementsAre("busy"));
  EXPECT_EQ(series["segments"][1]["busy"], 8);
}

TEST_F(HistoryOperationTest, BusyExperimentsDoNotMoveALevel) {
  WriteMany(1, 9, {});
  WriteMany(10, 1, {.latency_ns = 3e6, .was_busy = true});
  WriteMany(11, 5, {});
  const json series = History()["series"][0];
  EXPECT_TRUE(series["changes"].empty());
  EXPECT_NEAR(series["segments"][0]["level"].get<double>(), 1.004e6, 0.002e6);
}

TEST_F(HistoryOperationTest, OfAFewComparesTheLastTwoByTheirProcesses) {
  Write({.name = "a", .created = TestDate(1), .processes = 3});
  EXPECT_EQ(History()["series"][0]["experiments_missing"], 7);
  EXPECT_EQ(History()["series"][0]["last_two"], json());
  Write({.name = "b", .created = TestDate(2), .latency_ns = 1.5e6, .processes = 3});
  json last = History()["series"][0]["last_two"];
  EXPECT_EQ(last["verdict"], "higher");
  EXPECT_NEAR(last["ratio"].get<double>(), 1.5, 0.02);
  EXPECT_EQ(last["command"], "xsp compare a b");
  EXPECT_EQ(History({{"metric", "throughput"}})["series"][0]["last_two"]["verdict"], "lower");
  EXPECT_EQ(History({{"metric", "memory"}})["series"][0]["last_two"]["verdict"], json());
  Write({.name = "c", .created = TestDate(3), .was_busy = true, .processes = 3});
  EXPECT_EQ(History()["series"][0]["last_two"]["verdict"], "inconclusive");
  Write({.name = "d", .created = TestDate(4), .processes = 1});
  EXPECT_EQ(History()["series"][0]["last_two"]["verdict"], "unknown_noise");
}

TEST_F(HistoryOperationTest, FiltersExperimentsAndPoints) {
  Write({.name = "a", .created = TestDate(1)});
  Write({.name = "b", .created = TestDate(2), .kernel = "6.2", .batch = 8});
  const auto names = [&](const json& request) { return Names(History(request)["series"][0]); };
  EXPECT_THAT(names({{"batch", {8}}}), ElementsAre("b"));
  EXPECT_THAT(names({{"batch", {1}}, {"backend", {"torch"}}}), ElementsAre("a"));
  EXPECT_THAT(names({{"since", "2026-01-02"}}), ElementsAre("b"));
  EXPECT_THAT(names({{"tag", {"branch=6.1"}}}), ElementsAre("a"));
  EXPECT_THAT(names({{"batch", {1}}, {"device", {"cpu"}}, {"precision", {"float32"}}}),
              ElementsAre("a"));
}

TEST_F(HistoryOperationTest, FollowsOtherMetrics) {
  Write({.name = "a", .created = TestDate(1)});
  EXPECT_EQ(History({{"metric", "memory"}})["unit"], "byte");
  EXPECT_EQ(History({{"metric", "memory"}})["series"][0]["entries"][0]["value"], 1e8);
  for (const char* layer : {"layer:conv1", "layer:features.conv1"}) {
    const json entry = History({{"metric", layer}})["series"][0]["entries"][0];
    EXPECT_EQ(entry["value"], 5e5);
    EXPECT_EQ(entry["low"], json());
  }
  const Error none = Refused({{"metric", "layer:conv2"}});
  EXPECT_EQ(none.kind, ErrorKind::kBadInput);
  EXPECT_THAT(none.hint, HasSubstr("conv1"));
  // Without device work there is no device time.
  const Document device = Perform({{"metric", "device"}});
  EXPECT_THAT(device.notes, Contains(HasSubstr("has no device")));
  Write({.name = "b", .created = TestDate(2), .device_ns = 3e5});
  EXPECT_EQ(History({{"metric", "device"}})["series"][0]["entries"][0]["value"], 3e5);
  EXPECT_EQ(History({{"metric", "layer:conv1"}})["series"][0]["entries"][1]["value"], 3e5);
}

TEST_F(HistoryOperationTest, RefusesWhatIsNotThere) {
  EXPECT_EQ(Refused(json::object()).kind, ErrorKind::kBadInput);
  Write({.name = "a", .created = TestDate(1)});
  const Error model = Refused({{"model", "nett"}});
  EXPECT_EQ(model.kind, ErrorKind::kBadInput);
  EXPECT_THAT(model.hint, HasSubstr("net"));
  const Error batch = Refused({{"batch", {3}}});
  EXPECT_EQ(batch.kind, ErrorKind::kBadInput);
  EXPECT_THAT(batch.hint, HasSubstr("batch sizes: 1"));
  for (const char* metric : {"", "speed", "layer:"})
    EXPECT_EQ(Refused({{"metric", metric}}).kind, ErrorKind::kUsage) << metric;
  for (const char* since : {"yesterday", "2026", "2026-1-1", "0d", "-3d", "3 d", "2026-01-01x",
                            "2026-13-01", "2026-11-31", "2026-01-01T24:00", "2026-01-01T10:60"})
    EXPECT_EQ(Refused({{"since", since}}).kind, ErrorKind::kUsage) << since;
}

TEST_F(HistoryOperationTest, LeavesOutWhatFailedIsDamagedOrVanishes) {
  Write({.name = "good", .created = TestDate(1)});
  Write({.name = "failed", .created = TestDate(2), .status = "failed"});
  std::ofstream(Write({.name = "damaged", .created = TestDate(3)}) / "point.parquet") << "x";
  std::ofstream(Write({.name = "no_json", .created = TestDate(4)}) / "experiment.json") << "{";
  std::filesystem::remove_all(Write({.name = "gone", .created = TestDate(5)}) / "model-1");
  const auto pointless = Write({.name = "pointless", .created = TestDate(6)});
  std::filesystem::remove(pointless / "point.parquet");
  const Document document = Perform(json::object());
  const json body = ToJson(document);
  EXPECT_EQ(Names(body["series"][0]), std::vector<std::string>{"good"});
  std::vector<std::string> names;
  for (const json& one : body["left_out"]) names.push_back(one["experiment"]);
  EXPECT_THAT(names,
              testing::UnorderedElementsAre("failed", "damaged", "no_json", "gone", "pointless"));
  EXPECT_THAT(document.notes, Contains(HasSubstr("failed: point 1 failed: out of memory")));
  EXPECT_EQ(document.notes.size(), 5U);
}

TEST_F(HistoryOperationTest, MarksDatesThatCannotBeTrusted) {
  Write({.name = "b", .created = TestDate(1)});
  Write({.name = "a", .created = TestDate(1)});
  Write({.name = "future", .created = "2999-01-01T00:00:00Z"});
  Write({.name = "undated", .created = ""});
  const json series = History()["series"][0];
  // Of equal dates that which was written first.
  EXPECT_THAT(Names(series), ElementsAre("b", "a", "undated", "future"));
  EXPECT_THAT(series["entries"][2]["flags"], ElementsAre("date_of_file"));
  EXPECT_THAT(series["entries"][3]["flags"], ElementsAre("date_in_future"));
}

}  // namespace
}  // namespace xsp::api
