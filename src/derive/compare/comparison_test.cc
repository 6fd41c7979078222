#include "derive/compare/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <string>

namespace xsp::compare {
namespace {

ComparedTrees Compare(const ComparisonTree& a, const ComparisonTree& b) {
  return CompareTrees(a, b, AlignTrees(a, b));
}

void AddKernel(ComparisonTree& tree, std::int32_t parent, std::string_view name, double own_ns) {
  tree.SetTime(tree.Add(parent, NodeKind::kKernel, name), own_ns);
}

/// "path kind a b difference" of each node.
std::vector<std::string> RowsOf(const ComparedTrees& compared) {
  const auto text = [](const std::optional<double>& time_ns) {
    return time_ns ? std::to_string(std::lround(*time_ns)) : "-";
  };
  std::vector<std::string> rows;
  for (const ComparedNode& node : compared.nodes)
    rows.push_back(node.path + (node.b_path.empty() ? "" : " = " + node.b_path) + " " +
                   std::string(ToString(node.kind)) + " " + text(node.a_ns) + " " +
                   text(node.b_ns) + " " + std::to_string(std::lround(node.difference_ns)) +
                   (node.is_leaf ? " leaf" : ""));
  return rows;
}

TEST(CompareTrees, HasARowForEveryNodeOfBoth) {
  ComparisonTree a, b;
  const auto conv_a = a.Add(a.Add(0, NodeKind::kModule, "stem"), NodeKind::kOperator, "conv");
  AddKernel(a, conv_a, "nv_gemm", 10);
  const auto norm = a.Add(0, NodeKind::kOperator, "norm");
  AddKernel(a, norm, "norm", 4);
  a.Add(0, NodeKind::kOperator, "view");  // Without device work.
  const auto conv_b = b.Add(b.Add(0, NodeKind::kModule, "stem"), NodeKind::kOperator, "conv");
  AddKernel(b, conv_b, "amd_gemm", 7);
  AddKernel(b, conv_b, "transpose", 2);
  const ComparedTrees compared = Compare(a, b);
  EXPECT_THAT(RowsOf(compared),
              testing::ElementsAre("stem module 10 9 -1", "stem/conv operator 10 9 -1",
                                   "stem/conv/nv_gemm = stem/conv/amd_gemm kernel 10 7 -3 leaf",
                                   "stem/conv/transpose kernel - 2 2 leaf", "norm operator 4 - -4",
                                   "norm/norm kernel 4 - -4 leaf"));
  EXPECT_EQ(compared.a_ns, 14);
  EXPECT_EQ(compared.b_ns, 9);
  EXPECT_DOUBLE_EQ(compared.aligned_share, 17.0 / 23);
}

TEST(CompareTrees, ShowsAMovedOperatorAtItsPlaceInTheFirst) {
  ComparisonTree a, b;
  AddKernel(a, a.Add(a.Add(0, NodeKind::kModule, "fc"), NodeKind::kOperator, "linear", "[8]"), "k",
            5);
  AddKernel(b, b.Add(b.Add(0, NodeKind::kModule, "other"), NodeKind::kOperator, "linear", "[8]"),
            "k", 6);
  // The same contents: a renamed module. With one operator more, it is another.
  AddKernel(b, b.Add(1, NodeKind::kOperator, "gelu", "[8]"), "g", 1);
  EXPECT_THAT(
      RowsOf(Compare(a, b)),
      testing::ElementsAre("fc module 5 6 1", "fc/linear = other/linear operator 5 6 1",
                           "fc/linear/k = other/linear/k kernel 5 6 1 leaf", "other module - 1 1",
                           "other/gelu operator - 1 1", "other/gelu/g kernel - 1 1 leaf"));
}

TEST(CompareTrees, KeepsNegativeAndZeroTimes) {
  ComparisonTree a, b;
  a.SetTime(a.Add(0, NodeKind::kOperator, "op"), 0);
  a.SetTime(a.Add(0, NodeKind::kBetween, "(between layers)"), -3);
  b.SetTime(b.Add(0, NodeKind::kOperator, "op"), 0);
  b.SetTime(b.Add(0, NodeKind::kBetween, "(between layers)"), 2);
  EXPECT_THAT(RowsOf(Compare(a, b)), testing::ElementsAre("op operator 0 0 0 leaf",
                                                          "(between layers) between -3 2 5 leaf"));
}

TEST(CompareTrees, OfNothingHasNoShare) {
  const ComparedTrees compared = Compare(ComparisonTree(), ComparisonTree());
  EXPECT_TRUE(compared.nodes.empty());
  EXPECT_TRUE(std::isnan(compared.aligned_share));
  EXPECT_EQ(compared.aligned, 0);
}

/// A random tree of modules, operators and kernels with repeated names.
ComparisonTree RandomTree(std::mt19937& random) {
  ComparisonTree tree;
  std::vector<std::int32_t> modules = {0};
  for (unsigned i = 0; i < 40; ++i) {
    const std::int32_t at = modules[random() % modules.size()];
    if (random() % 3 == 0) {
      modules.push_back(
          tree.Add(at, NodeKind::kModule, "m" + std::to_string(i) + std::to_string(random() % 3)));
      continue;
    }
    const std::int32_t op = tree.Add(at, NodeKind::kOperator, "op" + std::to_string(random() % 4),
                                     "[" + std::to_string(random() % 3) + "]");
    for (unsigned n = static_cast<unsigned>(random()) % 3; n > 0; --n)
      AddKernel(tree, op, "k" + std::to_string(random() % 5),
                static_cast<double>(random() % 1000) - 100);
  }
  return tree;
}

TEST(CompareTrees, DifferencesAddUpToTheWholeAndToEachParent) {
  std::mt19937 random(8);
  for (int round = 0; round < 200; ++round) {
    const ComparisonTree a = RandomTree(random), b = RandomTree(random);
    const ComparedTrees compared = Compare(a, b);
    EXPECT_NEAR(compared.a_ns, a.TotalNs(), 1e-9);
    EXPECT_NEAR(compared.b_ns, b.TotalNs(), 1e-9);
    double leaves_ns = 0;
    std::map<std::string, double> below, shown;  // Siblings of one path are added up.
    for (const ComparedNode& node : compared.nodes) {
      EXPECT_DOUBLE_EQ(node.difference_ns, node.b_ns.value_or(0) - node.a_ns.value_or(0));
      if (!node.is_leaf) shown[node.path] += node.difference_ns;
      if (!node.is_leaf) continue;
      leaves_ns += node.difference_ns;
      for (std::size_t at = node.path.rfind('/'); at != std::string::npos && at > 0;
           at = node.path.rfind('/', at - 1))
        below[node.path.substr(0, at)] += node.difference_ns;
    }
    EXPECT_NEAR(leaves_ns, b.TotalNs() - a.TotalNs(), 1e-9);
    for (const auto& [path, difference_ns] : shown)
      EXPECT_NEAR(difference_ns, below[path], 1e-9) << path;
  }
}

TEST(CompareTrees, OfATreeWithItselfHasNoDifference) {
  std::mt19937 random(9);
  for (int round = 0; round < 50; ++round) {
    const ComparisonTree tree = RandomTree(random);
    const ComparedTrees compared = Compare(tree, tree);
    for (const ComparedNode& node : compared.nodes) EXPECT_EQ(node.difference_ns, 0) << node.path;
    EXPECT_EQ(compared.aligned_share, 1);
  }
}

}  // namespace
}  // namespace xsp::compare
