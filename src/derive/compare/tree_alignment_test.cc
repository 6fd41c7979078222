#include "derive/compare/tree_alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>

namespace xsp::compare {
namespace {

using testing::ElementsAre;

/// "conv1/aten::conv2d/gemm": the names from below the root to a node.
std::string PathOf(const ComparisonTree& tree, std::int32_t node) {
  std::string path;
  for (; node > 0; node = tree.nodes()[static_cast<std::size_t>(node)].parent) {
    const std::string name(tree.NameOf(static_cast<std::size_t>(node)));
    path = path.empty() ? name : name + "/" + path;
  }
  return path;
}

/// Adds an operator with one kernel. Returns the operator.
std::int32_t AddOperator(ComparisonTree& tree, std::int32_t parent, std::string_view type,
                         std::string_view shape = "", std::string_view kernel = "k") {
  const std::int32_t node = tree.Add(parent, NodeKind::kOperator, type, shape);
  tree.SetTime(tree.Add(node, NodeKind::kKernel, kernel), 1);
  return node;
}

/// Pairs of aligned paths of one kind, in the order of a; "-": none.
std::vector<std::string> PairsOf(const ComparisonTree& a, const ComparisonTree& b, NodeKind kind) {
  const TreeAlignment found = AlignTrees(a, b);
  std::vector<std::string> pairs;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.nodes()[i].kind != kind) continue;
    const std::int32_t j = found.a_to_b[i];
    if (j >= 0) {
      EXPECT_EQ(found.b_to_a[static_cast<std::size_t>(j)], static_cast<std::int32_t>(i));
    }
    pairs.push_back(PathOf(a, static_cast<std::int32_t>(i)) + " = " + (j < 0 ? "-" : PathOf(b, j)));
  }
  return pairs;
}

TEST(TreeAlignment, PairsModulesByNameInAnyOrder) {
  ComparisonTree a, b;
  for (const char* name : {"left", "right"})
    AddOperator(a, a.Add(0, NodeKind::kModule, name), "conv", "[8]");
  for (const char* name : {"right", "left"})
    AddOperator(b, b.Add(0, NodeKind::kModule, name), "conv", "[8]");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kOperator),
              ElementsAre("left/conv = left/conv", "right/conv = right/conv"));
}

TEST(TreeAlignment, PairsARenamedModuleByItsOperators) {
  ComparisonTree a, b;
  for (const char* name : {"stem", "layer1", "layer2"}) {
    const std::int32_t of_a = a.Add(0, NodeKind::kModule, name);
    const std::int32_t of_b =
        b.Add(0, NodeKind::kModule, std::string_view(name) == "layer1" ? "block1" : name);
    for (const char* type : {"conv", name}) {
      AddOperator(a, of_a, type);
      AddOperator(b, of_b, type);
    }
  }
  EXPECT_THAT(PairsOf(a, b, NodeKind::kModule),
              ElementsAre("stem = stem", "layer1 = block1", "layer2 = layer2"));
}

TEST(TreeAlignment, FindsOperatorsInAnInsertedModule) {
  ComparisonTree a, b;
  AddOperator(a, a.Add(0, NodeKind::kModule, "fc"), "linear", "[4,8]");
  const std::int32_t wrapper = b.Add(0, NodeKind::kModule, "compiled");
  AddOperator(b, b.Add(wrapper, NodeKind::kModule, "fc1"), "linear", "[4,8]");
  AddOperator(b, wrapper, "relu", "[4,8]");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kOperator), ElementsAre("fc/linear = compiled/fc1/linear"));
  EXPECT_THAT(PairsOf(a, b, NodeKind::kKernel), ElementsAre("fc/linear/k = compiled/fc1/linear/k"));
}

TEST(TreeAlignment, PairsOperatorsOfFrameworksByWhatTheyCompute) {
  ComparisonTree a, b;
  for (const auto& [type, shape] : std::initializer_list<std::pair<const char*, const char*>>{
           {"aten::conv2d", "[[1,64,56,56]]"},
           {"aten::batch_norm", "[[1,64,56,56]]"},
           {"aten::relu_", "[[1,64,56,56]]"},
           {"aten::max_pool2d", "[[1,64,28,28]]"},
           {"aten::linear", "[[1,1000]]"}})
    AddOperator(a, 0, type, shape);
  // Fused and in another layout.
  AddOperator(b, 0, "FusedConv", "[[1,56,56,64]]");
  AddOperator(b, 0, "MaxPool", "[[1,28,28,64]]");
  AddOperator(b, 0, "Gemm", "[[1,1000]]");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kOperator),
              ElementsAre("aten::conv2d = FusedConv", "aten::batch_norm = -", "aten::relu_ = -",
                          "aten::max_pool2d = MaxPool", "aten::linear = Gemm"));
}

