#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "api/operations/operation_list.h"
#include "derive/history/history_testing.h"
#include "os/interrupt.h"
#include "store/experiment_changes.h"
#include "store/store_testing.h"

// store/findings and store/known over a store of a test, with rules of a test.

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using history::TestDate;
using nlohmann::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A rule about layers of at least `long_ns`; its gain is half of them.
constexpr const char* kLongLayer =
    "title: A long layer\nneeds: [layer]\nseverity: warning\nrank: 50\nscope: point\n"
    "thresholds:\n  - {name: long_ns, value: 400000, unit: ns, source: Chosen}\n"
    "columns:\n  - {name: name, unit: name, help: Layer}\n"
    "  - {name: latency_ns, unit: ns, help: Its latency}\n"
    "sentence: \"`{{name}}` takes {{latency_ns}}{{where}}.\"\n"
    "see: layers\nrefuted_by: Nothing\nconfidence: {value: 1, reason: Arithmetic}\n"
    "gain: {of: program, method: A formula, source: A book}\n";

constexpr const char* kAnyPoint =
    "title: A point\nneeds: [model]\nseverity: info\nrank: 60\nscope: point\n"
    "thresholds:\n  - {name: any_batch, value: 0, unit: count, source: Chosen}\n"
    "columns:\n  - {name: batch, unit: count, help: Batch size}\n"
    "sentence: \"Batch size {{batch}}.\"\nsee: batches\nrefuted_by: Nothing\n"
    "confidence: {value: 1, reason: Arithmetic}\n";

class Progress final : public core::Progress {
 public:
  void Step(std::string_view what, double, double) override {
    steps.emplace_back(what);
    if (on_step) on_step();
  }
  void Note(std::string_view note) override { notes.emplace_back(note); }

  std::vector<std::string> steps, notes;
  std::function<void()> on_step;
};

class StoreSurveyTest : public testing::Test {
 protected:
  StoreSurveyTest() {
    setenv("XSP_CACHE", cache().c_str(), 1);
    context_.store = folder_.path() / "store";
    context_.findings = {folder_.path() / "rules"};
    context_.progress = &progress_;
    context_.interrupts = [this]() -> os::Interrupts& { return interrupts_; };
    AddRule("long_layer", kLongLayer,
            "SELECT name, latency_ns FROM layer WHERE point_id = $point "
            "AND latency_ns >= $long_ns");
    Put("long_layer/gain.sql",
        "SELECT 4e6 AS whole_ns, 0 AS low_ns, latency_ns / 2 AS ns, latency_ns AS high_ns "
        "FROM layer WHERE point_id = $point");
    AddRule("any_point", kAnyPoint,
            "SELECT batch FROM point WHERE point_id = $point AND batch > $any_batch");
  }
  ~StoreSurveyTest() override { unsetenv("XSP_CACHE"); }

  fs::path cache() const { return folder_.path() / "cache"; }

