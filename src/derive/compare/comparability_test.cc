#include "derive/compare/comparability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::compare {
namespace {

using nlohmann::json;
using testing::HasSubstr;

store::PointRow Point() {
  return {.point_id = 1,
          .model = "net",
          .backend = "PyTorch",
          .device = "cuda:0",
          .precision = "float32",
          .batch = 4,
          .settings = "{}",
          .cores = 2,
          .status = "done"};
}

/// One operator with one kernel.
ComparisonTree Tree(std::string_view type, std::string_view shape, std::string_view kernel = "k") {
  ComparisonTree tree;
  tree.SetTime(tree.Add(tree.Add(0, NodeKind::kOperator, type, shape), NodeKind::kKernel, kernel),
               1);
  return tree;
}

/// A call of which no layers are known.
ComparisonTree WholeCall() {
  ComparisonTree tree;
  tree.SetTime(tree.Add(0, NodeKind::kBetween, "(between layers)"), 5);
  return tree;
}

Comparability Compare(const std::vector<SideFact>& a, const std::vector<SideFact>& b,
                      const ComparisonTree& of_a, const ComparisonTree& of_b) {
  return CompareFacts({"one", a, of_a}, {"other", b, of_b},
                      CompareTrees(of_a, of_b, AlignTrees(of_a, of_b)));
}

TEST(Comparability, OfEqualSidesIsYes) {
  const auto facts = FactsOf(Point(), json::object(), {});
  const Comparability found =
      Compare(facts, facts, Tree("conv", "[[4,8]]"), Tree("conv", "[[4,8]]"));
  EXPECT_EQ(found.verdict, Comparable::kFully);
  EXPECT_TRUE(found.differences.empty());
}

TEST(Comparability, ListsWhatDiffersInTheStackAndWhetherItMatters) {
  const json a = {{"facts", {{"deviceProperties.0.name", "GPU A"}, {"framework.version", "2.14"}}},
                  {"stack",
                   {{"gpu", {{"nvidia_driver", "550"}, {"models", nullptr}}},
                    {"frequency", {{"governor", "performance"}}}}}};
  const json b = {{"facts", {{"deviceProperties.0.name", "GPU B"}, {"framework.version", "2.15"}}},
                  {"stack",
                   {{"gpu", {{"nvidia_driver", "560"}}},
                    {"frequency", {{"governor", "powersave"}, {"maximum_mhz", "3000"}}}}}};
  const Comparability found =
      Compare(FactsOf(Point(), a, {}), FactsOf(Point(), b, {}), Tree("conv", ""), Tree("conv", ""));
  EXPECT_EQ(found.verdict, Comparable::kPartly);
  std::vector<std::string> texts;
  for (const SideDifference& difference : found.differences)
    texts.push_back(difference.what + ": " + difference.a + " | " + difference.b +
                    (difference.matters ? "!" : ""));
  EXPECT_THAT(texts, testing::ElementsAre(
                         "gpu: GPU A | GPU B!", "clocks: performance | powersave 3000 MHz!",
                         "framework: PyTorch 2.14 | PyTorch 2.15!", "driver: 550 | 560"));
}

TEST(Comparability, TakesTheNameOfAnImportedModelLightly) {
  store::PointRow other = Point();
  other.model = "other";
  const auto verdict = [&](const json& run) {
    return Compare(FactsOf(Point(), run, {}), FactsOf(other, run, {}), Tree("c", ""), Tree("c", ""))
        .verdict;
  };
  EXPECT_EQ(verdict({{"rung", "imported"}}), Comparable::kFully);
  EXPECT_EQ(verdict({{"rung", "layer"}}), Comparable::kPartly);
}

TEST(Comparability, DoesNotCompareWhatOneSideDoesNotKnow) {
  store::PointRow unknown = Point();
  unknown.batch.reset();
  unknown.precision = "unknown";
  const Comparability found =
      Compare(FactsOf(Point(), {}, {}), FactsOf(unknown, {}, {}), Tree("c", ""), Tree("c", ""));
  EXPECT_EQ(found.verdict, Comparable::kFully);
}

TEST(Comparability, IsNoForOtherBatchSizes) {
  store::PointRow other = Point();
  other.batch = 8;
  const Comparability found =
      Compare(FactsOf(Point(), {}, {}), FactsOf(other, {}, {}), Tree("c", ""), Tree("c", ""));
  EXPECT_EQ(found.verdict, Comparable::kNot);
  EXPECT_EQ(found.reason, "the batch sizes differ: 4 and 8");
}

TEST(Comparability, SeesTheBatchSizeInShapes) {
  const Comparability batch =
      Compare({}, {}, Tree("conv", "[[1,8,32],[8,8]]"), Tree("conv", "[[4,8,32],[8,8]]"));
  EXPECT_EQ(batch.verdict, Comparable::kNot);
  EXPECT_THAT(batch.reason, HasSubstr("batch sizes differ"));
  const Comparability width = Compare({}, {}, Tree("conv", "[[1,8]]"), Tree("conv", "[[1,16]]"));
  EXPECT_EQ(width.verdict, Comparable::kPartly);
  ASSERT_EQ(width.differences.size(), 1U);
  EXPECT_EQ(width.differences[0].a, "conv [[1,8]]");
  for (const char* odd : {"[]", "[[]]", "]", "[[", "1", ","})
    EXPECT_NE(Compare({}, {}, Tree("conv", "[[1,8]]"), Tree("conv", odd)).verdict, Comparable::kNot)
        << odd;
}

TEST(Comparability, IsNoWithoutACommonNode) {
  const Comparability found =
      Compare({}, {}, Tree("conv", "", "gemm"), Tree("embedding", "", "gather"));
  EXPECT_EQ(found.verdict, Comparable::kNot);
  EXPECT_EQ(found.reason,
            "the sides have no operator or kernel in common: one has conv; other has embedding");
  EXPECT_EQ(Compare({}, {}, WholeCall(), WholeCall()).verdict, Comparable::kFully);
}

TEST(Comparability, StatesWhichSideHasNoLayersAndHowToGetThem) {
  for (const bool is_first : {true, false}) {
    const ComparisonTree with = Tree("conv", ""), without = WholeCall();
    const Comparability found =
        is_first ? Compare({}, {}, without, with) : Compare({}, {}, with, without);
    EXPECT_EQ(found.verdict, Comparable::kPartly);
    EXPECT_EQ(found.reason, "");
    EXPECT_THAT(found.without_layers,
                testing::StartsWith(is_first ? "one has no" : "other has no"));
    EXPECT_THAT(found.without_layers, HasSubstr("xsp run --depth layer"));
  }
}

}  // namespace
}  // namespace xsp::compare