TEST(TreeAlignment, PairsKernelsOfVendorsByKindAndPositionWithinAnOperator) {
  ComparisonTree a, b;
  const std::int32_t of_a = a.Add(0, NodeKind::kOperator, "aten::conv2d");
  const std::int32_t of_b = b.Add(0, NodeKind::kOperator, "aten::conv2d");
  a.Add(of_a, NodeKind::kSet, "Memset (Device)");
  a.Add(of_a, NodeKind::kKernel, "void cutlass::Kernel<128>(Params)");
  a.Add(of_a, NodeKind::kKernel, "void at::add<int>(int*)");
  b.Add(of_b, NodeKind::kKernel, "asm_fwd_gtcx3");
  b.Add(of_b, NodeKind::kKernel, "void at::add<float>(float*)");
  b.Add(of_b, NodeKind::kKernel, "batched_transpose");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kKernel),
              ElementsAre("aten::conv2d/void cutlass::Kernel<128>(Params) = "
                          "aten::conv2d/asm_fwd_gtcx3",
                          "aten::conv2d/void at::add<int>(int*) = "
                          "aten::conv2d/void at::add<float>(float*)"));
  EXPECT_THAT(PairsOf(a, b, NodeKind::kSet), ElementsAre("aten::conv2d/Memset (Device) = -"));
}

TEST(TreeAlignment, PairsKernelsOfVendorsByRole) {
  ComparisonTree a, b;
  const std::int32_t of_a = a.Add(0, NodeKind::kOperator, "aten::conv2d");
  const std::int32_t of_b = b.Add(0, NodeKind::kOperator, "aten::conv2d");
  a.Add(of_a, NodeKind::kKernel, "void cutlass::Kernel<fprop_128>(Params)");
  a.Add(of_a, NodeKind::kKernel, "void cudnn::nhwcToNchwKernel<float>(float*)");
  b.Add(of_b, NodeKind::kKernel, "batched_transpose_16x16");
  b.Add(of_b, NodeKind::kKernel, "igemm_fwd_gtcx3");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kKernel),
              ElementsAre("aten::conv2d/void cutlass::Kernel<fprop_128>(Params) = "
                          "aten::conv2d/igemm_fwd_gtcx3",
                          "aten::conv2d/void cudnn::nhwcToNchwKernel<float>(float*) = "
                          "aten::conv2d/batched_transpose_16x16"));
}

TEST(TreeAlignment, LeavesUnattributedKernelsOfOtherNamesAlone) {
  ComparisonTree a, b;
  a.Add(0, NodeKind::kKernel, "one");
  a.Add(0, NodeKind::kKernel, "same");
  b.Add(0, NodeKind::kKernel, "same");
  b.Add(0, NodeKind::kKernel, "two");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kKernel), ElementsAre("one = -", "same = same"));
}

TEST(TreeAlignment, PairsByTypeAndOrderWhereOneSideHasNoPaths) {
  ComparisonTree a, b;
  const std::int32_t layer = a.Add(0, NodeKind::kModule, "layer1");
  for (const char* block : {"0", "1"}) {
    const std::int32_t module = a.Add(layer, NodeKind::kModule, block);
    AddOperator(a, module, "aten::conv2d", "[[1,64,56,56]]");
    AddOperator(a, module, "aten::add_", "[[1,64,56,56]]");
  }
  AddOperator(a, 0, "aten::add_", "[[1,8]]");  // One that no module is known of.
  AddOperator(a, a.Add(0, NodeKind::kModule, "fc"), "aten::linear", "[[1,1000]]");
  for (const char* type :
       {"aten::conv2d", "aten::add_", "aten::conv2d", "aten::add_", "aten::add_", "aten::linear"})
    AddOperator(b, 0, type);
  EXPECT_THAT(
      PairsOf(a, b, NodeKind::kOperator),
      ElementsAre("layer1/0/aten::conv2d = aten::conv2d", "layer1/0/aten::add_ = aten::add_",
                  "layer1/1/aten::conv2d = aten::conv2d", "layer1/1/aten::add_ = aten::add_",
                  "aten::add_ = aten::add_", "fc/aten::linear = aten::linear"));
  const TreeAlignment found = AlignTrees(a, b);
  EXPECT_TRUE(std::is_sorted(found.b_to_a.begin(), found.b_to_a.end()));  // In order.
}

