#include <gmock/gmock.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "answer/suite/jobs/kinds.h"
#include "answer/suite/suite_command_testing.h"
#include "store/thread_sanitizer_testing.h"

namespace xsp::suite::jobs {

namespace fs = std::filesystem;

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> Names(const std::vector<Kind>& kinds) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

Request TwoJobs() {
  return {{{"a", {"true"}, {"torchrun", "a"}, 1}, {"b", {"true"}, {}, 1}}, 3, {{"a", "b"}}};
}

Round RoundOf(std::size_t kind, std::vector<std::pair<std::string, double>> ended) {
  Round round;
  round.kind = kind;
  for (const auto& [job, seconds] : ended)
    round.ended.push_back({job, seconds, seconds / 2, "exit status 0", true, ""});
  return round;
}

TEST(KindsTest, EveryJobAloneThenCopiedThenSpreadThenAllMixed) {
  const auto kinds = KindsOf(TwoJobs());
  ASSERT_TRUE(kinds.ok()) << kinds.error().what;
  EXPECT_THAT(Names(kinds.value()), ElementsAre("single a", "single b", "3 x a", "distributed a",
                                                "3 x b", "mixed a + b"));
  EXPECT_EQ(kinds.value().at(2).launches.size(), 3U);
  EXPECT_THAT(kinds.value().at(3).launches.at(0).argv, ElementsAre("torchrun", "a"));
}

TEST(KindsTest, RequestsThatAreNoneAreRefused) {
  Request request = TwoJobs();
  request.jobs[1].name = "a";
  EXPECT_THAT(KindsOf(request).error().what, HasSubstr("same name: a"));
  request = TwoJobs();
  request.copies = 0;
  EXPECT_THAT(KindsOf(request).error().what, HasSubstr("not a number of copies"));
  request = TwoJobs();
  request.mixed.push_back({"a", "c"});
  EXPECT_THAT(KindsOf(request).error().hint, HasSubstr("a, b"));
  request = TwoJobs();
  request.mixed.push_back({"a", "a"});
  EXPECT_THAT(KindsOf(request).error().what, HasSubstr("a job twice: a"));
  request = TwoJobs();
  request.jobs[0].distributed_width = -1;
  EXPECT_THAT(KindsOf(request).error().what, HasSubstr("not a number of devices"));
  request = TwoJobs();
  request.jobs[0].distributed_work = 0;
  EXPECT_THAT(KindsOf(request).error().what, HasSubstr("not positive"));
  EXPECT_THAT(KindsOf(Request()).error().what, HasSubstr("no job"));
}

TEST(KindsTest, EveryTwoJobsCanRunAtOnce) {
  Request request = TwoJobs();
  request.jobs.push_back({"c", {"true"}, {}});
  request.copies = 1;
  request.jobs[0].distributed_width = 2;
  request.mixed = PairsOf(request.jobs);
  const auto kinds = KindsOf(request);
  ASSERT_TRUE(kinds.ok()) << kinds.error().what;
  EXPECT_THAT(Names(kinds.value()), ElementsAre("single a", "single b", "single c", "distributed a",
                                                "mixed a + b", "mixed a + c", "mixed b + c"));
  EXPECT_EQ(kinds.value().at(3).width, 2);
  EXPECT_EQ(kinds.value().at(4).width, 1);
}

TEST(KindsTest, ThroughputCountsWorkBySecondsOfSingleRuns) {
  const auto kinds = KindsOf(TwoJobs());
  ASSERT_TRUE(kinds.ok());
  // By hand: a alone 2 s (median of 2, 1.9, 2.2), b alone 4 s. Three of a end after 3 s: 6 / 3 = 2.
  // Spread, a ends after 1 s: 2. Mixed: (2 + 4) / 5 = 1.2; slow-down (3 / 2 + 5 / 4) / 2 = 1.375.
  std::vector<Round> rounds = {RoundOf(0, {{"a", 2}}),
                               RoundOf(0, {{"a", 1.9}}),
                               RoundOf(0, {{"a", 2.2}}),
                               RoundOf(1, {{"b", 4}}),
                               RoundOf(2, {{"a", 3}, {"a", 2.5}, {"a", 2}}),
                               RoundOf(3, {{"a", 1}}),
                               RoundOf(4, {{"b", 4}, {"b", 4}, {"b", 4}}),
                               RoundOf(5, {{"a", 3}, {"b", 5}})};
  rounds.back().usage = {{"cpu_pct", 80}};
  const Answer answer = Summarise(kinds.value(), rounds, 10);
  const auto& rows = answer.tables.at(0).rows.rows;
  const auto number = [&](std::size_t row, std::size_t column) {
    return std::get<double>(rows.at(row).at(column));
  };
  EXPECT_DOUBLE_EQ(number(0, 3), 2);
  EXPECT_DOUBLE_EQ(number(0, 4), 1.9);
  EXPECT_DOUBLE_EQ(number(2, 6), 2);
  EXPECT_DOUBLE_EQ(number(3, 6), 2);
  EXPECT_DOUBLE_EQ(number(4, 6), 3);
  EXPECT_DOUBLE_EQ(number(5, 6), 1.2);
  EXPECT_DOUBLE_EQ(number(5, 7), 1.375);
  EXPECT_EQ(rows.at(5).at(10), store::Cell(80.0));
  EXPECT_EQ(rows.at(0).at(10), store::Cell());
  EXPECT_THAT(answer.sentences,
              Contains(HasSubstr("mixed a + b (2 programs at once) ends after 5 s: 1.2 times")));
  // What other programs use is in it: no kind of job is said to have used it.
  EXPECT_THAT(answer.sentences,
              Contains("The CPUs of the machine, by all its programs, were used to 80 % during "
                       "mixed a + b."));
  EXPECT_THAT(answer.method, Contains(HasSubstr("Not visible on this machine: gpu_pct_sum")));
  EXPECT_THAT(answer.sentences, Each(Not(HasSubstr("Too short"))));
}

TEST(KindsTest, JobsThatEndAtOnceAreNamedWithTheirTimes) {
  const auto kinds = KindsOf({{{"a", {"true"}, {}, 1}, {"b", {"true"}, {}, 1}}, 2, {{"a", "b"}}});
  ASSERT_TRUE(kinds.ok());
  // By hand: a alone takes 0.13 s (median), which is 1 sample at 10 Hz; b takes 1 s, which is
  // enough.
  const std::vector<Round> rounds = {
      RoundOf(0, {{"a", 0.2}}),           RoundOf(0, {{"a", 0.13}}),
      RoundOf(0, {{"a", 0.1}}),           RoundOf(1, {{"b", 1}}),
      RoundOf(2, {{"a", 0.2}, {"a", 1}}), RoundOf(3, {{"b", 1}, {"b", 1}}),
      RoundOf(4, {{"a", 1}, {"b", 1}})};
  EXPECT_THAT(Summarise(kinds.value(), rounds, 10).sentences,
              Contains(HasSubstr("Too short to compare: a (0.13 s, 1 sample of the machine).")));
}

TEST(KindsTest, FileOfJobsIsReadAndItsErrorsSayWhere) {
  const auto file = TextFile("jobs.yaml",
                             "jobs:\n  - {name: a, command: [sleep, '1'], distributed: mpirun a, "
                             "distributed_work: 2}\n  - {name: b, command: sort big}\ncopies: 4\n");
  const auto request = ReadRequest(file);
  ASSERT_TRUE(request.ok()) << request.error().what;
  EXPECT_THAT(request.value().jobs.at(0).command, ElementsAre("sleep", "1"));
  EXPECT_THAT(request.value().jobs.at(0).distributed, ElementsAre("sh", "-c", "mpirun a"));
  EXPECT_EQ(request.value().jobs.at(0).distributed_work, 2);
  EXPECT_EQ(request.value().copies, 4);
  EXPECT_THAT(request.value().mixed, ElementsAre(ElementsAre("a", "b")));
  const auto broken = ReadRequest(TextFile("broken.yaml", "jobs:\n  - {command: x}\n"));
  ASSERT_FALSE(broken.ok());
  EXPECT_THAT(broken.error().what, HasSubstr("line"));
}

TEST(KindsTest, FileOfJobsSaysWhichRunAtOnce) {
  const auto mixed = [](const std::string& says) {
    const auto request = ReadRequest(
        TextFile("jobs.yaml",
                 "jobs:\n  - {name: a, command: x, distributed: y, distributed_width: 2}"
                 "\n  - {name: b, command: x}\n  - {name: c, command: x}\nmixed: " +
                     says + "\n"));
    EXPECT_TRUE(request.ok()) << request.error().what;
    EXPECT_EQ(request.value().jobs.at(0).distributed_width, 2);
    return request.value().mixed;
  };
  EXPECT_THAT(mixed("pairs"),
              ElementsAre(ElementsAre("a", "b"), ElementsAre("a", "c"), ElementsAre("b", "c")));
  EXPECT_THAT(mixed("[a, c]"), ElementsAre(ElementsAre("a", "c")));
  EXPECT_THAT(mixed("[[a, c], [a, b, c]]"),
              ElementsAre(ElementsAre("a", "c"), ElementsAre("a", "b", "c")));
  EXPECT_THAT(ReadRequest(TextFile("jobs.yaml", "jobs: [{name: a, command: x}]\nmixed: some\n"))
                  .error()
                  .what,
              HasSubstr("jobs.yaml"));
}

TEST(KindsTest, WhatIsNoFileOfJobsSaysHowToAsk) {
  const auto none = ReadRequest("no-such-jobs.yaml");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(none.error().what, HasSubstr("no such file: no-such-jobs.yaml"));
  EXPECT_THAT(none.error().hint, HasSubstr("xsp suite jobs -- no-such-jobs.yaml"));
  for (const char* text : {"", "just words\n", "jobs: 5\n", "jobs: []\n", "[a, b]\n"})
    EXPECT_THAT(ReadRequest(TextFile("none.yaml", text)).error().what,
                HasSubstr("it has no list of jobs"))
        << text;
  const auto unknown = ReadRequest(
      TextFile("unknown.yaml", "repeats: 3\njobs:\n  - {name: a, command: [sleep, '1']}\n"));
  ASSERT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.error().what, HasSubstr("line 1: unknown key: repeats"));
  EXPECT_THAT(unknown.error().hint, HasSubstr("jobs, copies, mixed"));
}

