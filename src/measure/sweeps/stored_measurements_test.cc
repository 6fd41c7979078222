#include "measure/sweeps/stored_measurements.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "measure/sweeps/point_estimate.h"
#include "measure/sweeps/sweep_store_testing.h"
#include "store/store_testing.h"

namespace xsp::sweeps {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const json kStackJson = {{"system", {{"kernel", "6.1"}, {"uptime_s", "5"}}}};
const std::vector<collect::Fact> kStackOfStore = {{"system.kernel", "6.1", ""},
                                                  {"system.uptime_s", "9", ""}};

Subject SomeSubject() {
  return {"net", "abc", nullptr, "torch", "PyTorch 2.1", {1}, SettingsOf({{"threads", 2}})};
}

StoredMeasurement Measured(const std::string& name, const Subject& subject = SomeSubject()) {
  StoredMeasurement stored;
  stored.experiment = name;
  stored.created = "2026-01-01T00:00:00Z";
  stored.status = "done";
  stored.subject = subject;
  stored.seconds = 8;
  return stored;
}

class StoredMeasurementsTest : public ::testing::Test {
 protected:
  void Write(const StoredMeasurement& stored, const json& stack = kStackJson) {
    WriteExperiment(store_.path(), stored, stack);
    ASSERT_TRUE(stored_.Refresh().ok());
  }
  StoredMatch Find(const Subject& subject = SomeSubject()) {
    return stored_.Find(subject, kStackOfStore);
  }

  store::TestFolder store_;
  StoredMeasurements stored_{store_.path()};
};

TEST_F(StoredMeasurementsTest, TheSameIsFoundThoughMomentaryFactsDiffer) {
  ASSERT_TRUE(stored_.Refresh().ok());
  EXPECT_EQ(Find().measurement, nullptr);
  Write(Measured("one"));
  ASSERT_NE(Find().measurement, nullptr);
  EXPECT_EQ(Find().measurement->experiment, "one");
  std::filesystem::remove_all(store_.path() / "one");
  ASSERT_TRUE(stored_.Refresh().ok());
  EXPECT_EQ(Find().measurement, nullptr);
}

TEST_F(StoredMeasurementsTest, WhateverDiffersIsAnotherMeasurement) {
  Write(Measured("one"));
  for (int what = 0; what < 7; ++what) {
    Subject other = SomeSubject();
    if (what == 0) other.model_sha256 = "abd";
    if (what == 1) other.worker = "onnxruntime";
    if (what == 2) other.framework = "PyTorch 2.2";
    if (what == 3) other.settings["threads"] = 1;
    if (what == 4) other.batches = {2};
    if (what == 5) other.inputs = json::array({1});
    if (what == 6) other.model_sha256 = "";  // Not known: it may be any.
    EXPECT_EQ(Find(other).measurement, nullptr) << what;
    EXPECT_EQ(Find(other).other, nullptr) << what;
  }
  // Another name of the same bytes is the same.
  Subject renamed = SomeSubject();
  renamed.model = "net2";
  EXPECT_NE(Find(renamed).measurement, nullptr);
}

TEST_F(StoredMeasurementsTest, AnotherStackDoesNotCountAndIsNamed) {
  Write(Measured("one"), {{"system", {{"kernel", "5.9"}}}});
  EXPECT_EQ(Find().measurement, nullptr);
  EXPECT_EQ(Find().why_not, "another stack: system.kernel");
  Write(Measured("two"), json::object());
  EXPECT_EQ(Find().measurement, nullptr);
}

TEST_F(StoredMeasurementsTest, WhatWasInterruptedDoesNotCount) {
  StoredMeasurement stored = Measured("one");
  stored.status = "interrupted";
  stored.tags = {{"sweep.s", "p"}};
  Write(stored);
  EXPECT_EQ(Find().measurement, nullptr);
  ASSERT_NE(Find().other, nullptr);
  EXPECT_EQ(Find().other->tags.at("sweep.s"), "p");
  EXPECT_EQ(Find().why_not, "interrupted");
}

TEST_F(StoredMeasurementsTest, InterruptedOnesOfAnotherStackAreOfAnotherMachine) {
  StoredMeasurement stored = Measured("theirs");
  stored.status = "interrupted";
  Write(stored, {{"system", {{"kernel", "5.9"}}}});
  EXPECT_EQ(Find().why_not, "another stack: system.kernel");
  EXPECT_TRUE(Find().interrupted.empty());
  stored.experiment = "ours";
  Write(stored);
  ASSERT_EQ(Find().interrupted.size(), 1u);
  EXPECT_EQ(Find().interrupted[0]->experiment, "ours");
}

TEST_F(StoredMeasurementsTest, AnotherExperimentUnderAKnownNameIsRead) {
  StoredMeasurement stored = Measured("one");
  stored.status = "interrupted";
  Write(stored);
  EXPECT_EQ(Find().measurement, nullptr);
  std::filesystem::remove_all(store_.path() / "one");
  Write(Measured("one"));
  ASSERT_NE(Find().measurement, nullptr);
  EXPECT_EQ(Find().measurement->status, "done");
  // What is not readable now, and is again later.
  std::filesystem::rename(store_.path() / "one" / "experiment.json", store_.path() / ".keep");
  ASSERT_TRUE(stored_.Refresh().ok());
  EXPECT_EQ(Find().measurement, nullptr);
  std::filesystem::rename(store_.path() / ".keep", store_.path() / "one" / "experiment.json");
  ASSERT_TRUE(stored_.Refresh().ok());
  EXPECT_NE(Find().measurement, nullptr);
}

TEST_F(StoredMeasurementsTest, ANewerPartialOneDoesNotHideACompleteOne) {
  StoredMeasurement partial = Measured("partial");
  partial.status = "partial";
  partial.created = "2026-01-02T00:00:00Z";
  Write(partial);
  EXPECT_EQ(Find().measurement->experiment, "partial");
  Write(Measured("complete"));
  EXPECT_EQ(Find().measurement->experiment, "complete");
}

TEST_F(StoredMeasurementsTest, PartialOnesCountWithTheirFailure) {
  StoredMeasurement stored = Measured("one");
  stored.status = "partial";
  stored.failures = {{ErrorKind::kNotPossible, "no events", "do this"}};
  Write(stored);
  ASSERT_NE(Find().measurement, nullptr);
  EXPECT_EQ(Find().measurement->failures.at(0).kind, ErrorKind::kNotPossible);
  EXPECT_EQ(Find().measurement->failures.at(0).what, "no events");
}

TEST_F(StoredMeasurementsTest, DamagedExperimentsAreNone) {
  std::filesystem::create_directories(store_.path() / "bad");
  const char* const texts[] = {"",
                               "{",
                               "[]",
                               R"({"kind": "run", "workers": 3})",
                               R"({"kind": "run", "workers": [3], "request": {"batches": [1]}})",
                               R"({"kind": "run", "workers": [{}], "request": 4})",
                               R"({"kind": "run", "workers": [{}], "request": {"batches": ["x"]},
                                   "model_file": [], "failures": 3, "tags": [1]})"};
  for (const char* text : texts) {
    std::ofstream(store_.path() / "bad" / "experiment.json") << text;
    StoredMeasurements stored(store_.path());
    EXPECT_TRUE(stored.Refresh().ok()) << text;
    EXPECT_EQ(stored.Find(SomeSubject(), kStackOfStore).measurement, nullptr) << text;
  }
}

