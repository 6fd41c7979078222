#include "measure/protocols/measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <set>
#include <sstream>

#include "measure/workers/fake_worker_testing.h"

namespace xsp::protocols {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Keeps what is reported.
class Listener : public core::Progress {
 public:
  void Step(std::string_view what, double fraction, double remaining_s) override {
    steps.emplace_back(what);
    fractions.push_back(fraction);
    remaining.push_back(remaining_s);
    if (on_step) on_step(what);
  }
  void Note(std::string_view message) override { notes.emplace_back(message); }
  std::vector<std::string> steps, notes;
  std::vector<double> fractions, remaining;
  std::function<void(std::string_view)> on_step;
};

class MeasurementTest : public workers::FakeWorker {
 protected:
  std::vector<MeasuredRun> Measure(
      const std::string& words, double deadline_s = 0,
      std::vector<std::string> rungs = {"model", "layer", "kernel", "details"},
      const std::string& baseline_rung = "",
      workers::WorkerProgram::Switch switching = workers::WorkerProgram::Switch::kBlock) {
    std::vector<PlannedRun> runs;
    for (const std::string& rung : rungs) {
      PlannedRun run;
      run.name = "b1-" + rung;
      run.rung = rung;
      run.baseline_rung = baseline_rung;
      run.switching = switching;
      run.point_id = 1;
      run.iterations = rung == "details" ? 3 : 30;
      run.sampling.iterations = run.iterations;
      run.sampling.loads = rung == "details" ? 1 : loads_;
      run.session.program = program_;
      run.session.job = {{"rung", rung}, {"model", {{"path", ModelThat(words).string()}}}};
      run.session.job_file = folder_ / (rung + ".json");
      run.session.recording = folder_ / (rung + ".rec");
      runs.push_back(run);
    }
    ProgressEstimator estimator(listener_, {runs});
    const MeasureOptions options = {
        .seed = 1, .deadline_s = deadline_s, .memory_margin = memory_margin_, .pause_s = 0};
    return MeasureGroup(runs, options, interrupts_, estimator);
  }
  std::vector<std::string> Log() const {
    std::vector<std::string> lines;
    std::istringstream stream(Read(log_));
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  double memory_margin_ = 1.25;
  int loads_ = 1;
  Listener listener_;
  os::Interrupts interrupts_;
};

TEST_F(MeasurementTest, TakesTurnsAndThenReadsDetails) {
  const std::vector<MeasuredRun> runs = Measure("");
  ASSERT_EQ(runs.size(), 4u);
  for (const MeasuredRun& run : runs) {
    EXPECT_EQ(run.status, "done") << run.plan.name;
    EXPECT_EQ(run.calls, run.plan.iterations);
    EXPECT_EQ(run.warmup_calls, 20);
    EXPECT_TRUE(run.exit->success());
  }
  const std::vector<std::string> log = Log();
  ASSERT_EQ(log.size(), 3u * 3 + 3 + 2);
  for (std::size_t round = 0; round < 3; ++round) {
    const std::vector<std::string> turn(log.begin() + static_cast<std::ptrdiff_t>(3 * round),
                                        log.begin() + static_cast<std::ptrdiff_t>(3 * round + 3));
    EXPECT_THAT(turn,
                testing::UnorderedElementsAre("model: run 10", "layer: run 10", "kernel: run 10"));
  }
  EXPECT_EQ(log[12], "details: run 3");
  EXPECT_THAT(runs[0].measured_with, testing::ElementsAre("b1-layer", "b1-kernel"));
  EXPECT_THAT(runs[3].measured_with, testing::IsEmpty());
}

TEST_F(MeasurementTest, MakesBlocksOfBaselineCallsBesideItsOwnInRandomOrder) {
  const std::vector<MeasuredRun> runs = Measure("", 0, {"layer"}, "model");
  EXPECT_EQ(runs[0].status, "done");
  EXPECT_EQ(runs[0].calls, 30);
  const std::vector<std::string> log = Log();
  ASSERT_EQ(log.size(), 7u);
  std::set<std::string> first;
  for (std::size_t block = 0; block < 3; ++block) {
    EXPECT_THAT((std::vector<std::string>{log[2 * block], log[2 * block + 1]}),
                testing::UnorderedElementsAre("layer: run 10 model", "layer: run 10"));
    first.insert(log[2 * block]);
  }
  EXPECT_EQ(first.size(), 2u);  // With this seed neither is always first.
  EXPECT_DOUBLE_EQ(listener_.fractions.back(), 1);
}

TEST_F(MeasurementTest, MakesPairsOfCallsWhereAWorkerSwitchesAtEveryCall) {
  const std::vector<MeasuredRun> runs =
      Measure("", 0, {"layer"}, "model", workers::WorkerProgram::Switch::kCall);
  EXPECT_EQ(runs[0].status, "done");
  EXPECT_EQ(runs[0].calls, 30);
  const std::vector<std::string> log = Log();
  ASSERT_EQ(log.size(), 4u);
  std::set<std::string> seeds;
  for (std::size_t block = 0; block < 3; ++block) {
    EXPECT_THAT(log[block], testing::StartsWith("layer: pairs 10 model "));
    seeds.insert(log[block]);
  }
  EXPECT_EQ(seeds.size(), 3u);  // Every block has an order of its own.
}

TEST_F(MeasurementTest, LoadsTheModelAnewForEachPartOfTheCalls) {
  loads_ = 3;
  const std::vector<MeasuredRun> runs =
      Measure("", 0, {"layer", "details"}, "model", workers::WorkerProgram::Switch::kProcess);
  EXPECT_EQ(runs[0].status, "done");
  EXPECT_EQ(runs[0].calls, 30);
  EXPECT_EQ(runs[0].warmup_calls, 20);  // Of the first time.
  EXPECT_THAT(Log(), testing::ElementsAre("layer: run 10", "layer: load", "layer: run 10",
                                          "layer: load", "layer: run 10", "layer: stop",
                                          "details: run 3", "details: stop"));
  EXPECT_DOUBLE_EQ(listener_.fractions.back(), 1);
}

TEST_F(MeasurementTest, AWorkerThatCannotLoadItsModelAnewFails) {
  loads_ = 3;
  const std::vector<MeasuredRun> runs = Measure("at-again error", 0, {"model"});
  EXPECT_EQ(runs[0].status, "failed");
  EXPECT_EQ(runs[0].failure->what, "not a model");
  EXPECT_EQ(runs[0].calls, 10);
}

TEST_F(MeasurementTest, MakesNoBaselineCallsWhereAProcessCannotSwitch) {
  const std::vector<MeasuredRun> runs =
      Measure("", 0, {"layer"}, "model", workers::WorkerProgram::Switch::kProcess);
  EXPECT_EQ(runs[0].calls, 30);
  EXPECT_THAT(Log(), testing::ElementsAre("layer: run 10", "layer: run 10", "layer: run 10",
                                          "layer: stop"));
}

TEST_F(MeasurementTest, WithoutRoomForTwoTheyComeOneAfterAnother) {
  memory_margin_ = 1e12;
  const std::vector<MeasuredRun> runs = Measure("", 0, {"model", "layer"});
  EXPECT_EQ(runs[1].status, "done");
  EXPECT_THAT(runs[1].measured_with, testing::IsEmpty());
  EXPECT_THAT(Log(), testing::ElementsAre("model: run 10", "model: run 10", "model: run 10",
                                          "model: stop", "layer: run 10", "layer: run 10",
                                          "layer: run 10", "layer: stop"));
  EXPECT_THAT(listener_.notes, Contains(HasSubstr("too little memory to run b1-layer")));
}

TEST_F(MeasurementTest, TellsHowFarItIs) {
  Measure("");
  for (std::size_t i = 1; i < listener_.fractions.size(); ++i)
    EXPECT_GE(listener_.fractions[i], listener_.fractions[i - 1]);
  EXPECT_NEAR(listener_.fractions.back(), 1, 1e-9);
  EXPECT_LT(listener_.remaining.front(), 0);
  EXPECT_NEAR(listener_.remaining.back(), 0, 1e-9);
}

TEST_F(MeasurementTest, AFailingRungCostsOnlyItself) {
  const std::vector<MeasuredRun> runs = Measure("rung kernel crash");
  EXPECT_EQ(runs[0].status, "done");
  EXPECT_EQ(runs[1].status, "done");
  EXPECT_EQ(runs[2].status, "failed");
  EXPECT_THAT(runs[2].failure->what, HasSubstr("signal 11"));
  EXPECT_THAT(runs[2].stderr_tail, HasSubstr("segmentation fault"));
  EXPECT_EQ(runs[3].status, "done");
  EXPECT_THAT(listener_.notes, Contains(HasSubstr("b1-kernel failed")));
}

TEST_F(MeasurementTest, AModelThatCannotBeLoadedIsTriedOnce) {
  const std::vector<MeasuredRun> runs = Measure("at-load error");
  EXPECT_EQ(runs[0].failure->what, "not a model");
  for (std::size_t i = 1; i < runs.size(); ++i) {
    EXPECT_EQ(runs[i].status, "failed");
    EXPECT_EQ(runs[i].failure->kind, ErrorKind::kBadInput);
    EXPECT_EQ(runs[i].failure->what, "not started, because b1-model failed");
    EXPECT_EQ(runs[i].started, "");
  }
}

TEST_F(MeasurementTest, AHangEndsAtTheDeadline) {
  const std::vector<MeasuredRun> runs = Measure("rung layer hang", 5.0);
  EXPECT_EQ(runs[0].status, "done");
  EXPECT_EQ(runs[1].status, "failed");
  EXPECT_THAT(runs[1].failure->what, HasSubstr("did not answer"));
  EXPECT_EQ(runs[2].status, "done");
}

TEST_F(MeasurementTest, AnInterruptKeepsWhatWasMeasured) {
  int calls = 0;
  listener_.on_step = [&](std::string_view what) {
    if (what.find("call 11") != std::string_view::npos && ++calls == 1) interrupts_.Request();
  };
  const std::vector<MeasuredRun> runs = Measure("");
  EXPECT_TRUE(interrupts_.stop());
  int kept = 0;
  for (const MeasuredRun& run : runs) {
    EXPECT_EQ(run.status, "interrupted") << run.plan.name;
    kept += run.calls;
  }
  // The first block of each, and the second of the first where its worker answered sooner.
  EXPECT_THAT(kept, testing::AnyOf(30, 40));
  EXPECT_EQ(runs[3].started, "");
}

}  // namespace
}  // namespace xsp::protocols
