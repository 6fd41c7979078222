#include "answer/compare_page/page_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xsp::compare_page {
namespace {

using compare::NodeKind;
using nlohmann::json;

/// The values of a column, whichever way it is written.
std::vector<json> Values(const json& column) {
  std::vector<json> values;
  if (column.is_array()) return {column.begin(), column.end()};
  if (column.contains("count")) return std::vector<json>(column["count"], column["value"]);
  for (const json& code : column["codes"])
    values.push_back(code.get<int>() < 0 ? json() : column["dict"][code.get<std::size_t>()]);
  return values;
}

/// Two sides with one module of `operators` operators of one kernel each; the time of the second
/// side's kernel i is 100 + i ns, that of the first 100.
compare::Sides TestSides(int operators) {
  compare::Sides sides;
  sides.basis = compare::Basis::kDevice;
  const auto fill = [&](compare::ComparisonTree& tree, bool is_second) {
    const std::int32_t module = tree.Add(0, NodeKind::kModule, "net");
    for (int i = 0; i < operators; ++i) {
      const std::int32_t node =
          tree.Add(module, NodeKind::kOperator, "op" + std::to_string(i), "[1, 2]");
      const std::int32_t kernel = tree.Add(node, NodeKind::kKernel, is_second ? "amd" : "nv");
      tree.SetTime(kernel, is_second ? 100 + i : 100);
    }
  };
  fill(sides.a.trees.device, false);
  fill(sides.b.trees.device, true);
  return sides;
}

compare::ComparedTrees Compared(const compare::Sides& sides) {
  const auto &a = sides.a.trees.device, &b = sides.b.trees.device;
  return compare::CompareTrees(a, b, compare::AlignTrees(a, b));
}

json Rows(const compare::Sides& sides, const RowLimits& limits = {}) {
  const compare::ComparedTrees trees = Compared(sides);
  const json document(trees.nodes.size(), json{{"verdict", "unknown_noise"}});
  return PageRows(sides, trees, document, limits);
}

TEST(PageRows, NameTheRowOfTheParent) {
  const json rows = Rows(TestSides(2));
  const json& columns = rows["columns"];
  EXPECT_EQ(Values(columns["name"]), (std::vector<json>{"net", "op0", "nv", "op1", "nv"}));
  EXPECT_EQ(Values(columns["parent"]), (std::vector<json>{-1, 0, 1, 0, 3}));
  EXPECT_EQ(Values(columns["b_name"]), (std::vector<json>{{}, {}, "amd", {}, "amd"}));
  EXPECT_EQ(Values(columns["a_ns"]), (std::vector<json>{200, 100, 100, 100, 100}));
  EXPECT_EQ(Values(columns["b_ns"]), (std::vector<json>{201, 100, 100, 101, 101}));
  EXPECT_EQ(Values(columns["shape"]), (std::vector<json>{{}, "[1, 2]", {}, "[1, 2]", {}}));
  EXPECT_EQ(Values(columns["leaf"]), (std::vector<json>{false, false, true, false, true}));
  EXPECT_EQ(rows["rows_left_out"], 0);
  EXPECT_EQ(rows["names_cut"], false);
}

TEST(PageRows, OfTooManyTheLargestDifferencesStayWithWhatIsAboveThem) {
  const json rows = Rows(TestSides(50), {.rows = 7});
  const json& columns = rows["columns"];
  EXPECT_EQ(Values(columns["name"]),
            (std::vector<json>{"net", "op47", "nv", "op48", "nv", "op49", "nv"}));
  EXPECT_EQ(Values(columns["parent"]), (std::vector<json>{-1, 0, 1, 0, 3, 0, 5}));
  // Of 101 rows.
  EXPECT_EQ(rows["rows_left_out"], 94);
  EXPECT_EQ(Values(columns["left_out"]), (std::vector<json>{94, 0, 0, 0, 0, 0, 0}));
  // The times of a row are those of all that is below it.
  EXPECT_EQ(Values(columns["a_ns"])[0], 5000);
}

TEST(PageRows, HaveTheVerdictAndTheIntervalOfTheDocument) {
  const compare::Sides sides = TestSides(1);
  const compare::ComparedTrees trees = Compared(sides);
  json document(trees.nodes.size(), json{{"verdict", "unknown_noise"}});
  document[1] = {{"verdict", "slower"}, {"ratio", 1.5}, {"low", 1.25}, {"high", nullptr}};
  const json columns = PageRows(sides, trees, document, {})["columns"];
  EXPECT_EQ(Values(columns["verdict"])[1], "slower");
  EXPECT_EQ(Values(columns["ratio"]), (std::vector<json>{{}, 1.5, {}}));
  EXPECT_EQ(Values(columns["low"]), (std::vector<json>{{}, 1.25, {}}));
  EXPECT_EQ(Values(columns["high"]), (std::vector<json>{{}, {}, {}}));
}

TEST(PageRows, KeepNoMoreRowsThanWereAskedFor) {
  for (const std::size_t most : {0U, 1U, 2U, 3U, 10U, 101U})
    EXPECT_LE(Values(Rows(TestSides(50), {.rows = most})["columns"]["name"]).size(), most);
}

TEST(PageRows, LongNamesAreCutWhereAllTogetherNeedTooMuchRoom) {
  compare::Sides sides;
  sides.basis = compare::Basis::kDevice;
  for (compare::ComparisonTree* tree : {&sides.a.trees.device, &sides.b.trees.device})
    tree->SetTime(tree->Add(0, NodeKind::kKernel, std::string(5000, 'k')), 5);
  const json rows = Rows(sides, {.name_bytes = 1000});
  EXPECT_EQ(rows["names_cut"], true);
  EXPECT_LE(Values(rows["columns"]["name"])[0].get<std::string>().size(), 1000U);
}

TEST(PageRows, ANodeOfTheSecondSideAloneIsBelowTheCounterpartOfItsParent) {
  compare::Sides sides = TestSides(1);
  compare::ComparisonTree& b = sides.b.trees.device;
  b.SetTime(b.Add(1, NodeKind::kKernel, "extra"), 7);
  const json rows = Rows(sides);
  const std::vector<json> names = Values(rows["columns"]["name"]);
  ASSERT_EQ(names.back(), "extra");
  EXPECT_EQ(Values(rows["columns"]["parent"]).back(), 0);
  EXPECT_EQ(Values(rows["columns"]["a_ns"]).back(), json());
}

}  // namespace
}  // namespace xsp::compare_page
