#include "core/hang_limit_testing.h"
#include "measure/sessions/run_session.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "ingest/trace_files/trace_loader.h"
#include "measure/protocols/scenario.h"
#include "measure/workers/fake_worker_testing.h"
#include "store/database.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::sessions {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using workers::FakeWorker;

requests::ExperimentRequest SingleStream() {
  requests::ExperimentRequest request;
  request.scenario.kind = "single-stream";
  return protocols::WithScenario(std::move(request));
}

/// Measures the toy model (workers/example/toy.h) into a store of the test's own.
class ScenarioTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-scenario-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_WORKER_PATH", kTestWorkerFolder, 1);
    setenv("TMPDIR", folder_.c_str(), 1);
    request_.store = folder_ / "store";
    request_.name = "test";
    request_.iterations = 10;
    request_.roofs = false;
  }
  void TearDown() override {
    unsetenv("XSP_WORKER_PATH");
    unsetenv("TMPDIR");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  /// A model whose calls take 2 ms and little more.
  void UseModel(const std::string& also = "") {
    request_.model = (folder_ / "model.toy").string();
    std::ofstream(request_.model) << "input 8\ndense 8\nsleep 2000\n" << also;
  }
  store::Table Query(const std::string& sql) {
    return store::Database::Open({request_.store / request_.name}).value().Query(sql).value();
  }
  std::int64_t Count(const std::string& sql) {
    return std::get<std::int64_t>(Query(sql).rows.at(0).at(0));
  }
  double Number(const std::string& sql) {
    const store::Cell cell = Query(sql).rows.at(0).at(0);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*number);
    return std::get<double>(cell);
  }

  fs::path folder_;
  requests::ExperimentRequest request_;
};

TEST_F(ScenarioTest, SingleStreamIsAClosedLoopOfOneSample) {
  UseModel();
  request_.scenario = {.kind = "single-stream", .queries = 100};
  ASSERT_TRUE(RunExperiment(request_).ok());
  EXPECT_EQ(Count("SELECT count(*) FROM scenario"), 1);
  EXPECT_EQ(Count("SELECT queries FROM scenario WHERE chosen AND offered_rate IS NULL AND "
                  "passed IS NULL AND percentile = 90 AND message IS NULL"),
            100);
  // Nearest rank: 90 of 100 calls are not longer; of 100, 3 may lie above with 99 % confidence.
  // The scenario was read while the worker lived, when the recording's clock was known less
  // exactly.
  constexpr double kClockNs = 1000;
  EXPECT_NEAR(
      Number("SELECT percentile_ns FROM scenario"),
      Number("SELECT latency_ns FROM sample WHERE iteration > 0 ORDER BY 1 LIMIT 1 OFFSET 89"),
      kClockNs);
  EXPECT_NEAR(Number("SELECT estimate_ns FROM scenario"),
              Number("SELECT latency_ns FROM sample WHERE iteration > 0 ORDER BY 1 DESC LIMIT 1 "
                     "OFFSET 2"),
              kClockNs);
  EXPECT_EQ(Count("SELECT count(*) FROM run WHERE rung = 'model'"), 1);
}

TEST_F(ScenarioTest, TooFewQueriesForAnEstimateSaySo) {
  UseModel();
  request_.scenario = {.kind = "multi-stream", .queries = 20, .streams = 3};
  ASSERT_TRUE(RunExperiment(request_).ok());
  EXPECT_EQ(Count("SELECT batch FROM point"), 3);
  const store::Table row = Query("SELECT message FROM scenario WHERE estimate_ns IS NULL");
  ASSERT_EQ(row.rows.size(), 1u);
  EXPECT_THAT(std::get<std::string>(row.rows[0][0]), HasSubstr("20 of at least 662"));
}

TEST_F(ScenarioTest, OfflineCountsSamplesOverTheWholeTime) {
  UseModel();
  request_.batches = {1, 4};
  request_.scenario = {.kind = "offline", .queries = 30};
  ASSERT_TRUE(RunExperiment(request_).ok());
  EXPECT_EQ(Count("SELECT count(*) FROM scenario WHERE chosen AND latency_p50_ns IS NULL AND "
                  "percentile IS NULL AND service_p50_ns >= 2e6"),
            2);
  // A call takes 2 ms at least, and the gaps between calls count as well.
  EXPECT_EQ(Count("SELECT count(*) FROM scenario s JOIN point p USING (point_id) "
                  "WHERE throughput_per_s * 2e6 / 1e9 <= batch AND throughput_per_s > 0"),
            2);
  EXPECT_EQ(Count("SELECT count(*) FROM scenario s JOIN point p USING (point_id) JOIN "
                  "(SELECT run_id, sum(latency_ns) AS ns FROM sample WHERE iteration > 0 "
                  "GROUP BY run_id) USING (run_id) WHERE throughput_per_s > 30e9 * batch / ns"),
            0);
}

