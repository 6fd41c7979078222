#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "answer/suite/report/workload_places.h"
#include "answer/suite/suite_command_testing.h"

namespace xsp::suite::report {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Table Vectors(std::vector<std::vector<store::Cell>> rows, const char* unit = "%") {
  return {"vectors",
          "",
          {{"workload", "", "", ""}, {"cpu_pct", "%", "", ""}, {"memory", unit, "", ""}},
          {{"workload", "cpu_pct", "memory"}, std::move(rows)}};
}

TEST(AgainstTest, NearestIsMeasuredInStandardDeviationsOfTheOtherSuite) {
  // cpu: 0, 10, 20 (deviation 10); memory: 0, 100, 200 (100). Ours at (12, 130): nearest is b, at
  // sqrt((0.2^2 + 0.3^2) / 2).
  const Table other = Vectors({{std::string("a"), 0.0, 0.0},
                               {std::string("b"), 10.0, 100.0},
                               {std::string("c"), 20.0, 200.0}});
  const auto places =
      PlacesAmong(Vectors({{std::string("x"), 12.0, 130.0}, {std::string("y"), 30.0, {}}}), other);
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].nearest, "b");
  EXPECT_NEAR(places[0].distance, std::sqrt(0.065), 1e-12);
  EXPECT_THAT(places[0].beyond, IsEmpty());
  // What y lacks makes it neither nearer nor farther.
  EXPECT_EQ(places[1].nearest, "c");
  EXPECT_NEAR(places[1].distance, 1, 1e-12);
  EXPECT_THAT(places[1].beyond, ElementsAre("cpu_pct"));
}

TEST(AgainstTest, MetricsOfOtherUnitsAreNotShared) {
  const Table own = Vectors({{std::string("x"), 12.0, 130.0}}, "MB");
  const Table other = Vectors({{std::string("a"), 0.0, 0.0}, {std::string("b"), 1.0, 1.0}}, "GB");
  EXPECT_THAT(SharedMetrics(own, other), ElementsAre("cpu_pct"));
}

TEST(ReportTest, EmptyStoreSaysHowToFillIt) {
  const auto answer = RunCommand(kSpec, {});
  ASSERT_FALSE(answer.ok());
  EXPECT_THAT(answer.error().hint, HasSubstr("xsp suite run zoo"));
}

/// Stands for `similarity`: says what it was asked.
Action DeclareEcho(core::RequestFields& fields, const CommandContext&) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  fields.Add("source", arguments.get(), {.help = "", .positional = true});
  auto few = std::make_shared<int>();
  fields.Add("representatives", few.get(), {.help = ""});
  auto rule = std::make_shared<std::string>();
  fields.Add("missing", rule.get(), {.help = ""});
  return [arguments, few, rule]() -> Result<Answer> {
    Answer answer{"similarity", "t", {fmt::format("I was asked for {}.", *few)}, {}, {}, {}};
    answer.tables.push_back(
        {"clusters",
         "",
         {{"workload", "", "", ""}, {"representative", "", "", ""}},
         {{"workload", "representative"}, {{std::string("a"), true}, {std::string("b"), false}}}});
    return answer;
  };
}

/// A table of workload vectors with one metric.
Answer OneMetric(const std::vector<std::pair<std::string, store::Cell>>& workloads) {
  Answer answer{"vectors", "t", {}, {}, {}, {}};
  answer.tables.push_back({"vectors",
                           "",
                           {{"workload", "", "", ""}, {"cpu_pct", "%", "", ""}},
                           {{"workload", "cpu_pct"}, {}}});
  for (const auto& [name, value] : workloads)
    answer.tables.back().rows.rows.push_back({name, value});
  return answer;
}

/// Stands for `vectors`: three workloads, of which c knows nothing, and another one for
/// "published".
Action DeclareVectors(core::RequestFields& fields, const CommandContext&) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  fields.Add("source", arguments.get(), {.help = "", .positional = true});
  return [arguments]() -> Result<Answer> {
    if (*arguments == std::vector<std::string>{"published"})
      return OneMetric({{"p", 1.0}, {"q", 2.0}});
    return OneMetric({{"a", 1.5}, {"b", 9.0}, {"c", {}}});
  };
}

/// Stands for `similarity` where a workload has no metric: has an answer only without c, or by
/// workloads that have them all; each is a cluster.
Action DeclarePicky(core::RequestFields& fields, const CommandContext&) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  fields.Add("source", arguments.get(), {.help = "", .positional = true});
  auto few = std::make_shared<int>();
  fields.Add("representatives", few.get(), {.help = ""});
  auto rule = std::make_shared<std::string>();
  fields.Add("missing", rule.get(), {.help = ""});
  return [arguments, few, rule]() -> Result<Answer> {
    const auto has_c = [](const std::string& source) { return source.ends_with('c'); };
    if (std::ranges::any_of(*arguments, has_c) && *rule == "metrics")
      return Error{ErrorKind::kBadInput, "no metric has all its values", ""};
    Answer answer{"similarity", "t", {fmt::format("Asked by {} for {}.", *rule, *few)}, {}, {}, {}};
    answer.tables.push_back(
        {"clusters",
         "",
         {{"workload", "", "", ""}, {"representative", "", "", ""}},
         {{"workload", "representative"}, {{std::string("a"), true}, {std::string("b"), true}}}});
    return answer;
  };
}

/// Stands for any command: has one sentence.
template <const char* kId>
Action DeclareOne(core::RequestFields& fields, const CommandContext&) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  fields.Add("source", arguments.get(), {.help = "", .positional = true});
  return [arguments]() -> Result<Answer> {
    return Answer{kId, "t", {std::string("What ") + kId + " says."}, {}, {}, {}};
  };
}