TEST(LaunchTest, ProgramsRunAtOnceEachWithItsPlace) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("xsp-meeting-" + std::to_string(getpid()));
  fs::create_directories(folder);
  // Each waits for the other, half a minute at most: one after another they would fail.
  const std::string meet =
      "cd " + folder.string() +
      " && touch $XSP_JOB_INDEX && for i in $(seq 3000); do [ -e 0 ] && [ -e 1 ] && break; "
      "sleep 0.01; done; [ -e 0 ] && [ -e 1 ] && echo $XSP_JOB_INDEX of $XSP_JOB_COUNT >&2";
  const std::vector<std::string> command = {"sh", "-c", meet};
  const os::Interrupts nobody;
  const auto ended =
      StartTogether({{"a", command}, {"b", command}, {"c", {"no-such-program-here"}}}, nobody);
  fs::remove_all(folder);
  ASSERT_EQ(ended.size(), 3U);
  EXPECT_TRUE(ended[0].success && ended[1].success);
  EXPECT_THAT(ended[1].stderr_tail, HasSubstr("1 of 3"));
  EXPECT_GT(ended[0].seconds, 0);
  EXPECT_FALSE(ended[2].success);
  EXPECT_THAT(ended[2].exit, HasSubstr("no-such-program-here"));
}