TEST_F(StoredMeasurementsTest, FindIsWhatALookAtEveryOneFinds) {
  std::mt19937 random(3);
  std::vector<std::pair<StoredMeasurement, bool>> all;  // And whether its stack is ours.
  const auto draw = [&] {
    Subject subject = SomeSubject();
    subject.model_sha256 = random() % 2 == 0 ? "abc" : "x";
    subject.settings["threads"] = random() % 2;
    subject.batches.clear();
    for (std::int64_t batch = 1; batch <= 3; ++batch)
      if (random() % 2 == 0 || (batch == 3 && subject.batches.empty()))
        subject.batches.push_back(batch);
    return subject;
  };
  for (int i = 0; i < 120; ++i) {
    StoredMeasurement stored = Measured(fmt::format("e{}", i), draw());
    stored.created = fmt::format("2026-01-01T00:00:{:02}.{:03}Z", random() % 60, i);
    const char* const statuses[] = {"done", "partial", "interrupted"};
    stored.status = statuses[random() % 3];
    const bool is_ours = random() % 2 == 0;
    WriteExperiment(store_.path(), stored,
                    is_ours ? kStackJson : json{{"system", {{"kernel", "5"}}}});
    all.emplace_back(stored, is_ours);
  }
  ASSERT_TRUE(stored_.Refresh().ok());
  int found_some = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Subject wanted = draw();
    std::string newest, name;
    std::set<std::string> interrupted;
    for (const auto& [stored, is_ours] : all) {
      const Subject& subject = stored.subject;
      const bool fits = subject.model_sha256 == wanted.model_sha256 &&
                        subject.settings == wanted.settings && is_ours &&
                        std::ranges::includes(subject.batches, wanted.batches);
      if (!fits) continue;
      if (stored.status == "interrupted") {
        interrupted.insert(stored.experiment);
        continue;
      }
      const std::string rank = (stored.status == "done" ? "2 " : "1 ") + stored.created;
      if (rank > newest) {
        newest = rank;
        name = stored.experiment;
      }
    }
    const StoredMatch match = stored_.Find(wanted, kStackOfStore);
    EXPECT_EQ(match.measurement == nullptr ? "" : match.measurement->experiment, name);
    if (!newest.starts_with("2")) {
      std::set<std::string> found;
      for (const StoredMeasurement* one : match.interrupted) found.insert(one->experiment);
      EXPECT_EQ(found, interrupted);
    }
    found_some += name.empty() ? 0 : 1;
  }
  EXPECT_GT(found_some, 50);
}

