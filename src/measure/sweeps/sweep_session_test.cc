#include "measure/sweeps/sweep_session.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "measure/sweeps/sweep_store_testing.h"
#include "measure/workers/fake_worker_testing.h"

namespace xsp::sweeps {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const json kStackOfTest = {{"system", {{"kernel", "6.1"}}}};

/// Sweeps over batch sizes of the fake worker's model, measured by a function that only stores what
/// it was asked for.
class SweepSessionTest : public workers::FakeWorker {
 protected:
  void SetUp() override {
    FakeWorker::SetUp();
    store_ = folder_ / "store";
    std::filesystem::create_directories(store_);
    model_ = ModelThat("nothing").string();
  }

  std::vector<SweptPoint> Points(std::int64_t count) const {
    std::vector<SweptPoint> points;
    for (std::int64_t batch = 1; batch <= count; ++batch) {
      SweptPoint point;
      point.point.name = fmt::format("b{}", batch);
      point.point.model = model_;
      point.point.batch = batch;
      point.request.model = model_;
      point.request.backends = {"fake"};
      point.request.batches = {batch};
      point.request.store = store_;
      point.completed = point.request;
      points.push_back(std::move(point));
    }
    return points;
  }

  /// Stores an experiment as RunExperiment does. What batch sizes in `failing_` do is fail.
  Result<sessions::ExperimentOutcome> Store(const requests::ExperimentRequest& request) {
    measured_.push_back(request.batches.front());
    if (failing_.contains(request.batches.front()))
      return Error{ErrorKind::kBadInput, "worker failed", "mend it"};
    if (while_measuring_) while_measuring_();
    const bool interrupts_now = request.batches.front() == interrupt_at_;
    if (interrupts_now) interrupts_.Request();
    SweepTargets targets(progress_, -1);
    const Target target = targets.Find(request, true).value();
    StoredMeasurement stored;
    stored.experiment = request.name;
    for (int n = 2; std::filesystem::exists(store_ / stored.experiment); ++n)
      stored.experiment = fmt::format("{}-{}", request.name, n);
    stored.created = fmt::format("2026-01-01T00:00:00.{:03}Z", measured_.size());
    stored.status = interrupts_now ? "interrupted" : "done";
    stored.subject = SubjectOf(request, target);
    stored.seconds = 2;
    stored.tags = request.tags;
    WriteExperiment(store_, stored, kStackOfTest);
    sessions::ExperimentOutcome outcome;
    outcome.path = store_ / stored.experiment;
    outcome.status = stored.status;
    return outcome;
  }

  SweepSession Session(std::vector<SweptPoint> points, bool again = false) {
    SweepContext context{.name = "s",
                         .store = store_,
                         .stack = std::vector<collect::Fact>{{"system.kernel", "6.1", ""}},
                         .again = again,
                         .progress = &progress_,
                         .interrupts = &interrupts_,
                         .measure = [this](const auto& request) { return Store(request); },
                         .machine_lock = folder_ / "machine.lock"};
    return SweepSession(std::move(context), std::move(points));
  }

  /// Stores what an earlier call left of the point of batch size 1.
  void StoreEarlier(const std::string& name, const std::string& status,
                    const json& stack = kStackOfTest) {
    SweepTargets targets(progress_, -1);
    const SweptPoint point = Points(1).front();
    StoredMeasurement stored;
    stored.experiment = name;
    stored.created = fmt::format("2025-01-01T00:00:00.{:03}Z", ++stored_earlier_);
    stored.status = status;
    stored.subject = SubjectOf(point.completed, targets.Find(point.request, true).value());
    stored.tags = {{"sweep.s", "b1"}};
    WriteExperiment(store_, stored, stack);
  }

  static std::vector<std::string> StatusesOf(const SweepSession& session) {
    std::vector<std::string> statuses;
    for (const SweptPoint& point : session.points()) statuses.push_back(point.status);
    return statuses;
  }