constexpr char kScaling[] = "scaling";
constexpr char kQuality[] = "quality";
constexpr char kKernels[] = "kernels";

/// What the report on `runs` says where there are only these commands.
Result<Answer> ReportBy(const std::vector<SuiteSpec>& specs, const std::vector<std::string>& runs,
                        const std::string& published = "",
                        const std::filesystem::path& store = ::testing::TempDir()) {
  std::vector<const SuiteSpec*> commands;
  for (const SuiteSpec& spec : specs) commands.push_back(&spec);
  TestContext context(store);
  context.commands = commands;
  return RunCommand(kSpec, {{"run", runs}, {"published", published}}, context);
}

const SuiteSpec kEcho = {"similarity", "", "", DeclareEcho};
const SuiteSpec kVectors = {"vectors", "", "", DeclareVectors};
const SuiteSpec kPicky = {"similarity", "", "", DeclarePicky};

TEST(ReportTest, AsksForNoMoreRepresentativesThanASourceHasWorkloads) {
  const auto answer = ReportBy({kVectors, kEcho}, {"one-data-set"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences, Contains("I was asked for 3."));
}

TEST(ReportTest, AnswersAreJoinedAndThoseThatFailAreListed) {
  const auto answer = ReportBy({kEcho}, {"a", "b"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  ASSERT_EQ(answer.value().parts.size(), 1U);
  EXPECT_THAT(answer.value().sentences, Contains("1 stands for all: a."));
  EXPECT_THAT(answer.value().sentences, Contains("I was asked for 2."));
  const auto& unanswered = answer.value().tables.at(0);
  EXPECT_EQ(unanswered.rows.rows.size(), 4U);  // vectors, rooflines, kernels, topology.
  EXPECT_EQ(unanswered.rows.rows.at(0).at(1),
            store::Cell(std::string("this xsp has no such command")));
}

TEST(ReportTest, WorkloadWithoutMetricsIsLeftOutAndNamed) {
  const auto answer = ReportBy({kVectors, kPicky}, {"a", "b", "c"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  ASSERT_EQ(answer.value().parts.size(), 2U);
  // By metrics, as c was not among the sources any more.
  EXPECT_THAT(answer.value().parts.at(1).sentences, ElementsAre("Asked by metrics for 2."));
  EXPECT_THAT(answer.value().sentences,
              Contains("Excluded, because it has no value of metrics that the others have: c."));
  // Under a name that is not the workload's it can only be left out by what it lacks.
  const auto by_rows = ReportBy({kVectors, kPicky}, {"table-with-c"});
  ASSERT_TRUE(by_rows.ok()) << by_rows.error().what;
  EXPECT_THAT(by_rows.value().parts.at(1).sentences, ElementsAre("Asked by rows for 2."));
  EXPECT_THAT(by_rows.value().sentences, Contains(HasSubstr("have: c.")));
}

TEST(ReportTest, AsManyRepresentativesAsWorkloadsAreNoChoice) {
  const auto answer = ReportBy({kVectors, kPicky}, {"a", "b"});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(answer.value().sentences.at(0), "Only 2 workloads: nothing to choose.");
  EXPECT_THAT(answer.value().sentences, Each(Not(HasSubstr("for all"))));
  EXPECT_THAT(answer.value().sentences, Each(Not(HasSubstr("Asked by"))));
}

TEST(ReportTest, WhatIsPublishedIsSaidBehindAndAsSuch) {
  const std::vector<SuiteSpec> commands = {kVectors,
                                           kEcho,
                                           {kScaling, "", "", DeclareOne<kScaling>},
                                           {kQuality, "", "", DeclareOne<kQuality>},
                                           {kKernels, "", "", DeclareOne<kKernels>}};
  const auto answer = ReportBy(commands, {"a", "b"}, "published");
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& said = answer.value().sentences;
  ASSERT_EQ(said.size(), 8U) << ::testing::PrintToString(said);
  EXPECT_EQ(said[0], "1 stands for all: a.");
  EXPECT_THAT(said[1], HasSubstr("Excluded, because"));
  EXPECT_THAT(said[2], HasSubstr("Against published, by cpu_pct: a near p"));
  EXPECT_THAT(said[2], HasSubstr("; 1 of the 2 workloads (of 3) that share metrics with it lies "));
  EXPECT_EQ(said[3], "I was asked for 3.");
  EXPECT_EQ(said[4], "What kernels says.");
  EXPECT_EQ(said[5], "Of published (published): What scaling says.");
  EXPECT_EQ(said[6], "Of published (published): What quality says.");
  EXPECT_THAT(said[7], HasSubstr("have no answer"));
}

TEST(ReportTest, QuickExperimentsAreNotBesideThoseThatMeasure) {
  const auto store = std::filesystem::path(::testing::TempDir()) / "report_of_zoo";
  std::filesystem::remove_all(store);
  const auto add = [&store](const char* name) {
    std::filesystem::create_directories(store / name);
    std::ofstream(store / name / "experiment.json") << R"({"format_version": 1, "status": "done"})";
  };
  const auto runs = [&store] {
    const auto answer = ReportBy({kEcho}, {}, "", store);
    return answer.ok() ? answer.value().method : std::vector{answer.error().what};
  };
  add("mine");
  add("zoo-quick-a");
  EXPECT_THAT(runs(),
              ElementsAre("On 1 source: zoo-quick-a.", StartsWith("1 other experiment of")));
  add("zoo-b");
  EXPECT_THAT(runs(), ElementsAre("On 1 source: zoo-b.", StartsWith("2 other experiments of")));
  std::filesystem::remove_all(store);
}

}  // namespace
}  // namespace xsp::suite::report
