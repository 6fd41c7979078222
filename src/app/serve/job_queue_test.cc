#include "app/serve/job_queue.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/serve/access.h"
#include "app/serve/job_process.h"
#include "app/serve/otlp_spool.h"
#include "app/serve/uploads.h"
#include "core/hang_limit_testing.h"
#include "core/json_text.h"
#include "os/files.h"
#include "os/scratch_folder.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using std::chrono::milliseconds;

/// The operations of these tests are scripts of the shell.
class JobQueueTest : public testing::Test {
 protected:
  JobQueue::Settings SettingsOfTest() {
    return {.folder = scratch_.path() / "jobs",
            .machine_lock = scratch_.path() / "cache" / "lock",
            .store = scratch_.path() / "store",
            .program = [this](const std::string& operation) {
              return std::vector<std::string>{"/bin/sh", "-c", operation, scratch_.path()};
            }};
  }

  static Result<Job> Add(JobQueue& queue, const std::string& script,
                         json request = json::object()) {
    Job job;
    job.operation = script;
    job.request = request;
    job.user = "ada";
    return queue.Add(std::move(job), request);
  }

  /// The job, once `condition` holds.
  static Job WaitFor(JobQueue& queue, const std::string& id,
                     const std::function<bool(const Job&)>& condition) {
    const auto end = std::chrono::steady_clock::now() + core::kHangLimit;
    std::uint64_t seen = 0;
    for (;;) {
      const auto placed = queue.Find(id);
      if (placed && condition(placed->job)) return placed->job;
      if (std::chrono::steady_clock::now() > end) {
        ADD_FAILURE() << "waited too long for job " << id << ": "
                      << (placed ? core::JsonText(ToJson(placed->job, 0)) : "not there");
        return {};
      }
      seen = queue.WaitForChange(seen, milliseconds(1000));
    }
  }
  static Job WaitForEnd(JobQueue& queue, const std::string& id) {
    return WaitFor(queue, id, [](const Job& job) { return job.has_ended(); });
  }

  /// A script that waits until a file of the test's folder is there: $0 is the folder.
  static std::string Until(const std::string& file) {
    return "while [ ! -e \"$0/" + file + "\" ]; do sleep 0.02; done; ";
  }
  void Touch(const std::string& file) const { fs::create_directories(scratch_.path() / file); }

  os::ScratchFolder scratch_ = os::ScratchFolder::Create().value();
};

TEST_F(JobQueueTest, PerformsAJobAndKeepsItsResult) {
  JobQueue queue(SettingsOfTest());
  const auto added = Add(queue, "echo note >&2; cat", {{"experiment", "/store/mine"}});
  ASSERT_TRUE(added.ok());
  const Job job = WaitForEnd(queue, added.value().id);
  EXPECT_EQ(job.state, JobState::kDone);
  EXPECT_EQ(job.exit_status, 0);
  EXPECT_EQ(job.experiment, "mine");
  EXPECT_FALSE(job.started.empty());
  EXPECT_EQ(queue.FolderOf(job.id).ReadLog(), "note\n");
  EXPECT_EQ(queue.FolderOf(job.id).ReadResult().value(), R"({"experiment":"/store/mine"})");
}

TEST_F(JobQueueTest, SaysWhyAJobFailed) {
  JobQueue queue(SettingsOfTest());
  const auto added = Add(
      queue, "echo 'error: first' >&2; echo 'error: no model' >&2; echo 'hint: zoo' >&2; exit 3");
  const Job job = WaitForEnd(queue, added.value().id);
  EXPECT_EQ(job.state, JobState::kFailed);
  EXPECT_EQ(ToJson(job, 0)["error"],
            (json{{"kind", "bad_input"}, {"what", "no model"}, {"hint", "zoo"}}));
}

TEST_F(JobQueueTest, ErrorsNameWhatLiesInTheStoreWithoutItsPath) {
  JobQueue queue(SettingsOfTest());
  const auto added = Add(queue,
                         "echo \"error: damaged: $0/store/mine: no run.json\" >&2; "
                         "echo \"hint: xsp store remove $0/store/mine\" >&2; exit 3");
  EXPECT_EQ(ToJson(WaitForEnd(queue, added.value().id), 0)["error"],
            (json{{"kind", "bad_input"},
                  {"what", "damaged: mine: no run.json"},
                  {"hint", "xsp store remove mine"}}));
}

TEST_F(JobQueueTest, PerformsOneAfterAnother) {
  JobQueue queue(SettingsOfTest());
  const std::string one = "mkdir \"$0/running\" || exit 9; sleep 0.05; rmdir \"$0/running\"";
  std::vector<std::string> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(Add(queue, one).value().id);
  for (const std::string& id : ids) EXPECT_EQ(WaitForEnd(queue, id).exit_status, 0);
}