  std::filesystem::path store_;
  std::string model_;
  int stored_earlier_ = 0;
  std::vector<std::int64_t> measured_;
  std::set<std::int64_t> failing_;
  std::int64_t interrupt_at_ = 0;
  std::function<void()> while_measuring_;
  core::NoProgress progress_;
  os::Interrupts interrupts_;
};

TEST_F(SweepSessionTest, APlanMeasuresNothing) {
  SweepSession session = Session(Points(2));
  ASSERT_TRUE(session.Plan().ok());
  EXPECT_THAT(StatusesOf(session), ElementsAre("missing", "missing"));
  EXPECT_TRUE(measured_.empty());
  EXPECT_TRUE(std::filesystem::is_empty(store_));
}

TEST_F(SweepSessionTest, APlanForOtherMachinesGoesByTheTagAndTheModelWhateverTheStack) {
  StoreEarlier("elsewhere", "done", {{"system", {{"kernel", "5.4"}}}});
  SweepSession here = Session(Points(2));
  ASSERT_TRUE(here.Plan().ok());
  EXPECT_THAT(StatusesOf(here), ElementsAre("missing", "missing"));
  std::vector<SweptPoint> points = Points(2);
  for (SweptPoint& point : points) point.request.backends = {"not-installed-here"};
  const auto plan = [&](std::vector<SweptPoint> wanted) {
    SweepSession session({.name = "s",
                          .store = store_,
                          .stack = std::nullopt,
                          .again = false,
                          .progress = &progress_,
                          .interrupts = &interrupts_,
                          .measure = nullptr,
                          .machine_lock = {}},
                         std::move(wanted));
    EXPECT_TRUE(session.Plan().ok());
    return StatusesOf(session);
  };
  EXPECT_THAT(plan(Points(2)), ElementsAre("stored", "missing"));
  // Another worker's measurement is another one; that this machine has none does not matter.
  EXPECT_THAT(plan(points), ElementsAre("missing", "missing"));
  std::ofstream(model_, std::ios::app) << "\n";
  EXPECT_THAT(plan(Points(2)), ElementsAre("missing", "missing"));
}

TEST_F(SweepSessionTest, WhatIsStoredIsNotMeasuredAgainUnlessAskedFor) {
  SweepSession first = Session(Points(2));
  ASSERT_TRUE(first.Plan().ok());
  first.Measure();
  EXPECT_THAT(StatusesOf(first), ElementsAre("measured", "measured"));
  SweepSession second = Session(Points(3));
  ASSERT_TRUE(second.Plan().ok());
  EXPECT_THAT(StatusesOf(second), ElementsAre("stored", "stored", "missing"));
  EXPECT_EQ(second.SecondsLeft(), 2);  // As similar points took.
  second.Measure();
  EXPECT_THAT(measured_, ElementsAre(1, 2, 3));
  SweepSession third = Session(Points(2), true);
  ASSERT_TRUE(third.Plan().ok());
  third.Measure();
  EXPECT_THAT(measured_, ElementsAre(1, 2, 3, 1, 2));
  EXPECT_EQ(third.points()[0].experiment, "s-b1-2");
}

TEST_F(SweepSessionTest, AnotherModelUnderTheSameNameIsMeasured) {
  SweepSession first = Session(Points(1));
  ASSERT_TRUE(first.Plan().ok());
  first.Measure();
  ModelThat("something else");
  SweepSession second = Session(Points(1));
  ASSERT_TRUE(second.Plan().ok());
  EXPECT_THAT(StatusesOf(second), ElementsAre("missing"));
}

TEST_F(SweepSessionTest, RandomFailuresCostThemselvesOnly) {
  std::mt19937 random(11);
  for (int trial = 0; trial < 10; ++trial) {
    failing_.clear();
    for (std::int64_t batch = 1; batch <= 6; ++batch)
      if (random() % 3 == 0) failing_.insert(batch);
    measured_.clear();
    std::filesystem::remove_all(store_);
    SweepSession session = Session(Points(6));
    ASSERT_TRUE(session.Plan().ok());
    session.Measure();
    EXPECT_THAT(measured_, ElementsAre(1, 2, 3, 4, 5, 6));
    for (const SweptPoint& point : session.points()) {
      const bool failed = failing_.contains(point.point.batch);
      EXPECT_EQ(point.status, failed ? "failed" : "measured");
      EXPECT_EQ(point.why, failed ? "worker failed" : "");
      EXPECT_EQ(point.failure.has_value(), failed);
    }
    EXPECT_TRUE(std::filesystem::is_empty(store_ / ".sweep-claims"));
    // Mended, only what failed is measured.
    const std::set<std::int64_t> failed = std::exchange(failing_, {});
    measured_.clear();
    SweepSession resumed = Session(Points(6));
    ASSERT_TRUE(resumed.Plan().ok());
    resumed.Measure();
    EXPECT_EQ(std::set<std::int64_t>(measured_.begin(), measured_.end()), failed);
  }
}

TEST_F(SweepSessionTest, AnInterruptKeepsWhatWasMeasuredAndIsReplacedLater) {
  interrupt_at_ = 2;
  SweepSession first = Session(Points(3));
  ASSERT_TRUE(first.Plan().ok());
  first.Measure();
  EXPECT_THAT(StatusesOf(first), ElementsAre("measured", "interrupted", "missing"));
  SweepSession plan = Session(Points(3));
  ASSERT_TRUE(plan.Plan().ok());
  EXPECT_THAT(plan.points()[1].why, HasSubstr("s-b2 does not count: interrupted"));
}

TEST_F(SweepSessionTest, AnInterruptedExperimentGoesWhenAWholeOneIsThere) {
  StoreEarlier("s-b1", "interrupted");
  StoreEarlier("s-b1-2", "interrupted");
  SweepSession session = Session(Points(1));
  ASSERT_TRUE(session.Plan().ok());
  session.Measure();
  EXPECT_EQ(session.points()[0].experiment, "s-b1");
  EXPECT_FALSE(std::filesystem::exists(store_ / "s-b1-2"));
  EXPECT_FALSE(std::filesystem::exists(store_ / "s-b1-3"));
  SweepSession after = Session(Points(1));
  ASSERT_TRUE(after.Plan().ok());
  EXPECT_THAT(StatusesOf(after), ElementsAre("stored"));
}

TEST_F(SweepSessionTest, AnInterruptedExperimentOfAnotherMachineStays) {
  StoreEarlier("s-b1", "interrupted", {{"system", {{"kernel", "5.9"}}}});
  SweepSession session = Session(Points(1));
  ASSERT_TRUE(session.Plan().ok());
  session.Measure();
  EXPECT_EQ(session.points()[0].experiment, "s-b1-2");
  EXPECT_TRUE(std::filesystem::exists(store_ / "s-b1"));
}

TEST_F(SweepSessionTest, WhoPlannedEarlierTakesWhatReplacedTheInterruptedOne) {
  StoreEarlier("s-b1", "interrupted");
  SweepSession early = Session(Points(1));
  ASSERT_TRUE(early.Plan().ok());
  SweepSession other = Session(Points(1));
  ASSERT_TRUE(other.Plan().ok());
  other.Measure();
  EXPECT_EQ(other.points()[0].experiment, "s-b1");
  early.Measure();
  EXPECT_THAT(StatusesOf(early), ElementsAre("stored"));
  EXPECT_THAT(measured_, ElementsAre(1));
}

TEST_F(SweepSessionTest, WhatIsNoLongerInterruptedIsNotRemoved) {
  for (const char* status : {"done", "interrupted"}) {
    std::filesystem::remove_all(store_);
    std::filesystem::create_directories(store_);
    StoreEarlier("s-b1", "interrupted");
    while_measuring_ = [&] {
      std::filesystem::remove_all(store_ / "s-b1");
      StoreEarlier("s-b1", status);  // By another process.
    };
    SweepSession session = Session(Points(1));
    ASSERT_TRUE(session.Plan().ok());
    session.Measure();
    EXPECT_EQ(session.points()[0].experiment, "s-b1-2");
    EXPECT_EQ(ReadMeasurement(store_ / "s-b1").value().status, status);
  }
}

TEST_F(SweepSessionTest, APointThatCannotBeClaimedFailsAndTheOthersCount) {
  SweepSession first = Session(Points(1));
  ASSERT_TRUE(first.Plan().ok());
  first.Measure();
  std::filesystem::remove_all(store_ / ".sweep-claims");
  std::ofstream(store_ / ".sweep-claims") << "no folder";
  SweepSession session = Session(Points(3));
  ASSERT_TRUE(session.Plan().ok());
  session.Measure();
  EXPECT_THAT(StatusesOf(session), ElementsAre("stored", "failed", "failed"));
  EXPECT_EQ(session.points()[1].failure, ErrorKind::kEnvironment);
  EXPECT_THAT(session.points()[1].why, HasSubstr(".sweep-claims"));
  EXPECT_THAT(session.points()[1].hint, HasSubstr("--store"));
  EXPECT_THAT(measured_, ElementsAre(1));
}

TEST_F(SweepSessionTest, ALockOfTheMachineThatCannotBeHadIsOneOfTheCache) {
  std::filesystem::create_directories(folder_ / "machine.lock");
  SweepSession session = Session(Points(2));
  ASSERT_TRUE(session.Plan().ok());
  session.Measure();
  EXPECT_THAT(StatusesOf(session), ElementsAre("failed", "failed"));
  EXPECT_THAT(session.points()[0].why, HasSubstr("machine.lock"));
  EXPECT_THAT(session.points()[0].hint, HasSubstr("XSP_CACHE"));
  EXPECT_TRUE(measured_.empty());
}

TEST_F(SweepSessionTest, NamesThatAreNotUtf8AreMeasuredEachForItself) {
  std::vector<SweptPoint> points = Points(2);
  for (const int i : {0, 1}) {
    SweptPoint& point = points[i];
    const std::string name = model_ + (i == 0 ? "\xff" : "\xfe") + ".fake";
    std::filesystem::copy(model_, name);
    std::ofstream(name, std::ios::app) << std::string(i + 1, ' ');
    point.point.model = point.request.model = point.completed.model = name;
    point.completed.options = point.request.options = {name};
  }
  SweepTargets targets(progress_, -1);
  const auto subject = [&](const SweptPoint& point) {
    return SubjectOf(point.completed, targets.Find(point.request, true).value());
  };
  EXPECT_NE(subject(points[0]).model_sha256, "");
  EXPECT_NE(subject(points[0]).model_sha256, subject(points[1]).model_sha256);
}

TEST_F(SweepSessionTest, ABackendThatCannotDoItFailsItsPointsOnly) {
  std::vector<SweptPoint> points = Points(2);
  points[0].request.precision = "float16";
  SweepSession session = Session(std::move(points));
  ASSERT_TRUE(session.Plan().ok());
  EXPECT_THAT(StatusesOf(session), ElementsAre("failed", "missing"));
  EXPECT_THAT(session.points()[0].why, HasSubstr("has no precision float16"));
  session.Measure();
  EXPECT_THAT(measured_, ElementsAre(2));
}

TEST_F(SweepSessionTest, PointsForOtherMachinesAreLeftAlone) {
  std::vector<SweptPoint> points = Points(2);
  points[1].status = "elsewhere";
  SweepSession session = Session(std::move(points));
  ASSERT_TRUE(session.Plan().ok());
  session.Measure();
  EXPECT_THAT(measured_, ElementsAre(1));
  EXPECT_THAT(StatusesOf(session), ElementsAre("measured", "elsewhere"));
}

}  // namespace
}  // namespace xsp::sweeps
