#include "answer/compare_page/page_sums.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::compare_page {
namespace {

using compare::ComparisonTree;
using compare::NodeKind;
using nlohmann::json;

void AddWork(ComparisonTree& tree, const char* type, const char* kernel, double time_ns,
             NodeKind kind = NodeKind::kKernel) {
  const std::int32_t module = tree.Add(0, NodeKind::kModule, "net");
  const std::int32_t node = tree.Add(module, NodeKind::kOperator, type);
  tree.SetTime(tree.Add(node, kind, kernel), time_ns);
}

json Sums(const compare::Sides& sides, std::size_t most = 100) {
  const auto &a = sides.a.trees.device, &b = sides.b.trees.device;
  return PageSums(sides, compare::CompareTrees(a, b, compare::AlignTrees(a, b)), most);
}

TEST(PageSums, ThoseOfTheTypesAddUpToTheWhole) {
  compare::Sides sides;
  sides.basis = compare::Basis::kDevice;
  ComparisonTree &a = sides.a.trees.device, &b = sides.b.trees.device;
  for (const double time_ns : {10, 20, 30}) AddWork(a, "mm", "gemm", time_ns);
  for (const double time_ns : {11, 22, 33}) AddWork(b, "mm", "gemm", time_ns);
  AddWork(b, "topk", "sort", 5);
  a.SetTime(a.Add(0, NodeKind::kCopy, "copy"), 4);  // In no operator.
  const json types = Sums(sides)["types"];
  ASSERT_EQ(types["total"], 3);
  EXPECT_EQ(types["rows"][0],
            (json{{"name", "mm"}, {"count", 3}, {"where", ""}, {"a_ns", 60.0}, {"b_ns", 66.0}}));
  double difference_ns = 0;
  for (const json& row : types["rows"])
    difference_ns += (row["b_ns"].is_null() ? 0 : row["b_ns"].get<double>()) -
                     (row["a_ns"].is_null() ? 0 : row["a_ns"].get<double>());
  EXPECT_EQ(difference_ns, 7);
}

TEST(PageSums, WorkOfOneSideIsSummedByNameAndThatOfBothByBothNames) {
  compare::Sides sides;
  sides.basis = compare::Basis::kDevice;
  ComparisonTree &a = sides.a.trees.device, &b = sides.b.trees.device;
  for (int i = 0; i < 2; ++i) {
    AddWork(a, "mm", "nv", 10);
    AddWork(b, "mm", "amd", 30);
    a.SetTime(a.Add(0, NodeKind::kSet, "memset"), 4);
  }
  b.SetTime(b.Add(0, NodeKind::kKernel, "extra"), 9);
  const json sums = Sums(sides);
  EXPECT_EQ(
      sums["only_a"]["rows"][0],
      (json{{"name", "memset"}, {"kind", "set"}, {"where", ""}, {"count", 2}, {"time_ns", 8.0}}));
  EXPECT_EQ(sums["only_a"]["time_ns"], 8.0);
  EXPECT_EQ(sums["only_b"]["rows"][0]["name"], "extra");
  EXPECT_EQ(sums["only_b"]["total"], 1);
  EXPECT_EQ(sums["renamed"]["rows"], (json{{{"a", "nv"},
                                            {"b", "amd"},
                                            {"operator", "mm"},
                                            {"count", 2},
                                            {"a_ns", 20.0},
                                            {"b_ns", 60.0}}}));
}

TEST(PageSums, OfManyTheLargestAreListedAndAllAreCounted) {
  compare::Sides sides;
  sides.basis = compare::Basis::kDevice;
  ComparisonTree& a = sides.a.trees.device;
  for (int i = 0; i < 50; ++i) AddWork(a, "op", ("k" + std::to_string(i)).c_str(), 1 + i);
  const json only = Sums(sides, 3)["only_a"];
  ASSERT_EQ(only["rows"].size(), 3U);
  EXPECT_EQ(only["rows"][0]["name"], "k49");
  EXPECT_EQ(only["rows"][0]["where"], "net / op");
  EXPECT_EQ(only["total"], 50);
  EXPECT_EQ(only["time_ns"], 50 * 51 / 2);
}

}  // namespace
}  // namespace xsp::compare_page
