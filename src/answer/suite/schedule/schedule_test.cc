#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "answer/suite/job_runs_testing.h"
#include "answer/suite/suite_command_testing.h"
#include "core/json_text.h"
#include "os/files.h"
#include "source_dir.h"
#include "store/experiment_writer.h"
#include "store/rows/point_row.h"
#include "store/store_testing.h"
#include "store/thread_sanitizer_testing.h"

namespace xsp::suite::schedule {

extern const SuiteSpec kSpec;

namespace {

using store::Cell;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;

double Makespan(const Answer& answer, std::size_t row) {
  return std::get<double>(answer.tables.at(1).rows.rows.at(row).at(1));
}

const std::string kPublished =
    std::string(XSP_SOURCE_DIR) + "/../shared/data/mlperf-v0.5/table5_scaling.csv";

class PublishedTest : public ::testing::TestWithParam<const char*> {};

TEST_P(PublishedTest, SixJobsTakeWhatTheStudySays) {
  const std::string source = GetParam() == std::string("printed") ? kPublished : GetParam();
  if (source == kPublished && !std::filesystem::exists(source))
    GTEST_SKIP() << "reference data beside the checkout is absent: " << source;
  const struct {
    int devices;
    double serial, optimum;
  } cases[] = {{2, 2629.0, 2357.4}, {4, 1490.7, 1300.2}, {8, 777.6, 735.3}};
  for (const auto& each : cases) {
    SCOPED_TRACE(each.devices);
    const auto answer = RunCommand(kSpec, {{"source", source}, {"devices", each.devices}});
    ASSERT_TRUE(answer.ok()) << answer.error().what;
    EXPECT_NEAR(Makespan(answer.value(), 0), each.optimum, 0.05);
    EXPECT_NEAR(Makespan(answer.value(), 1), each.serial, 0.05);
    EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("which is proven")));
  }
}

