#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "suite/report/against.h"
#include "suite/suite_command_testing.h"

namespace xsp::suite::report {

extern const SuiteSpec kSpec;

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

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
Action DeclareEcho(CLI::App& app, const Surroundings&) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  app.add_option("SOURCE", *arguments);
  auto few = std::make_shared<int>();
  app.add_option("--representatives", *few);
  auto rule = std::make_shared<std::string>();
  app.add_option("--missing", *rule);
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

/// Stands for `vectors`: three workloads, whatever it is asked.
Action DeclareVectors(CLI::App& app, const Surroundings&) {
  auto arguments = std::make_shared<std::vector<std::string>>();
  app.add_option("SOURCE", *arguments);
  return [arguments]() -> Result<Answer> {
    Answer answer{"vectors", "t", {}, {}, {}, {}};
    answer.tables.push_back(
        {"vectors",
         "",
         {{"workload", "", "", ""}},
         {{"workload"}, {{std::string("a")}, {std::string("b")}, {std::string("c")}}}});
    return answer;
  };
}

TEST(ReportTest, AsksForNoMoreRepresentativesThanASourceHasWorkloads) {
  const SuiteSpec vectors = {"vectors", "", "", DeclareVectors};
  const SuiteSpec echo = {"similarity", "", "", DeclareEcho};
  const std::vector<const SuiteSpec*> commands = {&vectors, &echo};
  Surroundings surroundings{
      std::filesystem::path(::testing::TempDir()), {}, [](const std::string&) {}};
  surroundings.commands = commands;
  CLI::App app;
  const Action action = kSpec.declare(app, surroundings);
  std::vector<std::string> arguments = {"", "--published", "one-data-set"};
  app.parse(arguments);
  const auto answer = action();
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences, Contains("I was asked for 3."));
}

TEST(ReportTest, AnswersAreJoinedAndThoseThatFailAreListed) {
  const SuiteSpec echo = {"similarity", "", "", DeclareEcho};
  const std::vector<const SuiteSpec*> commands = {&echo};
  Surroundings surroundings{
      std::filesystem::path(::testing::TempDir()), {}, [](const std::string&) {}};
  surroundings.commands = commands;
  CLI::App app;
  const Action action = kSpec.declare(app, surroundings);
  std::vector<std::string> arguments = {"", "--published", "b", "a"};
  app.parse(arguments);
  const auto answer = action();
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  ASSERT_EQ(answer.value().parts.size(), 1U);
  EXPECT_THAT(answer.value().sentences, Contains("1 stands for all: a."));
  EXPECT_THAT(answer.value().sentences, Contains("I was asked for 2."));
  const auto& unanswered = answer.value().tables.at(0);
  EXPECT_EQ(unanswered.rows.rows.size(), 4U);  // vectors, rooflines, kernels, topology.
  EXPECT_EQ(unanswered.rows.rows.at(0).at(1),
            store::Cell(std::string("this xsp has no such command")));
}

}  // namespace
}  // namespace xsp::suite::report