  void Put(const std::string& name, const std::string& text) const {
    const fs::path file = folder_.path() / "rules" / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void AddRule(const std::string& id, const std::string& yaml, const std::string& sql) const {
    Put(id + "/finding.yaml", yaml);
    Put(id + "/evidence.sql", sql);
    Put(id + "/README.md", "A rule.");
  }

  fs::path Write(const history::TestExperiment& experiment) const {
    return history::WriteTestExperiment(context_.store, experiment);
  }

  /// Three experiments; the layer of `fast` is short.
  void WriteThree() const {
    Write({.name = "slow", .created = TestDate(1), .latency_ns = 2e6});
    Write({.name = "fast", .created = TestDate(2), .latency_ns = 1e5});
    Write({.name = "other",
           .created = TestDate(3),
           .cpu = "Other CPU",
           .batch = 4,
           .model = "lenet"});
  }

  Document Perform(const std::string& operation, const json& request = json::object()) const {
    const auto document = api::Perform(operation, request, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? document.value() : Document{};
  }
  json Findings(const json& request = json::object()) const {
    return ToJson(Perform("store/findings", request));
  }
  json Known(const json& request = json::object()) const {
    return ToJson(Perform("store/known", request));
  }

  static std::vector<std::string> IdsOf(const json& survey) {
    std::vector<std::string> ids;
    for (const json& rule : survey["rules"]) ids.push_back(rule["id"]);
    return ids;
  }

  /// The experiments of one rule.
  std::vector<std::string> Holders(const json& filter,
                                   const std::string& rule = "any_point") const {
    json request = filter;
    request["rule"] = json::array({rule});
    std::vector<std::string> names;
    const json survey = Findings(request);
    for (const json& group : survey["rules"])
      for (const json& row : group["rows"]) names.push_back(row["experiment"]);
    return names;
  }

  store::TestFolder folder_;
  Progress progress_;
  os::Interrupts interrupts_;
  Context context_;
};

TEST_F(StoreSurveyTest, GroupsFindingsByRuleTheMostFrequentFirst) {
  WriteThree();
  const json survey = Findings();
  EXPECT_EQ(survey["experiments"], 3);
  EXPECT_EQ(survey["known"], 3);
  EXPECT_EQ(survey["not_known"], 0);
  ASSERT_THAT(IdsOf(survey), ElementsAre("any_point", "long_layer"));
  const json& any = survey["rules"][0];
  EXPECT_EQ(any["experiments"], 3);
  EXPECT_EQ(any["severity"], "info");
  EXPECT_EQ(any["models"], json({"lenet", "net"}));
  EXPECT_TRUE(any["gain"].is_null());
  EXPECT_THAT(any["rows"], IsEmpty());
  const json& layer = survey["rules"][1];
  EXPECT_EQ(layer["title"], "A long layer");
  EXPECT_EQ(layer["experiments"], 2);
  // Layers of 1 ms and 0.5 ms, of which half is gained, in programs of 4 ms.
  const json& gain = layer["gain"];
  EXPECT_EQ(gain["experiments"], 2);
  EXPECT_EQ(gain["largest_share"], 0.125);
  EXPECT_EQ(gain["largest_experiment"], "slow");
  EXPECT_EQ(gain["median_share"], (0.125 + 0.0625) / 2);
  EXPECT_EQ(gain["total_ns"], 0);
  EXPECT_EQ(gain["total_once_ns"], 750'000);
}

TEST_F(StoreSurveyTest, RowsOfARuleHaveTheLargestGainFirst) {
  WriteThree();
  EXPECT_THAT(Holders({}, "any_point"), ElementsAre("other", "fast", "slow"));
  const json survey = Findings({{"rule", {"long_layer"}}});
  ASSERT_EQ(survey["rules"].size(), 1U);
  const json& rows = survey["rules"][0]["rows"];
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["experiment"], "slow");
  const json& row = rows[1];
  EXPECT_EQ(row["experiment"], "other");
  EXPECT_EQ(row["gain_ns"], json({0, 250'000, 500'000}));
  EXPECT_EQ(row["gain_share"], 0.0625);
  EXPECT_EQ(row["gain"]["whole_ns"], 4'000'000);
  EXPECT_EQ(row["point"], "PyTorch 2.15.0, cpu, float32, batch 4");
  EXPECT_EQ(row["point_id"], 1);
  EXPECT_THAT(row["sentence"].get<std::string>(), HasSubstr("`conv1` takes"));
}

TEST_F(StoreSurveyTest, KnownAnswersEvaluateNothingAndStateWhatIsMissing) {
  WriteThree();
  const Document before = Perform("store/known");
  EXPECT_EQ(ToJson(before)["known"], 0);
  EXPECT_EQ(ToJson(before)["not_known"], 3);
  EXPECT_THAT(ToJson(before)["rules"], IsEmpty());
  EXPECT_THAT(before.notes, Contains(HasSubstr("3 experiments are not known yet")));
  Findings({{"model", "lenet"}});
  EXPECT_EQ(Known()["known"], 1);
  EXPECT_EQ(Known()["not_known"], 2);
}

TEST_F(StoreSurveyTest, EvaluatesOnlyWhatIsNotKnown) {
  WriteThree();
  Findings();
  EXPECT_EQ(progress_.steps.size(), 3U);
  EXPECT_EQ(progress_.steps.back(), "findings of 3 of 3 experiments");
  progress_.steps.clear();
  const json first = Findings();
  EXPECT_THAT(progress_.steps, IsEmpty());
  EXPECT_EQ(Known(), first);
  ASSERT_TRUE(store::TagExperiment(context_.store, "slow", {{"a", "b"}}).ok());
  EXPECT_EQ(Known()["not_known"], 1);
  Findings();
  EXPECT_EQ(progress_.steps.size(), 1U);
}

TEST_F(StoreSurveyTest, ChangedRulesAreAskedAgain) {
  WriteThree();
  Findings();
  std::string stricter = kLongLayer;
  stricter.replace(stricter.find("400000"), 6, "900000");
  Put("long_layer/finding.yaml", stricter);
  EXPECT_EQ(Known()["not_known"], 3);
  EXPECT_THAT(Holders({}, "long_layer"), ElementsAre("slow"));
}

TEST_F(StoreSurveyTest, DamagedAnswersOfTheCacheAreComputedAgain) {
  WriteThree();
  const json first = Findings();
  int damaged = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cache()))
    if (entry.path().extension() == ".json") {
      std::ofstream(entry.path()) << (damaged++ == 0 ? "{" : R"({"findings": [1]})");
    }
  EXPECT_EQ(damaged, 3);
  EXPECT_EQ(Known()["not_known"], 3);
  EXPECT_EQ(Findings(), first);
}

TEST_F(StoreSurveyTest, WorksWithoutACacheAndSaysSo) {
  WriteThree();
  std::ofstream(cache()) << "a file";
  EXPECT_EQ(Findings()["known"], 3);
  EXPECT_THAT(progress_.notes, ElementsAre(HasSubstr("not kept for the next time")));
  EXPECT_EQ(Known()["known"], 0);
}

