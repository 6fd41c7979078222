#include "app/serve/job.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace xsp::serve {
namespace {

using nlohmann::json;

Job SomeJob() {
  Job job;
  job.id = "000007";
  job.operation = "run";
  job.request = {{"model", "resnet"}};
  job.command = "xsp run resnet";
  job.user = "anna";
  job.created = "2026-01-01T00:00:00.000Z";
  return job;
}

TEST(Job, ThatIsQueuedHasAPosition) {
  const json expected = {{"id", "000007"},
                         {"operation", "run"},
                         {"request", {{"model", "resnet"}}},
                         {"command", "xsp run resnet"},
                         {"user", "anna"},
                         {"state", "queued"},
                         {"created", "2026-01-01T00:00:00.000Z"},
                         {"started", nullptr},
                         {"ended", nullptr},
                         {"position", 2},
                         {"progress", nullptr},
                         {"exit_status", nullptr},
                         {"error", nullptr},
                         {"experiment", nullptr}};
  EXPECT_EQ(ToJson(SomeJob(), 2), expected);
  EXPECT_EQ(ToJson(SomeJob(), 0)["position"], nullptr);
}

TEST(Job, ThatRunsHasProgress) {
  Job job = SomeJob();
  job.state = JobState::kRunning;
  job.progress = JobProgress{.step = "measuring", .fraction = 0.5};
  EXPECT_EQ(ToJson(job, 0)["progress"],
            (json{{"step", "measuring"}, {"fraction", 0.5}, {"remaining_s", nullptr}}));
  job.progress->remaining_s = 0;
  EXPECT_EQ(ToJson(job, 0)["progress"]["remaining_s"], 0.0);
}

TEST(Job, ThatFailedHasItsError) {
  Job job = SomeJob();
  job.state = JobState::kFailed;
  job.error_what = "what";
  job.error_hint = "hint";
  const std::pair<int, std::string_view> kinds[] = {
      {1, "internal"},     {2, "usage"},         {3, "bad_input"},
      {4, "not_possible"}, {5, "environment"},   {6, "gate"},
      {7, "inconclusive"}, {130, "interrupted"}, {99, "internal"}};
  for (const auto& [status, kind] : kinds) {
    job.exit_status = status;
    EXPECT_EQ(ToJson(job, 0)["error"], (json{{"kind", kind}, {"what", "what"}, {"hint", "hint"}}));
    EXPECT_EQ(ToJson(job, 0)["exit_status"], status);
  }
  job.exit_status.reset();
  EXPECT_EQ(ToJson(job, 0)["error"]["kind"], "internal");
}

TEST(Job, ThatWasInterruptedSaysSo) {
  Job job = SomeJob();
  job.state = JobState::kInterrupted;
  EXPECT_EQ(ToJson(job, 0)["error"]["kind"], "interrupted");
  EXPECT_NE(ToJson(job, 0)["error"]["what"], "");
}

TEST(Job, WithoutFailureHasNoError) {
  Job job = SomeJob();
  job.error_what = "what";
  for (const JobState state :
       {JobState::kQueued, JobState::kRunning, JobState::kDone, JobState::kCancelled}) {
    job.state = state;
    EXPECT_EQ(ToJson(job, 0)["error"], nullptr) << NameOf(state);
  }
}

TEST(Job, StatesHaveNamesAndAnEnd) {
  std::set<std::string_view> names;
  for (const JobState state : {JobState::kQueued, JobState::kRunning, JobState::kDone,
                               JobState::kFailed, JobState::kCancelled, JobState::kInterrupted}) {
    names.insert(NameOf(state));
    Job job = SomeJob();
    job.state = state;
    EXPECT_EQ(job.has_ended(), state != JobState::kQueued && state != JobState::kRunning);
  }
  EXPECT_EQ(names.size(), 6U);
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace xsp::serve