TEST_F(StoredMeasurementsTest, TimesComeFromTheSameThenFromSimilarOnes) {
  EXPECT_EQ(EstimateFromStore(SomeSubject(), stored_).basis, "unknown");
  Subject batches = SomeSubject();
  batches.batches = {2, 4};
  Write(Measured("two-sizes", batches));
  Estimate estimate = EstimateFromStore(SomeSubject(), stored_);
  EXPECT_EQ(estimate.basis, "similar");
  EXPECT_EQ(estimate.seconds, 4);
  Write(Measured("one"));
  estimate = EstimateFromStore(SomeSubject(), stored_);
  EXPECT_EQ(estimate.basis, "measured");
  EXPECT_EQ(estimate.seconds, 8);
  Subject longer = SomeSubject();
  longer.settings["iterations"] = 1000;
  EXPECT_EQ(EstimateFromStore(longer, stored_).basis, "unknown");
  Subject other = SomeSubject();
  other.model = "other";
  EXPECT_EQ(EstimateFromStore(other, stored_).basis, "unknown");
}

workers::Backend WorkerWith(std::vector<std::string> rungs) {
  workers::Backend backend;
  backend.worker.rungs = std::move(rungs);
  return backend;
}

TEST(PointEstimateTest, LimitsOfTimeAreAnUpperBound) {
  const workers::Backend backend = WorkerWith({"model", "layer", "details"});
  requests::ExperimentRequest request;
  request.precision_target = 0.05;
  request.time_limit_s = 10;
  request.warmup_limit_s = 20;
  Estimate estimate = EstimateFromLimits(request, backend);
  EXPECT_EQ(estimate.basis, "upper bound");
  EXPECT_EQ(estimate.seconds, 2 * (10 + 20));
  request.processes = 3;  // Each warms up; they share the time of a rung.
  estimate = EstimateFromLimits(request, WorkerWith({"model"}));
  EXPECT_DOUBLE_EQ(*estimate.seconds, 3 * 20 + 10);
}

TEST(PointEstimateTest, WithoutALimitNothingIsClaimed) {
  const workers::Backend backend = WorkerWith({"model"});
  requests::ExperimentRequest request;
  EXPECT_FALSE(EstimateFromLimits(request, backend).seconds);  // A number of iterations.
  request.precision_target = 0.05;
  EXPECT_TRUE(EstimateFromLimits(request, backend).seconds);
  request.warmup_limit_s = 0;
  EXPECT_FALSE(EstimateFromLimits(request, backend).seconds);
  request.warmup_limit_s = 1;
  request.scenario.kind = "offline";
  EXPECT_FALSE(EstimateFromLimits(request, backend).seconds);
}

/// Compared with a search that looks at each property by itself.
TEST_F(StoredMeasurementsTest, TaggedMeasurementsAreFoundAsByASlowSearch) {
  std::mt19937 random(4);
  const auto pick = [&](std::vector<std::string> from) { return from[random() % from.size()]; };
  std::vector<StoredMeasurement> all;
  for (int n = 0; n < 60; ++n) {
    StoredMeasurement one = Measured("e" + std::to_string(n));
    one.created = fmt::format("2026-01-01T00:00:{:02}Z", n);
    one.status = pick({"done", "partial", "interrupted"});
    one.subject.worker = pick({"torch", "onnxruntime"});
    one.subject.model_sha256 = pick({"abc", "abd"});
    one.subject.settings["threads"] = static_cast<int>(random() % 2);
    one.subject.batches = {1, static_cast<std::int64_t>(2 + random() % 2)};
    if (random() % 4 != 0) one.tags["sweep.s"] = pick({"p", "q"});
    WriteExperiment(store_.path(), one, kStackJson);
    all.push_back(one);
  }
  ASSERT_TRUE(stored_.Refresh().ok());
  int found = 0;
  for (int trial = 0; trial < 300; ++trial) {
    Subject wanted = SomeSubject();
    wanted.framework = "";
    wanted.worker = pick({"", "torch", "onnxruntime"});
    wanted.model_sha256 = pick({"", "abc", "abd"});
    wanted.settings["threads"] = static_cast<int>(random() % 2);
    wanted.batches = {static_cast<std::int64_t>(1 + random() % 3)};
    const std::string value = pick({"p", "q"});
    std::string best;
    for (const char* status : {"partial", "done"}) {
      for (const StoredMeasurement& one : all) {
        const auto tag = one.tags.find("sweep.s");
        if (one.status != status || tag == one.tags.end() || tag->second != value) continue;
        if (!wanted.worker.empty() && one.subject.worker != wanted.worker) continue;
        if (!wanted.model_sha256.empty() && one.subject.model_sha256 != wanted.model_sha256)
          continue;
        if (one.subject.settings["threads"] != wanted.settings["threads"]) continue;
        if (one.subject.batches[0] != wanted.batches[0] &&
            one.subject.batches[1] != wanted.batches[0])
          continue;
        best = one.experiment;
      }
    }
    const StoredMeasurement* const match = stored_.FindTagged(wanted, "sweep.s", value);
    EXPECT_EQ(match == nullptr ? "" : match->experiment, best);
    found += match == nullptr ? 0 : 1;
  }
  EXPECT_GT(found, 30);
}

}  // namespace
}  // namespace xsp::sweeps