TEST_F(ScenarioTest, ServerFindsTheHighestRateThatKeepsTheBound) {
  UseModel();
  request_.scenario = {
      .kind = "server", .latency_bound_ns = 60'000'000, .percentile = 90, .queries = 100};
  // On a busy machine other programs may spoil every rate of a search, but hardly of three.
  for (int search = 1; search <= 3; ++search) {
    request_.name = fmt::format("test{}", search);
    const auto outcome = RunExperiment(request_);
    ASSERT_TRUE(outcome.ok()) << outcome.error().what;
    EXPECT_EQ(outcome.value().status, "done");
    if (Count("SELECT count(*) FROM scenario WHERE chosen") > 0) break;
  }
  EXPECT_EQ(Count("SELECT count(*) FROM scenario WHERE chosen"), 1);
  // Of 100 queries 3 may lie above the bound, and the estimate is the third largest.
  EXPECT_EQ(Count("SELECT count(*) FROM scenario WHERE chosen AND passed AND utilisation < 1 AND "
                  "offered_rate < 500 AND above_bound <= 3 AND "
                  "(estimate_ns > bound_ns) = (above_bound = 3)"),
            1);
  // The rate above it, at most a fiftieth away, did not pass.
  EXPECT_EQ(
      Count("SELECT count(*) FROM scenario a JOIN scenario b ON NOT a.passed AND b.chosen AND "
            "a.offered_rate > b.offered_rate AND "
            "a.offered_rate * 0.98 <= b.offered_rate * 1.0000001 AND a.message IS NOT NULL"),
      1);
  // Try 0 is the closed loop; the raw samples of every try are there, and no others' business.
  EXPECT_EQ(Count("SELECT queries FROM scenario WHERE try_index = 0 AND offered_rate IS NULL"), 10);
  EXPECT_EQ(Count("SELECT count(*) FROM scenario s JOIN sample x USING (run_id) WHERE "
                  "s.offered_rate IS NOT NULL AND x.queue_ns >= 0 AND x.iteration >= "
                  "s.first_iteration AND x.iteration < s.first_iteration + s.queries"),
            Count("SELECT sum(queries)::BIGINT FROM scenario WHERE offered_rate IS NOT NULL"));
  EXPECT_EQ(Count("SELECT samples FROM run"), 11);  // The closed loop, and the call before it.
}