TEST(TreeAlignment, PairsAnchorsOfFrameworksWhereOneSideHasPathsAndTheOtherNothing) {
  ComparisonTree a, b;
  AddOperator(a, a.Add(0, NodeKind::kModule, "conv1"), "Conv", "[[1,64,56,56]]", "one");
  AddOperator(a, a.Add(0, NodeKind::kModule, "fc"), "Gemm", "[[1,1000]]", "one");
  AddOperator(b, 0, "aten::conv2d", "", "two");
  AddOperator(b, 0, "aten::batch_norm", "", "two");
  AddOperator(b, 0, "aten::linear", "", "two");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kOperator),
              ElementsAre("conv1/Conv = aten::conv2d", "fc/Gemm = aten::linear"));
  EXPECT_THAT(
      PairsOf(b, a, NodeKind::kOperator),
      ElementsAre("aten::conv2d = conv1/Conv", "aten::batch_norm = -", "aten::linear = fc/Gemm"));
}

TEST(TreeAlignment, PairsOperatorsOfOtherTypesByTheirKernels) {
  ComparisonTree a, b;
  AddOperator(a, a.Add(0, NodeKind::kModule, "block"), "aten::cat", "", "CatArrayBatchedCopy");
  AddOperator(b, 0, "fused_0", "", "triton_poi_0");
  AddOperator(b, 0, "call_1", "", "CatArrayBatchedCopy");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kOperator), ElementsAre("block/aten::cat = call_1"));
}

TEST(TreeAlignment, PairsKernelsByNameAndRoleWhereOneSideHasNoOperators) {
  ComparisonTree a, b;
  AddOperator(a, a.Add(0, NodeKind::kModule, "conv1"), "aten::conv2d", "", "igemm_fwd_gtcx3");
  AddOperator(a, a.Add(0, NodeKind::kModule, "relu"), "aten::relu", "", "void at::relu<float>()");
  b.Add(0, NodeKind::kKernel, "void cutlass::Kernel<fprop_128>(Params)");
  b.Add(0, NodeKind::kKernel, "void at::relu<float>()");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kKernel),
              ElementsAre("conv1/aten::conv2d/igemm_fwd_gtcx3 = "
                          "void cutlass::Kernel<fprop_128>(Params)",
                          "relu/aten::relu/void at::relu<float>() = void at::relu<float>()"));
}

TEST(TreeAlignment, DoesNotPairOperatorsOfOtherShapesAcrossModules) {
  ComparisonTree a, b;
  AddOperator(a, a.Add(0, NodeKind::kModule, "head"), "linear", "[4,8]", "one");
  const std::int32_t other = b.Add(0, NodeKind::kModule, "other");
  AddOperator(b, other, "linear", "[4,99]", "two");
  AddOperator(b, other, "relu", "[4,99]", "two");
  EXPECT_THAT(PairsOf(a, b, NodeKind::kOperator), ElementsAre("head/linear = -"));
}

TEST(TreeAlignment, DoesNotPairAWholeCallWithTheTimeBetweenLayers) {
  ComparisonTree a, b;
  a.SetTime(a.Add(0, NodeKind::kBetween, "(between layers)"), 9);
  AddOperator(b, 0, "conv", "[4,8]");
  b.SetTime(b.Add(0, NodeKind::kBetween, "(between layers)"), 1);
  EXPECT_THAT(PairsOf(a, b, NodeKind::kBetween), ElementsAre("(between layers) = -"));
  EXPECT_THAT(PairsOf(b, b, NodeKind::kBetween),
              ElementsAre("(between layers) = (between layers)"));
}

/// A random model. Names of siblings are distinct, so that the best alignment from the root down is
/// that by names.
void Grow(ComparisonTree& tree, std::int32_t at, int depth, std::mt19937& random) {
  const unsigned modules = depth == 0 ? 0 : static_cast<unsigned>(random()) % 4;
  for (unsigned i = 0; i < modules; ++i)
    Grow(tree, tree.Add(at, NodeKind::kModule, "m" + std::to_string(random() % 1000 * 4 + i)),
         depth - 1, random);
  const unsigned operators = static_cast<unsigned>(random()) % 4;
  for (unsigned i = 0; i < operators; ++i)
    AddOperator(tree, at, "op" + std::to_string(i), "[" + std::to_string(random() % 9) + "]");
}