TEST_P(PublishedTest, FixedWidthsGiveThePlanThatThePaperDescribes) {
  const std::string source = GetParam() == std::string("printed") ? kPublished : GetParam();
  if (source == kPublished && !std::filesystem::exists(source))
    GTEST_SKIP() << "reference data beside the checkout is absent: " << source;
  const auto answer = RunCommand(
      kSpec, {{"source", source},
              {"devices", 4},
              {"fix", {"XFMR_Py=4", "SSD_Py=4", "MRCNN_Py=2", "Res50_TF=1", "Res50_MX=1"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_NEAR(Makespan(answer.value(), 0), 1318.9, 0.05);
}

INSTANTIATE_TEST_SUITE_P(Tables, PublishedTest, ::testing::Values("mlperf-v0.5", "printed"),
                         [](const auto& name) {
                           return std::string(name.param).substr(0, 2) == "ml" ? "Shipped"
                                                                               : "Printed";
                         });

std::string Refused(const std::string& text, nlohmann::json request = {}) {
  request["source"] = TextFile("jobs.csv", text);
  request["devices"] = 4;
  const auto answer = RunCommand(kSpec, request);
  if (answer.ok()) return "";
  EXPECT_NE(answer.error().kind, ErrorKind::kInternal);
  return answer.error().what;
}

TEST(ScheduleTest, WhatCannotBeScheduledIsRefused) {
  EXPECT_THAT(Refused("job,gpus,minutes\na,8,3\n"), HasSubstr("job a fits on no width"));
  EXPECT_THAT(Refused("job,gpus,minutes\na,1,-3\n"), HasSubstr("not a positive number"));
  EXPECT_THAT(Refused("job,gpus,minutes\na,1,3\na,1,4\n"), HasSubstr("two values"));
  EXPECT_THAT(Refused("job,gpus,minutes\na,1,3\n", {{"fix", {"b=1"}}}), HasSubstr("no such job"));
  EXPECT_THAT(Refused("job,gpus,minutes\na,1,3\n", {{"fix", {"a=2"}}}), HasSubstr("fixed to 2"));
  EXPECT_THAT(Refused("job,gpus,minutes\na,1,3\n", {{"export", {"x.doc"}}}),
              HasSubstr("no such form"));
  EXPECT_THAT(Refused("job,gpus,minutes,memory_gb\na,1,3,40\n", {{"device_memory", 16}}),
              HasSubstr("device memory than available: 40 > 16"));
}

TEST(ScheduleTest, RefusedJobIsToldItsOwnReason) {
  // What is too large of a says nothing of b, whose width does not exist.
  const std::string jobs = "job,gpus,minutes,memory_gb\na,1,3,50\na,2,2,9\nb,8,4,5\n";
  EXPECT_THAT(Refused(jobs, {{"device_memory", 10}}),
              EndsWith("job b fits on no width: its narrowest is 8, of 4 devices"));
  EXPECT_THAT(Refused(jobs, {{"device_memory", 10}, {"fix", {"a=1"}}}),
              EndsWith("it is fixed to 1, which needs more device memory than available: 50 > 10"));
  EXPECT_THAT(Refused(jobs, {{"fix", {"b=8"}}}), EndsWith("it is fixed to 8, of 4 devices"));
  EXPECT_THAT(Refused(jobs, {{"fix", {"a=4"}}}),
              EndsWith("it is fixed to 4, for which it has no time"));
}

TEST(ScheduleTest, MemoryThatNothingStatesIsSaid) {
  const auto none = TextFile("none.csv", "job,gpus,minutes\na,1,4\na,2,3\n");
  const auto answer = RunCommand(kSpec, {{"source", none}, {"devices", 2}, {"device_memory", 10}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("--device-memory 10 has no effect")));
  const auto some = TextFile("some.csv", "job,gpus,minutes,memory_gb\na,1,4,5\na,2,3,\n");
  const auto partly = RunCommand(kSpec, {{"source", some}, {"devices", 2}, {"device_memory", 10}});
  ASSERT_TRUE(partly.ok()) << partly.error().what;
  EXPECT_THAT(partly.value().method, Contains(HasSubstr("For 1 of 2 widths")));
  const auto unasked = RunCommand(kSpec, {{"source", none}, {"devices", 2}});
  ASSERT_TRUE(unasked.ok()) << unasked.error().what;
  EXPECT_THAT(unasked.value().method, ::testing::Each(::testing::Not(HasSubstr("memory"))));
}

TEST(ScheduleTest, OneJobOnOneDeviceIsSaidAsOne) {
  const auto file = TextFile("jobs.csv", "job,gpus,minutes\na,1,4\na,2,3\n");
  const auto answer = RunCommand(kSpec, {{"source", file}, {"devices", 1}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().title, "The shortest plan for 1 device");
  EXPECT_EQ(answer.value().sentences.at(0),
            "1 job on 1 device takes 4.0 min at best, which is proven.");
  EXPECT_THAT(answer.value().method, Contains("1 width is wider than 1 device and is excluded."));
}

TEST(ScheduleTest, PlanThatIsNotProvenIsNotCalledTheShortest) {
  // A gap so wide that the first plan is enough, which no bound reaches.
  std::string table = "job,gpus,minutes\n";
  for (int job = 0; job < 40; ++job)
    for (int width = 1; width <= 8; ++width)
      table += fmt::format("j{},{},{}\n", job, width, (50.0 + 7 * (job % 11)) / (width + 1.5));
  const auto file = TextFile("jobs.csv", table);
  const auto answer =
      RunCommand(kSpec, {{"source", file}, {"devices", 8}, {"gap", 900}, {"threads", 1}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().title, "A plan for 8 devices");
}

TEST(ScheduleTest, ReleasesWithoutAUnitAreRefusedBeforeTheSearch) {
  const std::string jobs = "job,gpus,time,release\na,1,4,0\nb,1,1,10\n";
  EXPECT_THAT(Refused(jobs, {{"export", {"plan.sh"}}}), HasSubstr("unit of time is not known"));
  const std::string base = TextFile("plan", "");
  EXPECT_EQ(Refused(jobs, {{"export", {base + ".csv"}}}), "");
  EXPECT_EQ(Refused(jobs, {{"export", {base + ".sh"}}, {"unit", "min"}}), "");
  const auto script = os::ReadFile(base + ".sh", 1 << 16);
  ASSERT_TRUE(script.ok());
  EXPECT_THAT(script.value(), HasSubstr("--begin=now+600"));
}

TEST(ScheduleTest, MemoryForcesAWiderJob) {
  const auto file = TextFile("jobs.csv", "job,gpus,minutes,memory_gb\na,1,4,30\na,2,3,15\n");
  const auto answer = RunCommand(kSpec, {{"source", file}, {"devices", 2}, {"device_memory", 16}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Makespan(answer.value(), 0), 3);
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("more than 16 of device memory")));
}

TEST(ScheduleTest, JobsWaitForTheirRelease) {
  const auto file = TextFile("jobs.csv", "job,gpus,minutes,release\na,1,4,0\nb,1,1,10\n");
  const auto answer = RunCommand(kSpec, {{"source", file}, {"devices", 1}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Makespan(answer.value(), 0), 11);
}

TEST(ScheduleTest, GanttHasARowForEachDeviceOfAJobAndAValidPicture) {
  const auto answer = RunCommand(kSpec, {{"source", "mlperf-v0.5"}, {"devices", 2}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  std::int64_t devices = 0;
  for (const auto& row : answer.value().tables.at(0).rows.rows)
    devices += std::get<std::int64_t>(row.at(1));
  EXPECT_EQ(static_cast<std::int64_t>(answer.value().tables.at(3).rows.rows.size()), devices);
  const auto spec = core::ParseJson(answer.value().charts.at(0).spec);
  ASSERT_TRUE(spec.is_object());
  EXPECT_EQ(spec["encoding"]["x"]["title"], "time (min)");
  // A job is named on one of its devices, as far as its bar has room.
  std::map<std::string, int> labels;
  for (const auto& row : answer.value().tables.at(3).rows.rows)
    ++labels[std::get<std::string>(row.at(4))];
  EXPECT_EQ(labels["MRCNN_Py"], 1);
  EXPECT_THAT(spec["layer"][1]["mark"]["limit"]["expr"].get<std::string>(), HasSubstr("datum.end"));
}

TEST(ScheduleTest, PlanIsExportedInEveryForm) {
  const std::string base = TextFile("plan", "");
  const auto answer =
      RunCommand(kSpec, {{"source", "mlperf-v0.5"},
                         {"devices", 4},
                         {"export", {base + ".csv", base + ".json", base + ".sh"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  for (const char* ending : {".csv", ".json", ".sh"}) {
    const auto text = os::ReadFile(base + ending, 1 << 16);
    ASSERT_TRUE(text.ok());
    EXPECT_THAT(text.value(), HasSubstr("MRCNN_Py")) << ending;
  }
  EXPECT_EQ(std::system(("bash -n '" + base + ".sh'").c_str()), 0);
}

TEST(ScheduleTest, JobsOfTheStoreAreCallsOfTheirModels) {
  const store::TestFolder folder;
  const auto add = [&](const char* model, int threads, double latency_ns) {
    auto writer =
        store::ExperimentWriter::Create(folder.path(), fmt::format("{}-{}", model, threads));
    ASSERT_TRUE(writer.ok());
    const std::vector<store::PointRow> points = {
        {.point_id = 1,
         .model = model,
         .backend = "torch",
         .device = "cpu",
         .precision = "float32",
         .batch = 1,
         .settings = fmt::format(R"({{"threads": {}}})", threads),
         .latency_ns = latency_ns,
         .status = "done"}};
    ASSERT_TRUE(writer.value().AddRows(points).ok());
    ASSERT_TRUE(writer.value().Commit("{\"format_version\": 1}").ok());
  };
  add("slow", 1, 8e6);
  add("slow", 2, 5e6);
  add("quick", 1, 3e6);
  TestContext context(folder.path());
  const auto answer =
      RunCommand(kSpec, {{"stored", {"all"}}, {"calls", 2000}, {"devices", 2}}, context);
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  // Beside each other: 16 s and 6 s. Wide and then narrow: 10 s and 6 s.
  EXPECT_NEAR(Makespan(answer.value(), 0), 16, 1e-9);
  EXPECT_NEAR(Makespan(answer.value(), 1), 16, 1e-9);
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("2000 calls of a model")));
  for (const nlohmann::json& request : {nlohmann::json{{"devices", 2}},
                                        {{"devices", 2}, {"stored", {"all"}}, {"source", "a.csv"}},
                                        {{"devices", 2}, {"source", "a.csv"}, {"calls", 5}}})
    EXPECT_EQ(RunCommand(kSpec, request, context).error().kind, ErrorKind::kUsage) << request;
}

/// Two jobs that mostly wait, and two that compute: a waiting one beside a computing one costs
/// little.
class SharedJobsTest : public ::testing::Test {
 protected:
  SharedJobsTest() {
    const std::vector<std::string> jobs = {"compute-1", "compute-2", "wait-1", "wait-2"};
    for (const std::string& job : jobs) Add("single", {{job, 10}});
    for (std::size_t a = 0; a < jobs.size(); ++a)
      for (std::size_t b = a + 1; b < jobs.size(); ++b) {
        const bool mixed = jobs[a].front() != jobs[b].front();
        Add("mixed", {{jobs[a], mixed ? 11.0 : 19.8}, {jobs[b], mixed ? 10.5 : 20.0}});
      }
  }

  void Add(const std::string& kind, const std::vector<ProgramTime>& programs, int width = 1) {
    StoreJobRun(folder_.path(), "run-" + std::to_string(++count_), {"s", kind, width, programs},
                programs.size() == 2 ? 3000 : 2000);
  }

  Result<Answer> Ask(nlohmann::json request) {
    request["stored_jobs"] = {"all"};
    request["devices"] = 2;
    return RunCommand(kSpec, request, context_);
  }

  store::TestFolder folder_;
  TestContext context_{folder_.path()};
  int count_ = 0;
};

TEST_F(SharedJobsTest, JobsThatCostEachOtherLittleShareADevice) {
  const auto answer = Ask({});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().title, "A plan for 2 devices, on which jobs share");
  EXPECT_EQ(answer.value().sentences.at(0),
            "4 jobs on 2 devices take 11.0 s by the best plan found, in which 2 pairs share a "
            "device; with the same pairs no plan is shorter.");
  EXPECT_EQ(answer.value().sentences.at(1),
            "Without sharing they take 20.0 s: the plan is 45.0 % shorter.");
  for (const auto& row : answer.value().tables.at(0).rows.rows)
    EXPECT_NE(std::get<std::string>(row.at(0)).front(), std::get<std::string>(row.at(5)).front());
  // Turnaround: 11, 10.5, 11, 10.5.
  EXPECT_DOUBLE_EQ(std::get<double>(answer.value().tables.at(1).rows.rows.at(0).at(3)), 10.75);
  EXPECT_EQ(answer.value().tables.at(1).rows.rows.at(1).at(0),
            Cell(std::string("without sharing")));
  const auto& pairs = answer.value().tables.at(4);
  ASSERT_EQ(pairs.id, "pairs");
  ASSERT_EQ(pairs.rows.rows.size(), 6U);
  EXPECT_EQ(pairs.rows.rows.at(0).at(2), Cell(std::string("no: saves less than 5 %")));
  std::map<std::string, int> shared;
  for (const auto& row : pairs.rows.rows) ++shared[std::get<std::string>(row.at(2))];
  EXPECT_EQ(shared["yes"], 2);
  EXPECT_EQ(shared["no: another pair was chosen"], 2);
  EXPECT_NEAR(std::get<double>(pairs.rows.rows.at(1).at(5)), 45, 1e-9);
  EXPECT_NEAR(std::get<double>(pairs.rows.rows.at(1).at(6)), 1.1, 1e-9);
}

TEST_F(SharedJobsTest, ExclusivePlanDoesNotShare) {
  const auto file = TextFile("plan.csv", "");
  const auto answer = Ask({{"policy", "exclusive"}, {"export", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().title, "The shortest plan for 2 devices without sharing");
  for (const auto& row : answer.value().tables.at(0).rows.rows) EXPECT_EQ(row.at(5), Cell());
  const auto text = os::ReadFile(file, 1 << 16);
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(text.value(), HasSubstr("wait-1,1,10.0,20.0,"));
}

TEST_F(SharedJobsTest, JobsThatNeedMoreThanADeviceHasDoNotShare) {
  const auto answer = Ask({{"device_memory", 2500}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().title, "The shortest plan for 2 devices");
  EXPECT_EQ(answer.value().tables.at(4).rows.rows.at(1).at(2),
            Cell(std::string("no: needs more device memory than available: 3000 > 2500")));
}

TEST(ScheduleTest, MemoryOfADeviceIsThatOfItsGpus) {
  const store::TestFolder folder;
  TestContext context(folder.path());
  const auto add = [&](const char* name, const char* kind, const std::vector<ProgramTime>& programs,
                       double gpu_memory_mb) {
    StoreJobRun(folder.path(), name, {"s", kind, 1, programs}, 64e3, "a processor", gpu_memory_mb);
  };
  add("first", "single", {{"a", 10}}, 400);
  add("second", "single", {{"b", 10}}, 400);
  add("both", "mixed", {{"a", 11}, {"b", 11}}, 900);
  const auto row = [&](double device_memory) {
    const auto answer = RunCommand(
        kSpec, {{"stored_jobs", {"all"}}, {"devices", 1}, {"device_memory", device_memory}},
        context);
    EXPECT_TRUE(answer.ok());
    return answer.ok() ? answer.value().tables.at(4).rows.rows.at(0) : std::vector<Cell>(12);
  };
  EXPECT_EQ(row(1000).at(2), Cell(std::string("yes")));
  EXPECT_EQ(row(1000).at(9), Cell(70.0));
  EXPECT_EQ(row(1000).at(11), Cell(900.0));
  EXPECT_EQ(row(800).at(2),
            Cell(std::string("no: needs more device memory than available: 900 > 800")));
}

TEST_F(SharedJobsTest, WhyAPairDoesNotShareIsSaid) {
  Add("distributed", {{"wide", 6}}, 2);
  Add("mixed", {{"wait-1", 11}, {"wide", 11}});
  const auto answer = Ask({{"fix", {"wait-2=1"}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& rows = answer.value().tables.at(4).rows.rows;
  const auto row = std::ranges::find_if(
      rows, [](const auto& cells) { return cells.at(1) == Cell(std::string("wide")); });
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->at(2), Cell(std::string("no: one of them was not measured alone")));
}

TEST(ScheduleTest, ThatNotAllChoicesOfPairsWereTriedIsSaid) {
  const store::TestFolder folder;
  TestContext context(folder.path());
  constexpr int kJobs = 22;
  int count = 0;
  const auto add = [&](const std::string& kind, const std::vector<ProgramTime>& programs) {
    StoreJobRun(folder.path(), "run-" + std::to_string(++count), {"s", kind, 1, programs});
  };
  for (int job = 0; job < kJobs; ++job) {
    add("single", {{fmt::format("job-{:02}", job), 10}});
    if (job > 0)
      add("mixed", {{fmt::format("job-{:02}", job - 1), 11}, {fmt::format("job-{:02}", job), 11}});
  }
  const auto answer =
      RunCommand(kSpec, {{"stored_jobs", {"all"}}, {"devices", 2}, {"time_limit", 1}}, context);
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("another choice may save more")));
}

}  // namespace
}  // namespace xsp::suite::schedule
