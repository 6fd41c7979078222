#include "measure/workers/worker_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "core/hang_limit_testing.h"
#include "measure/workers/fake_worker_testing.h"

namespace xsp::workers {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Seconds = WorkerSession::Seconds;
constexpr Seconds kLong = core::kHangLimit;

class WorkerSessionTest : public FakeWorker {
 protected:
  WorkerSession Start(const std::string& words, std::int64_t memory_limit_bytes = 0) {
    SessionPlan plan;
    plan.program = program_;
    plan.job = {{"rung", "model"}, {"model", {{"path", ModelThat(words).string()}}}};
    plan.job_file = folder_ / "job.json";
    plan.recording = folder_ / "recording";
    plan.memory_limit_bytes = memory_limit_bytes;
    return WorkerSession::Start(plan, interrupts_).value();
  }
  os::Interrupts interrupts_;
};

TEST_F(WorkerSessionTest, DrivesAWorkerFromStartToEnd) {
  WorkerSession session = Start("");
  const WorkerSession::Ready ready = session.AwaitReady(kLong).value();
  EXPECT_EQ(ready.warmup_calls, 20);
  EXPECT_TRUE(ready.settled);
  EXPECT_TRUE(session.Run(10, "", kLong).ok());
  EXPECT_TRUE(session.Run(3, "layer", kLong).ok());
  EXPECT_GT(session.PeakMemoryBytes().value(), 100'000);
  EXPECT_TRUE(session.Stop(kLong).ok());
  EXPECT_TRUE(session.exit()->success());
  EXPECT_EQ(Read(log_), "model: run 10\nmodel: run 3 layer\nmodel: stop\n");
}

TEST_F(WorkerSessionTest, PassesOnAnErrorEventWithItsKind) {
  WorkerSession session = Start("at-load error");
  const Error error = session.AwaitReady(kLong).error();
  EXPECT_EQ(error.kind, ErrorKind::kBadInput);
  EXPECT_EQ(error.what, "not a model");
  EXPECT_EQ(error.hint, "give one");
  EXPECT_EQ(session.exit()->code, 3);
}

TEST_F(WorkerSessionTest, NamesTheSignalAndTheLastWordsOfACrash) {
  WorkerSession session = Start("at-run crash");
  ASSERT_TRUE(session.AwaitReady(kLong).ok());
  const auto status = session.Run(10, "", kLong);
  EXPECT_EQ(status.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(status.error().what, AllOf(HasSubstr("crashed during a block of 10 calls"),
                                         HasSubstr("signal 11"), HasSubstr("segmentation fault")));
  EXPECT_EQ(session.exit()->signal, SIGSEGV);
}

TEST_F(WorkerSessionTest, SaysThatAnEarlyEndIsOne) {
  WorkerSession session = Start("at-load quit");
  EXPECT_THAT(session.AwaitReady(kLong).error().what,
              AllOf(HasSubstr("ended during loading"), HasSubstr("exit status 7")));
}

TEST_F(WorkerSessionTest, KillsAWorkerThatHangs) {
  WorkerSession session = Start("at-run hang");
  ASSERT_TRUE(session.AwaitReady(kLong).ok());
  const auto status = session.Run(10, "", Seconds(0.1));
  EXPECT_THAT(status.error().what, HasSubstr("was killed after 0.1 s"));
  EXPECT_THAT(status.error().hint, HasSubstr("--deadline"));
  EXPECT_EQ(session.exit()->signal, SIGKILL);
}

TEST_F(WorkerSessionTest, WaitsLongerForAWorkerThatOthersHoldUp) {
  WorkerSession patient = Start("at-load crowd\nat-run spin");
  ASSERT_TRUE(patient.AwaitReady(kLong).ok());
  const auto done = patient.Run(10, "", {Seconds(0.5), kLong});
  EXPECT_TRUE(done.ok()) << done.error().what;
  WorkerSession impatient = Start("at-load crowd\nat-run spin");
  ASSERT_TRUE(impatient.AwaitReady(kLong).ok());
  const auto status = impatient.Run(10, "", {Seconds(0.5), Seconds(0.6)});
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().what, HasSubstr("was killed after 0.6 s"));
  EXPECT_THAT(status.error().hint, HasSubstr("Its threads waited for cores"));
}

TEST_F(WorkerSessionTest, SuspectsLackOfMemoryBehindAKill) {
  WorkerSession session = Start("at-run killed");
  ASSERT_TRUE(session.AwaitReady(kLong).ok());
  const auto status = session.Run(10, "", kLong);
  EXPECT_THAT(status.error().what, HasSubstr("probably for lack of memory"));
  EXPECT_THAT(status.error().hint, HasSubstr("smaller batch"));
}

TEST_F(WorkerSessionTest, TellsTextThatIsNoEvent) {
  WorkerSession session = Start("at-load garbage");
  const Error error = session.AwaitReady(kLong).error();
  EXPECT_THAT(error.what, AllOf(HasSubstr("broke the protocol"), HasSubstr("I am a framework")));
}

TEST_F(WorkerSessionTest, AnInterruptEndsTheBlock) {
  WorkerSession session = Start("at-run hang");
  ASSERT_TRUE(session.AwaitReady(kLong).ok());
  interrupts_.Request();
  EXPECT_EQ(session.Run(10, "", kLong).error().kind, ErrorKind::kInterrupted);
  EXPECT_TRUE(session.exit().has_value());
}

}  // namespace
}  // namespace xsp::workers