TEST_F(StoreSurveyTest, SelectsByEachFilter) {
  WriteThree();
  EXPECT_THAT(Holders({{"model", "lenet"}}), ElementsAre("other"));
  EXPECT_THAT(Holders({{"model", "len"}}), IsEmpty());
  EXPECT_THAT(Holders({{"backend", "pytorch 2"}}), ElementsAre("other", "fast", "slow"));
  EXPECT_THAT(Holders({{"backend", "onnx"}}), IsEmpty());
  EXPECT_THAT(Holders({{"machine", "Other CPU, 4 threads"}}), ElementsAre("other"));
  EXPECT_THAT(Holders({{"since", TestDate(2)}}), ElementsAre("other", "fast"));
  EXPECT_THAT(Holders({{"until", TestDate(2)}}), ElementsAre("fast", "slow"));
  EXPECT_THAT(Holders({{"until", TestDate(2).substr(0, 10)}, {"since", TestDate(2).substr(0, 10)}}),
              ElementsAre("fast"));
  EXPECT_THAT(Holders({{"text", "NET  slo"}}), ElementsAre("slow"));
  ASSERT_TRUE(store::TagExperiment(context_.store, "fast", {{"cooled", "yes"}}).ok());
  EXPECT_THAT(Holders({{"tag", {"cooled"}}}), ElementsAre("fast"));
  EXPECT_THAT(Holders({{"tag", {"cooled=no"}}}), IsEmpty());
  EXPECT_THAT(IdsOf(Findings({{"severity", {"warning"}}})), ElementsAre("long_layer"));
}

TEST_F(StoreSurveyTest, ShowsThePartOfTheRowsThatIsAskedFor) {
  WriteThree();
  EXPECT_THAT(Holders({{"rows", 1}}), ElementsAre("other"));
  EXPECT_THAT(Holders({{"rows", 5}, {"offset", 1}}), ElementsAre("fast", "slow"));
  EXPECT_THAT(Holders({{"offset", 7}}), IsEmpty());
  const json all = Findings({{"rows", 2}});
  EXPECT_EQ(all["rules"][0]["rows"].size(), 2U);
  EXPECT_EQ(all["rules"][0]["experiments"], 3);
}

TEST_F(StoreSurveyTest, AnInterruptionKeepsWhatWasEvaluated) {
  // More than are begun before the first is done, on any machine.
  const int count = 16 + static_cast<int>(std::thread::hardware_concurrency());
  for (int i = 1; i <= count; ++i)
    Write({.name = "e" + std::to_string(i), .created = TestDate(1), .latency_ns = 1e6});
  progress_.on_step = [this] { interrupts_.Request(); };
  const Document document = Perform("store/findings");
  EXPECT_EQ(document.exit_status, static_cast<int>(ErrorKind::kInterrupted));
  EXPECT_THAT(document.notes, Contains(HasSubstr("interrupted")));
  const json survey = ToJson(document);
  EXPECT_GE(survey["known"], 1);
  EXPECT_LT(survey["known"], count);
  EXPECT_EQ(Known()["known"], survey["known"]);
}

TEST_F(StoreSurveyTest, ListsWhatCannotBeReadWithItsReason) {
  WriteThree();
  const fs::path bad = Write({.name = "bad", .created = TestDate(4)});
  std::ofstream(bad / "layer.parquet") << "not a table";
  const Document document = Perform("store/findings");
  const json survey = ToJson(document);
  EXPECT_EQ(survey["experiments"], 4);
  EXPECT_EQ(survey["known"], 3);
  EXPECT_EQ(survey["not_known"], 0);
  ASSERT_EQ(survey["unreadable"].size(), 1U);
  EXPECT_EQ(survey["unreadable"][0]["experiment"], "bad");
  EXPECT_NE(survey["unreadable"][0]["reason"], "");
  EXPECT_THAT(document.notes, Contains(HasSubstr("1 experiment cannot be read")));
}

TEST_F(StoreSurveyTest, RefusesRulesAndDatesThatThereAreNot) {
  const auto rule = api::Perform("store/known", {{"rule", {"long_laier"}}}, context_);
  ASSERT_FALSE(rule.ok());
  EXPECT_EQ(rule.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(rule.error().hint, "Did you mean long_layer?");
  const auto date = api::Perform("store/known", {{"until", "tomorrow"}}, context_);
  ASSERT_FALSE(date.ok());
  EXPECT_THAT(date.error().hint, HasSubstr("`until` 2026-11-01"));
}

TEST_F(StoreSurveyTest, AnEmptyStoreHasNoFindings) {
  const Document document = Perform("store/findings");
  EXPECT_EQ(ToJson(document)["experiments"], 0);
  EXPECT_THAT(document.notes, ElementsAre(HasSubstr("no experiment of the store fits")));
}

}  // namespace
}  // namespace xsp::api
