#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "answer/suite/suite_command_testing.h"
#include "core/json_text.h"
#include "source_dir.h"

namespace xsp::suite::similarity {

extern const SuiteSpec kSpec;

namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

const Table& Named(const Answer& answer, const std::string& id) {
  for (const Table& table : answer.tables)
    if (table.id == id) return table;
  ADD_FAILURE() << "no table " << id;
  return answer.tables.front();
}

struct Range {
  double from;
  double to;
};

/// What `choice` covers of `metric`.
Range Covered(const Answer& answer, const std::string& choice, const std::string& metric) {
  for (const auto& row : Named(answer, "coverage").rows.rows)
    if (row.at(0) == store::Cell(choice) && row.at(1) == store::Cell(metric))
      return {std::get<double>(row.at(2)), std::get<double>(row.at(3))};
  ADD_FAILURE() << "no coverage of " << metric << " by " << choice;
  return {-1, -1};
}

/// The published subset's ranges: shared/data/README.md, "What the published tables check".
void ExpectPublishedRanges(const Answer& answer, const std::string& choice) {
  const auto expect = [&](const char* metric, double from, double to) {
    const Range range = Covered(answer, choice, metric);
    EXPECT_NEAR(range.from, from, 0.05) << metric;
    EXPECT_NEAR(range.to, to, 0.05) << metric;
  };
  expect("pcie_mbps", 0.3, 100);
  expect("gpu_pct_sum", 0, 95.6);
  expect("cpu_pct", 0, 100);
  expect("system_memory_mb", 0, 100);
  expect("gpu_memory_mb_sum", 0, 100);
}

TEST(SimilarityTest, PublishedSubsetCoversThePublishedRanges) {
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}},
                                         {"where", "gpus = 1"},
                                         {"subset", {"DrQA", "SSD", "Res50_TF", "Red"}},
                                         {"bootstrap", 0}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Named(answer.value(), "scores").rows.rows.size(), 13U);
  ExpectPublishedRanges(answer.value(), "asked");
  // No four workloads cover more in the mean: the study's choice is also that of all 715 subsets.
  ExpectPublishedRanges(answer.value(), "best of 4");
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("excluded: nvlink_mbps")));
}

TEST(SimilarityTest, PrintedTableGivesTheSame) {
  const auto file = std::filesystem::path(XSP_SOURCE_DIR).parent_path() /
                    "shared/data/mlperf-v0.5/table6_system_usage.csv";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no reference data: " << file;
  const auto answer = RunCommand(kSpec, {{"source", {file.string()}},
                                         {"label", {"benchmark"}},
                                         {"where", "gpus = 1"},
                                         {"metrics",
                                          {"cpu_pct", "gpu_pct_sum", "system_memory_mb",
                                           "gpu_memory_mb_sum", "pcie_mbps", "nvlink_mbps"}},
                                         {"subset", {"DrQA", "SSD", "Res50_TF", "Red"}},
                                         {"bootstrap", 0}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  ExpectPublishedRanges(answer.value(), "asked");
}

TEST(SimilarityTest, RepresentativesAreOneOfEachCluster) {
  const auto answer = RunCommand(
      kSpec, {{"source", {"mlperf-v0.5"}}, {"where", "gpus = 1"}, {"representatives", 4}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  std::vector<int> chosen(5, 0);
  for (const auto& row : Named(answer.value(), "clusters").rows.rows)
    if (std::get<bool>(row.at(3))) ++chosen.at(std::get<std::int64_t>(row.at(0)));
  EXPECT_THAT(chosen, ::testing::ElementsAre(0, 1, 1, 1, 1));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("fall into 4 clusters")));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("stay together in")));
}