TEST_F(ScenarioTest, ABoundBelowOneCallIsTriedAtNoRate) {
  UseModel();
  request_.scenario = {.kind = "server", .latency_bound_ns = 1'000'000};
  const auto outcome = RunExperiment(request_);
  ASSERT_TRUE(outcome.ok());
  EXPECT_EQ(outcome.value().status, "done");
  EXPECT_EQ(Count("SELECT count(*) FROM scenario"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM scenario WHERE chosen"), 0);
}

TEST_F(ScenarioTest, LowerRatesAreNotTriedWhereTheCallsAloneAreTooLong) {
  // One call in eight, wherever warm-up ends; of 60 queries none may be above the bound.
  std::string stalls;
  for (int call = 31; call <= 260; call += 8)
    stalls += "sleep 70000 " + std::to_string(call) + "\n";
  UseModel(stalls);
  request_.scenario = {
      .kind = "server", .latency_bound_ns = 60'000'000, .percentile = 90, .queries = 60};
  ASSERT_TRUE(RunExperiment(request_).ok());
  EXPECT_EQ(Count("SELECT count(*) FROM scenario WHERE offered_rate IS NOT NULL"), 2);
  EXPECT_EQ(Count("SELECT count(*) FROM scenario WHERE message LIKE '%calls alone%'"), 2);
}

class TurnsTest : public ScenarioTest {
 protected:
  protocols::PlannedRun Plan(const std::string& name, const std::string& also = "") {
    UseModel(also);
    const fs::path model = folder_ / (name + ".toy");
    fs::rename(request_.model, model);
    protocols::PlannedRun plan;
    plan.name = name;
    plan.rung = "model";
    plan.session = {fs::path(kTestWorkerFolder) / "xsp-worker-example",
                    {{"version", 1},
                     {"model", {{"name", "toy"}, {"path", model}}},
                     {"warmup", {{"window", 10}, {"tolerance", 0.02}, {"max_calls", 100}}}},
                    folder_ / (name + ".json"),
                    folder_ / (name + ".xspr"),
                    0};
    return plan;
  }
  static std::vector<protocols::MeasuredScenario> Measure(
      const std::vector<protocols::PlannedRun>& plans) {
    requests::ExperimentRequest request = SingleStream();
    request.scenario.queries = 400;
    os::Interrupts interrupts;
    core::NoProgress nobody;
    return protocols::MeasureScenarios(plans, request, interrupts, nobody);
  }
};

TEST_F(TurnsTest, OneHasTheMachineWhileTheOtherPauses) {
  const std::vector<protocols::MeasuredScenario> measured = Measure({Plan("a"), Plan("b")});
  ASSERT_EQ(measured.size(), 2u);
  double paused_ns = 0;
  for (const protocols::MeasuredScenario& one : measured) {
    EXPECT_EQ(one.run.status, "done");
    ASSERT_EQ(one.tries.size(), 1u);
    const protocols::ScenarioTry& tried = one.tries[0];
    EXPECT_EQ(tried.service_ns.size(), 400u);
    const double called_ns = std::accumulate(tried.service_ns.begin(), tried.service_ns.end(), 0.0);
    EXPECT_GE(tried.DurationNs(), called_ns);
    // Pauses, of some hundred ms, are no gaps between calls.
    EXPECT_LT(tried.DurationNs(), called_ns + 400 * 1e6);
    paused_ns += tried.paused_ns;
  }
  // 800 ms of calls each, alternating after some 300 ms: between those of one lie those of the
  // other.
  EXPECT_GT(paused_ns, 400e6);
}

TEST_F(TurnsTest, OneThatFailsLeavesTheTurnsToTheOther) {
  const std::vector<protocols::MeasuredScenario> measured =
      Measure({Plan("a", "fail 150\n"), Plan("b")});
  EXPECT_EQ(measured[0].run.status, "failed");
  EXPECT_TRUE(measured[0].tries.empty());
  EXPECT_EQ(measured[1].run.status, "done");
  EXPECT_EQ(measured[1].tries.size(), 1u);
}

class StallTest : public ScenarioTest {
 protected:
  /// How many are as long as `ns`, or longer.
  static std::int64_t CountLong(const std::vector<double>& latencies_ns, double ns) {
    return std::count_if(latencies_ns.begin(), latencies_ns.end(),
                         [&](double latency) { return latency >= ns; });
  }
};

TEST_F(StallTest, AStallShowsInEveryRequestThatQueuedBehindIt) {
  // Warm-up takes 20 to 100 calls; call 160 is among the 200 after them in either loop.
  UseModel("sleep 500000 160\n");
  const fs::path recording = folder_ / "run.xspr";
  const workers::SessionPlan plan = {
      fs::path(kTestWorkerFolder) / "xsp-worker-example",
      {{"version", 1},
       {"model", {{"name", "toy"}, {"path", request_.model}}},
       {"warmup", {{"window", 10}, {"tolerance", 0.02}, {"max_calls", 100}}}},
      folder_ / "job.json",
      recording,
      0};
  const auto measure = [&](std::optional<double> rate) {
    os::Interrupts interrupts;
    workers::WorkerSession session = workers::WorkerSession::Start(plan, interrupts).value();
    EXPECT_TRUE(session.AwaitReady(core::kHangLimit).ok());
    const workers::WorkerSession::Seconds deadline = core::kHangLimit;
    if (rate) {
      EXPECT_TRUE(session.Serve(200, *rate, 1, deadline).ok());
    } else {
      EXPECT_TRUE(session.Run(200, "", deadline).ok());
    }
    EXPECT_TRUE(session.Stop(deadline).ok());
    return protocols::TakeTry(
               trace_files::LoadTrace({trace_files::Recognise(recording).value()}).value(), 0, 200,
               rate)
        .value();
  };
  // On a busy machine calls may stall by themselves, too.
  const protocols::ScenarioTry closed = measure(std::nullopt);
  EXPECT_GE(CountLong(closed.service_ns, 250e6), 1);
  EXPECT_EQ(closed.LatenciesNs(), closed.service_ns);

  // 250 queries a second: those of the stall's first half wait 250 ms and longer.
  const protocols::ScenarioTry open = measure(250);
  const std::int64_t stalls = CountLong(open.service_ns, 250e6);
  EXPECT_GE(stalls, 1);
  ASSERT_TRUE(open.gap_ns && closed.gap_ns);
  EXPECT_GT(*open.gap_ns, 0);
  EXPECT_LT(*open.gap_ns, 4e6);  // Gaps to queries that had not come yet take no part.
  EXPECT_GE(CountLong(open.LatenciesNs(), 250e6), stalls + 7);
  // Who comes right after the stalled one waits nearly as long as it took.
  const auto stalled = std::max_element(open.service_ns.begin(), open.service_ns.end());
  const auto next = static_cast<std::size_t>(stalled - open.service_ns.begin()) + 1;
  ASSERT_LT(next, open.queue_ns.size());
  EXPECT_GT(open.queue_ns[next], 250e6);
  // So a bound of 200 ms at the 95th percentile fails, which the closed loop keeps, also on a busy
  // machine.
  const requests::ScenarioRequest bound = {
      .kind = "server", .latency_bound_ns = 200'000'000, .percentile = 95, .queries = 200};
  EXPECT_FALSE(Judge(open, bound).passed);
  EXPECT_TRUE(Judge(closed, bound).passed);
}

TEST_F(ScenarioTest, AnInterruptKeepsTheTriesBefore) {
  /// Asks to stop when the second rate is begun.
  class Interrupter final : public core::Progress {
   public:
    os::Interrupts interrupts;
    void Step(std::string_view what, double, double) override {
      if (what.find("queries at") != std::string_view::npos && ++rates_ == 2) interrupts.Request();
    }
    void Note(std::string_view) override {}

   private:
    int rates_ = 0;
  } interrupter;
  UseModel();
  request_.progress = &interrupter;
  request_.interrupts = &interrupter.interrupts;
  request_.scenario = {
      .kind = "server", .latency_bound_ns = 60'000'000, .percentile = 90, .queries = 60};
  const auto outcome = RunExperiment(request_);
  ASSERT_TRUE(outcome.ok()) << outcome.error().what;
  EXPECT_EQ(outcome.value().status, "interrupted");
  EXPECT_EQ(Count("SELECT count(*) FROM scenario"), 2);
  EXPECT_EQ(Count("SELECT count(*) FROM scenario WHERE chosen"), 0);
}

TEST_F(ScenarioTest, AWorkerThatFailsWhileServingLeavesWhatWasMeasured) {
  UseModel("fail 150\n");  // In the first or the second rate.
  request_.scenario = {
      .kind = "server", .latency_bound_ns = 60'000'000, .percentile = 90, .queries = 200};
  const auto outcome = RunExperiment(request_);
  ASSERT_TRUE(outcome.ok()) << outcome.error().what;
  EXPECT_EQ(outcome.value().status, "partial");
  EXPECT_GE(Count("SELECT count(*) FROM scenario"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM scenario WHERE chosen"), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM run WHERE status = 'failed' AND message IS NOT NULL"), 1);
}

TEST_F(FakeWorker, ServesWhenAskedTo) {
  const workers::SessionPlan plan = {
      program_,
      {{"rung", "model"}, {"model", {{"path", ModelThat("").string()}}}},
      folder_ / "job.json",
      folder_ / "run.xspr",
      0};
  os::Interrupts interrupts;
  workers::WorkerSession session = workers::WorkerSession::Start(plan, interrupts).value();
  ASSERT_TRUE(session.AwaitReady(core::kHangLimit).ok());
  EXPECT_TRUE(session.Serve(500, 120.5, 7, core::kHangLimit).ok());
  EXPECT_TRUE(session.Stop(core::kHangLimit).ok());
  EXPECT_THAT(Read(log_), HasSubstr("serve 500 120.5 7"));
}

TEST_F(FakeWorker, ARecordingThatIsNoneIsAnErrorOfItsRun) {
  protocols::PlannedRun plan;
  plan.name = "b1-model";
  plan.rung = "model";
  plan.session = {program_,
                  {{"rung", "model"}, {"model", {{"path", ModelThat("").string()}}}},
                  folder_ / "job.json",
                  folder_ / "run.xspr",
                  0};
  os::Interrupts interrupts;
  core::NoProgress nobody;
  const protocols::MeasuredScenario measured =
      std::move(protocols::MeasureScenarios({{plan}}, SingleStream(), interrupts, nobody).front());
  EXPECT_EQ(measured.run.status, "failed");
  EXPECT_TRUE(measured.run.failure);
  EXPECT_TRUE(measured.tries.empty());
}

}  // namespace
}  // namespace xsp::sessions