/// A copy without some of the nodes and what is below them.
ComparisonTree Pruned(const ComparisonTree& tree, std::mt19937& random) {
  ComparisonTree copy;
  std::vector<std::int32_t> place(tree.size(), -1);
  place[0] = 0;
  for (std::size_t i = 1; i < tree.size(); ++i) {
    const ComparisonNode& node = tree.nodes()[i];
    const std::int32_t parent = place[static_cast<std::size_t>(node.parent)];
    if (parent < 0 || random() % 12 == 0) continue;
    place[i] = copy.Add(parent, node.kind, tree.NameOf(i), tree.ShapeOf(i));
    if (node.has_time) copy.SetTime(place[i], node.own_ns);
  }
  return copy;
}

/// The number of pairs in the largest alignment from the root down in which nodes of one kind and
/// name are paired and children keep their order: by the table of all prefixes of children.
std::int64_t LargestAlignment(const ComparisonTree& a, std::int32_t i, const ComparisonTree& b,
                              std::int32_t j) {
  const auto children = [](const ComparisonTree& tree, std::int32_t of) {
    std::vector<std::int32_t> found;
    for (std::size_t k = 1; k < tree.size(); ++k)
      if (tree.nodes()[k].parent == of) found.push_back(static_cast<std::int32_t>(k));
    return found;
  };
  const auto of_a = children(a, i), of_b = children(b, j);
  std::vector<std::vector<std::int64_t>> best(of_a.size() + 1,
                                              std::vector<std::int64_t>(of_b.size() + 1, 0));
  for (std::size_t x = 0; x < of_a.size(); ++x) {
    for (std::size_t y = 0; y < of_b.size(); ++y) {
      const auto p = static_cast<std::size_t>(of_a[x]), q = static_cast<std::size_t>(of_b[y]);
      best[x + 1][y + 1] = std::max(best[x][y + 1], best[x + 1][y]);
      if (a.nodes()[p].kind == b.nodes()[q].kind && a.NameOf(p) == b.NameOf(q))
        best[x + 1][y + 1] =
            std::max(best[x + 1][y + 1], best[x][y] + LargestAlignment(a, of_a[x], b, of_b[y]));
    }
  }
  return 1 + best[of_a.size()][of_b.size()];
}

TEST(TreeAlignment, OfPrunedTreesIsAtLeastTheLargestInOrder) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    ComparisonTree whole;
    Grow(whole, 0, 4, random);
    const ComparisonTree a = Pruned(whole, random), b = Pruned(whole, random);
    const TreeAlignment found = AlignTrees(a, b);
    const auto aligned = std::count_if(found.a_to_b.begin(), found.a_to_b.end(),
                                       [](std::int32_t j) { return j >= 0; });
    // More where operators are found again in another module.
    EXPECT_GE(aligned, LargestAlignment(a, 0, b, 0)) << "round " << round;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (const std::int32_t j = found.a_to_b[i]; j >= 0) {
        EXPECT_EQ(a.nodes()[i].kind, b.nodes()[static_cast<std::size_t>(j)].kind);
        EXPECT_EQ(found.b_to_a[static_cast<std::size_t>(j)], static_cast<std::int32_t>(i));
      }
  }
}

TEST(TreeAlignment, OfATreeWithItselfIsTheIdentity) {
  std::mt19937 random(6);
  for (int round = 0; round < 50; ++round) {
    ComparisonTree tree;
    Grow(tree, 0, 5, random);
    const TreeAlignment found = AlignTrees(tree, tree);
    for (std::size_t i = 0; i < tree.size(); ++i)
      EXPECT_EQ(found.a_to_b[i], static_cast<std::int32_t>(i));
  }
}

TEST(CommonType, IsOneForAllFrameworks) {
  for (const char* type : {"aten::batch_norm", "BatchNormalization", "batch_norm"})
    EXPECT_EQ(CommonType(type), "batchnorm") << type;
  for (const char* type : {"aten::relu_", "Relu", "ReLU"}) EXPECT_EQ(CommonType(type), "relu");
  for (const char* type : {"aten::max_pool2d", "MaxPool"}) EXPECT_EQ(CommonType(type), "maxpool");
  for (const char* type : {"aten::adaptive_avg_pool2d", "GlobalAveragePool", "AveragePool"})
    EXPECT_EQ(CommonType(type), "averagepool") << type;
  EXPECT_EQ(CommonType(""), "");
  EXPECT_EQ(CommonType("2d"), "2d");
}

}  // namespace
}  // namespace xsp::compare