TEST(LaunchTest, RequestToStopKillsThem) {
  os::Interrupts asked;
  asked.Request();
  const auto ended = StartTogether({{"a", {"sleep", "1000"}}, {"b", {"sleep", "1000"}}}, asked);
  ASSERT_EQ(ended.size(), 2U);
  for (const Ended& one : ended) {
    EXPECT_FALSE(one.success);
    EXPECT_THAT(one.exit, HasSubstr("signal 9"));
  }
}

TEST(JobsTest, AskedForNothingItSaysHowToAsk) {
  const auto answer = RunCommand(kSpec, {});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(answer.error().hint, HasSubstr("xsp suite jobs"));
}

TEST(JobsTest, OptionsThatAFileOfJobsWouldNotHearAreRefused) {
  const auto file = TextFile("jobs.yaml", "jobs:\n  - {name: a, command: [sleep, '1']}\n");
  const std::pair<const char*, nlohmann::json> given[] = {{"copies", 3},   {"distributed", "3"},
                                                          {"work", 3},     {"width", 3},
                                                          {"with", {"3"}}, {"pairs", true}};
  for (const auto& [option, value] : given) {
    const auto answer = RunCommand(kSpec, {{"file", file}, {option, value}});
    ASSERT_FALSE(answer.ok()) << option;
    EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(answer.error().what,
                HasSubstr("--" + std::string(option) + " cannot be combined with a file"));
    EXPECT_THAT(answer.error().hint, HasSubstr("docs/suite/jobs.md"));
  }
}