TEST_F(JobQueueTest, TellsThePlaceInTheQueue) {
  JobQueue queue(SettingsOfTest());
  const std::string first = Add(queue, Until("go")).value().id;
  WaitFor(queue, first, [](const Job& job) { return job.state == JobState::kRunning; });
  const std::string second = Add(queue, "true").value().id;
  const std::string third = Add(queue, "true").value().id;
  EXPECT_EQ(queue.Find(first)->position, 0);
  EXPECT_EQ(queue.Find(second)->position, 1);
  EXPECT_EQ(queue.Find(third)->position, 2);
  EXPECT_TRUE(queue.Cancel(second));
  EXPECT_EQ(queue.Find(second)->job.state, JobState::kCancelled);
  EXPECT_EQ(queue.Find(third)->position, 1);
  Touch("go");
  EXPECT_EQ(WaitForEnd(queue, third).state, JobState::kDone);
  EXPECT_FALSE(queue.Cancel(third));
  EXPECT_FALSE(queue.Cancel("000099"));
}

TEST_F(JobQueueTest, NumbersJobsWhateverTheClockDoes) {
  std::vector<std::string> ids;
  // Each earlier job was created, as its file says, hours after or years before the next.
  for (const char* created :
       {"2099-01-01T00:00:00Z", "1999-01-01T00:00:00Z", "2098-01-01T00:00:00Z"}) {
    JobQueue queue(SettingsOfTest());
    ids.push_back(Add(queue, "true").value().id);
    WaitForEnd(queue, ids.back());
    const fs::path file = scratch_.path() / "jobs" / ids.back() / "job.json";
    json job = core::ParseJson(os::ReadFile(file).value());
    job["created"] = created;
    ASSERT_TRUE(os::WriteFileAtomically(file, core::JsonText(job)).ok());
    fs::last_write_time(file, fs::file_time_type::clock::now() +
                                  std::chrono::hours(created[0] == '2' ? 1000 : -1000));
  }
  JobQueue queue(SettingsOfTest());
  ids.push_back(Add(queue, "true").value().id);
  EXPECT_TRUE(std::ranges::is_sorted(ids));
  std::vector<std::string> listed;
  for (const auto& placed : queue.All()) listed.push_back(placed.job.id);
  std::ranges::reverse(listed);
  EXPECT_EQ(listed, ids);
  EXPECT_EQ(WaitForEnd(queue, ids.back()).state, JobState::kDone);
}

// What has no clock of its own in a test: no step of the system's reaches it.
static_assert(Access::Clock::is_steady && OtlpSpool::Clock::is_steady && Uploads::Clock::is_steady);

TEST_F(JobQueueTest, RefusesMoreThanItsQueueHolds) {
  JobQueue::Settings settings = SettingsOfTest();
  settings.most_queued = 2;
  JobQueue queue(std::move(settings));
  ASSERT_TRUE(Add(queue, Until("go")).ok());
  ASSERT_TRUE(Add(queue, "true").ok());
  const auto refused = Add(queue, "true");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kEnvironment);
  Touch("go");
}

TEST_F(JobQueueTest, InterruptsAJobWhichKeepsWhatItHas) {
  JobQueue queue(SettingsOfTest());
  const std::string id =
      Add(queue, "trap 'echo {}; exit 130' INT; echo begun >&2; " + Until("never")).value().id;
  WaitFor(queue, id, [&](const Job&) { return queue.FolderOf(id).ReadLog() == "begun\n"; });
  EXPECT_TRUE(queue.Cancel(id));
  const Job job = WaitForEnd(queue, id);
  EXPECT_EQ(job.state, JobState::kCancelled);
  EXPECT_EQ(job.exit_status, 130);
  EXPECT_TRUE(queue.FolderOf(id).ReadResult().ok());
}

TEST_F(JobQueueTest, KillsAJobThatDoesNotHeedInterrupts) {
  JobQueue queue(SettingsOfTest());
  const std::string id = Add(queue, "trap '' INT; echo begun >&2; " + Until("never")).value().id;
  WaitFor(queue, id, [&](const Job&) { return queue.FolderOf(id).ReadLog() == "begun\n"; });
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(queue.Cancel(id));
  EXPECT_EQ(WaitForEnd(queue, id).state, JobState::kCancelled);
}

TEST_F(JobQueueTest, MarksAJobWhoseProcessWasKilled) {
  JobQueue queue(SettingsOfTest());
  const std::string id = Add(queue, "echo begun >&2; " + Until("never")).value().id;
  WaitFor(queue, id, [&](const Job&) { return queue.FolderOf(id).ReadLog() == "begun\n"; });
  SignalJob(*queue.FolderOf(id).RunningProcess(), SIGKILL);
  const Job job = WaitForEnd(queue, id);
  EXPECT_EQ(job.state, JobState::kInterrupted);
  EXPECT_EQ(ToJson(job, 0)["error"]["kind"], "interrupted");
}

TEST_F(JobQueueTest, ReadsProgressWhileSomebodyWaits) {
  JobQueue queue(SettingsOfTest());
  const std::string line = R"({"progress":{"step":"measuring","fraction":0.5,"remaining_s":3}})";
  const std::string id = Add(queue, "echo '" + line + "' >&2; " + Until("go")).value().id;
  const Job job = WaitFor(queue, id, [](const Job& waited) { return waited.progress.has_value(); });
  EXPECT_EQ(job.progress->step, "measuring");
  EXPECT_EQ(job.progress->remaining_s, 3);
  Touch("go");
  EXPECT_FALSE(WaitForEnd(queue, id).progress.has_value());
}