TEST(SimilarityTest, ChartsAreJsonOfColumnsThatTheTablesHave) {
  const auto answer = RunCommand(kSpec, {{"source", {"mlperf-v0.5"}}, {"components", {3, 2}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  ASSERT_EQ(answer.value().charts.size(), 4U);
  for (const Chart& chart : answer.value().charts) {
    const auto spec = core::ParseJson(chart.spec);
    EXPECT_EQ(spec.contains("data"), !chart.table.empty()) << chart.id;
    if (chart.table.empty()) continue;
    EXPECT_FALSE(Named(answer.value(), chart.table).rows.rows.empty()) << chart.id;
  }
  const auto scatter = core::ParseJson(answer.value().charts[1].spec);
  const auto& points = scatter["layer"][2];
  EXPECT_EQ(points["name"], "workloads");
  EXPECT_EQ(points["encoding"]["x"]["field"], "PC3");
  EXPECT_EQ(points["encoding"]["color"]["field"], "suite");
  // Names have places by what they are worth: six representatives lead.
  EXPECT_EQ(scatter["layer"][3]["mark"]["style"], (nlohmann::json{"beside", "of-workloads"}));
  EXPECT_EQ(scatter["layer"][3]["encoding"]["order"]["field"], scatter["transform"][2]["as"]);
  // 28 merges of three lines each.
  const auto tree = core::ParseJson(answer.value().charts[0].spec);
  EXPECT_EQ(tree["layer"][0]["data"]["values"].size(), 84U);
  // A dot at each representative, and the cut with its height.
  EXPECT_EQ(tree["layer"][1]["data"]["values"].size(), 6U);
  EXPECT_THAT(tree["layer"][3]["mark"]["text"].get<std::string>(), HasSubstr("cut at "));
  EXPECT_EQ(tree["layer"][0]["encoding"]["y"]["axis"]["values"].size(), 29U);
  // Six of 29 rows span every metric; no metric is said to be covered least then.
  EXPECT_THAT(answer.value().sentences, Contains(AllOf(HasSubstr("The best of 6:"),
                                                       HasSubstr("whole range of every metric"))));
}

TEST(SimilarityTest, CutAtAHeightIsKept) {
  const auto file = TextFile("jobs.csv", "job,x\na,0\nb,1\nc,10\nd,11\n");
  const auto two = RunCommand(kSpec, {{"source", {file}}, {"linkage", "single"}, {"cut", 0.5}});
  ASSERT_TRUE(two.ok()) << two.error().what;
  EXPECT_THAT(two.value().sentences, Contains("4 workloads fall into 2 clusters: {a, b}; {c, d}."));
  EXPECT_THAT(two.value().method, Contains(HasSubstr("single linkage")));
  const auto one = RunCommand(kSpec, {{"source", {file}}, {"linkage", "single"}, {"cut", 99}});
  ASSERT_TRUE(one.ok()) << one.error().what;
  EXPECT_THAT(one.value().sentences, Contains(HasSubstr("into 1 cluster:")));
}

TEST(SimilarityTest, FirmClustersStayTogetherInEveryResample) {
  const auto file = TextFile("jobs.csv",
                             "job,x,y\na,0,0\nb,0.002,0\nc,0.004,0\nd,0.006,0\ne,0.008,0\n"
                             "f,0.01,0\ng,10,0\nh,-10,0\ni,0,10\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}, {"clusters", 4}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences,
              Contains(HasSubstr("stay together in 100 % (mean over clusters); cluster 1 is the "
                                 "least stable with 100 %")));
  EXPECT_THAT(answer.value().method,
              Contains(HasSubstr("each cut into as many clusters as it holds of the 4")));
}

TEST(SimilarityTest, NumberOfClustersSaysHowItWasFound) {
  const auto said = [](const char* text, const char* expected) {
    const auto answer =
        RunCommand(kSpec, {{"source", {TextFile("jobs.csv", text)}}, {"bootstrap", 0}});
    ASSERT_TRUE(answer.ok()) << answer.error().what;
    EXPECT_THAT(answer.value().method,
                Contains(HasSubstr("No number of clusters was given: " + std::string(expected))));
  };
  said("job,x\na,1\nb,2\n", "two workloads are two clusters.");
  said("job,x\na,1\nb,2\nc,9\n", "with 2 alone three workloads have a silhouette");
  said("job,x\na,1\nb,2\nc,9\nd,8\n", "of 2 to 3 it is the one of the greatest");
  said("job,x\na,1\nb,2\nc,9\nd,8\ne,20\nf,21\ng,30\nh,31\ni,40\nj,41\nk,50\nl,51\n",
       "of 2 to 10 it is the one of the greatest");
}

TEST(SimilarityTest, ASubsetIsNamed) {
  const auto file = TextFile("jobs.csv", "job,x,y\na,0,1\nb,1,3\nc,10,2\nd,11,9\n");
  const auto answer =
      RunCommand(kSpec, {{"source", {file}}, {"subset", {"a", "c"}}, {"components", {2, 1}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("The asked: a, c.")));
}

TEST(SimilarityTest, NumbersThatAreNoneAreRefusedInAFewWords) {
  const auto file = TextFile("jobs.csv", "job,x\na,1\nb,2\n");
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const std::vector<std::pair<std::string, std::vector<nlohmann::json>>> wrong = {
      {"cut", {std::nan(""), kInfinite, -1, "far"}},
      {"share", {std::nan(""), kInfinite, 1.1, -0.1}}};
  for (const auto& [name, values] : wrong) {
    for (const nlohmann::json& value : values) {
      const auto answer = RunCommand(kSpec, {{"source", {file}}, {name, value}});
      ASSERT_FALSE(answer.ok()) << name << " " << value;
      EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
      EXPECT_EQ(answer.error().field, name);
      EXPECT_LT(answer.error().what.size(), 80U) << answer.error().what;
    }
  }
  EXPECT_TRUE(RunCommand(kSpec, {{"source", {file}}, {"cut", 0}}).ok());
  EXPECT_TRUE(RunCommand(kSpec, {{"source", {file}}, {"share", 1}}).ok());
}

TEST(SimilarityTest, ComponentsThatExplainAShareCarryTheDistances) {
  // y repeats x, z is small noise: one component explains well over 60 %.
  const auto file = TextFile("jobs.csv", "job,x,y,z\na,0,0,1\nb,1,1,0\nc,10,10,0\nd,11,11,1\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}, {"on", "components"}, {"share", 0.6}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_THAT(answer.value().method, Contains(HasSubstr("the first 1 component (")));
  EXPECT_THAT(answer.value().sentences, Contains(HasSubstr("{a, b}; {c, d}")));
}

TEST(SimilarityTest, IncompleteAndConstantInputIsTreatedAsStated) {
  const auto file =
      TextFile("jobs.csv", "job,same,x,y,none\na,5,1,2,\nb,5,2,inf,\nc,5,4,1,\nd,5,8,9,\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  const auto& method = answer.value().method;
  EXPECT_THAT(method, Contains(HasSubstr("1 infinite value is taken as missing")));
  EXPECT_THAT(method, Contains(HasSubstr("excluded: b")));
  EXPECT_THAT(method,
              Contains(HasSubstr("with the same value in all workloads are excluded: same")));
  EXPECT_THAT(method, Contains(HasSubstr("excluded: none")));
}

TEST(SimilarityTest, FewerWorkloadsThanMetricsAreSaid) {
  const auto file = TextFile("jobs.csv", "job,x,y,z\na,1,2,9\nb,2,7,3\n");
  const auto answer = RunCommand(kSpec, {{"source", {file}}});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_EQ(Named(answer.value(), "components").rows.rows.size(), 1U);
  EXPECT_THAT(answer.value().method,
              Contains(HasSubstr("at most one component exists, whose direction rests on")));
}

TEST(SimilarityTest, InputThatSaysNothingIsRefused) {
  const auto refused = [](const char* text, nlohmann::json request, const char* expected) {
    request["source"] = {TextFile("jobs.csv", text)};
    const auto answer = RunCommand(kSpec, request);
    ASSERT_FALSE(answer.ok()) << text;
    EXPECT_THAT(answer.error().what, HasSubstr(expected));
    EXPECT_FALSE(answer.error().hint.empty());
  };
  refused("job,x\na,1\n", {}, "there is only one workload");
  refused("job,x,y\na,1,1\nb,2,\nc,3,\n", {},
          "only one of 3 workloads has a value of every metric: a");
  refused("job,x\na,1\nb,1\n", {}, "every metric is the same in all 2 workloads: x");
  refused("job,x\na,1\na,2\n", {}, "the same label: a");
  refused("job,x\na,nan\nb,inf\n", {}, "no metric has all its values");
  refused("job,x\na,1e308\nb,-1e308\nc,1\n", {}, "the range of x is too wide");
  refused("job,x\na,1\nb,2\n", {{"clusters", 3}}, "more clusters than workloads: 3 of 2");
  refused("job,x\na,1\nb,2\n", {{"clusters", 2}, {"cut", 1}}, "more than one way");
  refused("job,x\na,1\nb,2\n", {{"subset", {"c"}}}, "no such workload: c");
  refused("job,x\nab,1\nac,2\n", {{"subset", {"a"}}}, "fits several workloads: a");
  refused("job,x\na,1\nb,2\n", {{"subset", {"a", "a"}}}, "names a workload twice");
  refused("job,x,y\na,1,3\nb,2,1\nc,5,5\n", {{"components", {1, 3}}}, "no component 3");
}

}  // namespace
}  // namespace xsp::suite::similarity