/// With a monitor that samples nothing, and stores under another name than the one asked for, as
/// where that is taken.
class MonitoredJobsTest : public ::testing::Test {
 protected:
  MonitoredJobsTest() {
    context_.perform = [this](std::string_view operation, const nlohmann::json& request,
                              const std::filesystem::path&, core::Progress& progress,
                              os::Interrupts& interrupts) -> Result<Performed> {
      if (operation == "tag") {
        tagged_.push_back(request);
        if (tag_fails_) return Error{ErrorKind::kEnvironment, "no room", ""};
        return Performed{};
      }
      EXPECT_EQ(operation, "monitor");
      asked_.push_back(request.at("name").get<std::string>());
      if (monitor_fails_) return Error{ErrorKind::kEnvironment, "no luck", ""};
      progress.Step("sampling the machine", -1, -1);
      pollfd ended = {interrupts.wake_fd(), POLLIN, 0};
      while (!interrupts.stop()) poll(&ended, 1, -1);
      return Performed{
          {{"run", "/store/" + asked_.back() + "-2"}, {"summary", nlohmann::json::array()}}};
    };
  }

  /// Of a program that is this script for the shell.
  Result<Answer> Ask(const std::string& script, nlohmann::json request = {}) {
    request["program"] = {"sh", "-c", script, "train"};
    return RunCommand(kSpec, request, context_);
  }

  TestContext context_{::testing::TempDir()};
  bool monitor_fails_ = false, tag_fails_ = false;
  std::vector<std::string> asked_;      ///< The names that experiments were asked for by.
  std::vector<nlohmann::json> tagged_;  ///< What was asked of `xsp tag`.
};

/// Fails where several run at once.
constexpr const char* kFailsInCopies =
    "[ $XSP_JOB_COUNT = 1 ] || { echo 'error: no memory' >&2; exit 3; }";