/// The files of a server that was killed: its job goes on, and others wait.
class JobQueueAfterACrash : public JobQueueTest {
 protected:
  /// Writes a job as a server leaves it in `state`.
  void Leave(const std::string& id, const std::string& script, JobState state) const {
    Job job;
    job.id = id;
    job.operation = script;
    job.request = json::object();
    job.state = state;
    job.created = "2026-01-31T12:00:59Z";
    ASSERT_TRUE(FolderOf(id).Create(job, json::object()).ok());
  }
  JobFolder FolderOf(const std::string& id) const {
    return JobFolder(scratch_.path() / "jobs" / id);
  }
};

TEST_F(JobQueueAfterACrash, WaitsForTheJobThatStillRuns) {
  const std::string script = "echo begun >&2; " + Until("go") + "echo '{\"run\": \"/s/kept\"}'";
  Leave("000001", script, JobState::kRunning);
  const JobQueue::Settings settings = SettingsOfTest();
  const auto process =
      StartJob(FolderOf("000001"), settings.program(script), settings.machine_lock);
  ASSERT_TRUE(process.ok());
  while (FolderOf("000001").ReadLog() != "begun\n") usleep(1000);
  Leave("000002", "true", JobState::kQueued);
  JobQueue queue(settings);
  EXPECT_EQ(queue.Find("000001")->job.state, JobState::kRunning);
  EXPECT_EQ(queue.Find("000002")->job.state, JobState::kQueued);
  Touch("go");
  EXPECT_EQ(WaitForEnd(queue, "000001").experiment, "kept");
  EXPECT_EQ(queue.Find("000001")->job.state, JobState::kDone);
  EXPECT_EQ(WaitForEnd(queue, "000002").state, JobState::kDone);
  EXPECT_EQ(Add(queue, "true").value().id, "000003");
}

TEST_F(JobQueueAfterACrash, TakesOverTheStatusOfAJobThatHasEnded) {
  Leave("000001", "exit 4", JobState::kRunning);
  const JobQueue::Settings settings = SettingsOfTest();
  const auto process =
      StartJob(FolderOf("000001"), settings.program("exit 4"), settings.machine_lock);
  ASSERT_TRUE(process.ok());
  const auto end = ProcessEnd::Of(process.value());
  while (end.ok() && !end.value().Wait(-1, 1000)) {
  }
  JobQueue queue(settings);
  EXPECT_EQ(WaitForEnd(queue, "000001").state, JobState::kFailed);
  EXPECT_EQ(queue.Find("000001")->job.exit_status, 4);
}

TEST_F(JobQueueAfterACrash, MarksAJobThatWasKilledWithTheServer) {
  Leave("000001", "true", JobState::kRunning);
  JobQueue queue(SettingsOfTest());
  EXPECT_EQ(WaitForEnd(queue, "000001").state, JobState::kInterrupted);
}

TEST_F(JobQueueAfterACrash, LeavesOutWhatItCannotRead) {
  fs::create_directories(scratch_.path() / "jobs" / "000005");
  JobQueue queue(SettingsOfTest());
  EXPECT_TRUE(queue.All().empty());
  EXPECT_EQ(Add(queue, "true").value().id, "000006");
}

TEST_F(JobQueueTest, StopsItsJobWhenItStops) {
  std::string id;
  {
    JobQueue queue(SettingsOfTest());
    id = Add(queue, "trap 'exit 130' INT; echo begun >&2; " + Until("never")).value().id;
    ASSERT_TRUE(Add(queue, "true").ok());
    WaitFor(queue, id, [&](const Job&) { return queue.FolderOf(id).ReadLog() == "begun\n"; });
  }
  const auto loaded = JobFolder(scratch_.path() / "jobs" / id).Load();
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded.value().state, JobState::kCancelled);
  JobQueue next(SettingsOfTest());
  EXPECT_EQ(WaitForEnd(next, "000002").state, JobState::kDone);
}

TEST_F(JobQueueTest, ForgetsTheOldestOfManyEndedJobs) {
  JobQueue::Settings settings = SettingsOfTest();
  settings.most_ended = 2;
  JobQueue queue(std::move(settings));
  std::string last;
  for (int i = 0; i < 4; ++i) last = Add(queue, "true").value().id;
  WaitForEnd(queue, last);
  // The queue's thread forgets after the last job has ended; the next job shows that it has.
  WaitForEnd(queue, Add(queue, "true").value().id);
  EXPECT_FALSE(queue.Find("000001").has_value());
  EXPECT_FALSE(fs::exists(scratch_.path() / "jobs" / "000001"));
  EXPECT_TRUE(queue.Find(last).has_value());
}

}  // namespace
}  // namespace xsp::serve