TEST_F(MonitoredJobsTest, ExperimentsAreNamedAsTheyAreStored) {
  const auto answer = Ask("true", {{"rounds", 1}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& rows = answer.value().tables.at(2).rows.rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(answer.value().incomplete, std::nullopt);
  EXPECT_EQ(asked_.front(), "jobs-sh-single_sh-1");
  EXPECT_EQ(rows.at(0).at(5), store::Cell(std::string("jobs-sh-single_sh-1-2")));
}

TEST_F(MonitoredJobsTest, ExperimentsSayWhatRanForSchedules) {
  const auto answer =
      Ask("true", {{"rounds", 1}, {"with", {"true"}}, {"name", "mine"}, {"copies", 1}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  ASSERT_EQ(tagged_.size(), 3U);
  EXPECT_EQ(tagged_.at(2)["name"], "mine-mixed_sh___job2-1-2");
  EXPECT_THAT(tagged_.at(2)["tags"],
              ElementsAre("jobs.kind=mixed", HasSubstr("jobs.seconds=[[\"sh\","), "jobs.set=mine",
                          "jobs.width=1"));
}

TEST_F(MonitoredJobsTest, ExperimentWithoutTagsIsSaid) {
  tag_fails_ = true;
  const auto answer = Ask("true", {{"rounds", 1}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().incomplete, ErrorKind::kEnvironment);
  EXPECT_THAT(answer.value().sentences.at(0),
              "jobs-sh-single_sh-1-2 has no tags, so that schedules do not find it: no room.");
}

TEST_F(MonitoredJobsTest, KindThatFailsIsSaidAndTheOthersAreKept) {
  const auto answer = Ask(kFailsInCopies, {{"rounds", 2}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences.at(0),
              HasSubstr("In round 1 of 2 sh of 2 x sh failed: exit status 3; it was not run "
                        "again; error excerpt: no memory"));
  const auto& kinds = answer.value().tables.at(0).rows.rows;
  ASSERT_EQ(kinds.size(), 1U);
  EXPECT_EQ(kinds.at(0).at(0), store::Cell(std::string("single sh")));
  EXPECT_EQ(asked_.size(), 3U);  // Twice alone, once in copies.
  EXPECT_EQ(answer.value().incomplete, ErrorKind::kBadInput);
  EXPECT_THAT(answer.value().method.at(0), HasSubstr("except failed ones"));
}

TEST_F(MonitoredJobsTest, WithoutASingleRunAJobIsLeftOut) {
  const auto answer = Ask("exit 3", {{"rounds", 2}, {"with", {"sleep 0.05"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences.at(1), HasSubstr("not run: 2 x sh, mixed sh + job2"));
  const auto& kinds = answer.value().tables.at(0).rows.rows;
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds.at(1).at(0), store::Cell(std::string("2 x job2")));
}

TEST_F(MonitoredJobsTest, NothingMeasuredIsTheFirstError) {
  const auto answer = Ask("exit 3", {{"rounds", 2}});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(answer.error().what, "sh of single sh failed: exit status 3");
  EXPECT_EQ(asked_.size(), 1U);
}

TEST_F(MonitoredJobsTest, NothingIsRunWhereTheMonitorDoesNotStart) {
  monitor_fails_ = true;
  const auto ran = TextFile("ran", "");
  std::filesystem::remove(ran);
  const auto answer = Ask("touch " + ran);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().what, "the system monitor during single sh failed: no luck");
  EXPECT_FALSE(std::filesystem::exists(ran));
}

TEST_F(MonitoredJobsTest, InterruptedItAnswersWithWhatItHas) {
  // In copies it waits to be killed.
  const auto begun = TextFile("begun", "");
  std::filesystem::remove(begun);
  std::jthread user([this, &begun](const std::stop_token& over) {
    while (!over.stop_requested() && !std::filesystem::exists(begun)) std::this_thread::yield();
    context_.Interrupt();
  });
  const auto answer = Ask("[ $XSP_JOB_COUNT = 1 ] || { touch " + begun + "; sleep 1000; }");
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().incomplete, ErrorKind::kInterrupted);
  EXPECT_THAT(answer.value().sentences.at(0), HasSubstr("in round 1 of 3, during 2 x sh"));
  EXPECT_EQ(answer.value().tables.at(0).rows.rows.size(), 1U);
}

}  // namespace
}  // namespace xsp::suite::jobs
