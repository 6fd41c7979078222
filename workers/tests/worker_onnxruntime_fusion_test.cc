// What the ONNX Runtime worker tells of fused nodes, from graphs alone: no library is needed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "onnxruntime/fused_nodes.h"
#include "onnxruntime/onnx_graph.h"
#include "onnxruntime/unpadded_sizes.h"
#include "protobuf/message.h"

namespace xsp::workers_test {
namespace {

using protobuf::MessageWriter;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
using namespace worker_onnxruntime;

using Parts = std::vector<std::vector<std::size_t>>;

Graph GraphOf(std::vector<GraphNode> nodes, std::unordered_set<std::string> constants = {}) {
  return {std::move(nodes), std::move(constants)};
}

std::string Serialised(const Graph& graph) {
  MessageWriter message;
  for (const GraphNode& node : graph.nodes) {
    MessageWriter one;
    for (const std::string& input : node.inputs) one.Bytes(1, input);
    for (const std::string& output : node.outputs) one.Bytes(2, output);
    message.Bytes(1, one.Bytes(3, node.name).Bytes(4, node.type).text());
  }
  for (const std::string& constant : graph.constants) {
    message.Bytes(5, MessageWriter().Integer(2, 1).Bytes(8, constant).Bytes(9, "1234").text());
  }
  return MessageWriter().Integer(1, 8).Bytes(7, message.text()).text();
}

// Two convolutions, the second with a sum and an activation behind it, as a residual block has.
const Graph kBlock = GraphOf({{"conv1", {"x", "w1"}, {"a"}, "Conv"},
                              {"bn1", {"a", "s1"}, {"b"}, "BatchNormalization"},
                              {"relu1", {"b"}, {"c"}, "Relu"},
                              {"conv2", {"c", "w2"}, {"d"}, "Conv"},
                              {"add", {"d", "c"}, {"e"}, "Add"},
                              {"relu2", {"e"}, {"f"}, "Relu"},
                              {"pool", {"f"}, {"y"}, "MaxPool"}},
                             {"w1", "w2", "s1"});

TEST(OnnxGraph, ReadsNodesAndNamesOfConstants) {
  const auto graph = ReadGraph(Serialised(kBlock));
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->nodes.size(), kBlock.nodes.size());
  for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
    EXPECT_EQ(graph->nodes[i].name, kBlock.nodes[i].name);
    EXPECT_EQ(graph->nodes[i].inputs, kBlock.nodes[i].inputs);
    EXPECT_EQ(graph->nodes[i].outputs, kBlock.nodes[i].outputs);
    EXPECT_EQ(graph->nodes[i].type, kBlock.nodes[i].type);
  }
  EXPECT_EQ(graph->constants, kBlock.constants);
}

TEST(OnnxGraph, ReadsTheModuleOfANode) {
  const auto path_of = [](std::string_view key, std::string_view value) {
    const std::string entry = MessageWriter().Bytes(1, key).Bytes(2, value).text();
    const std::string node = MessageWriter().Bytes(2, "y").Bytes(4, "Add").Bytes(9, entry).text();
    const auto graph =
        ReadGraph(MessageWriter().Bytes(7, MessageWriter().Bytes(1, node).text()).text());
    return graph && graph->nodes.size() == 1 ? graph->nodes[0].path : "?";
  };
  // As torch.onnx 2.15 writes it: of a node in a module, of one in the model itself.
  const std::string_view scopes = "pkg.torch.onnx.name_scopes";
  EXPECT_EQ(path_of(scopes, "['', 'layer1', 'layer1.0', 'add']"), "layer1.0");
  EXPECT_EQ(path_of(scopes, "['', 'view']"), "");
  EXPECT_EQ(path_of("namespace", "['', 'layer1', 'add']"), "");
  for (const char* odd : {"", "[]", "['']", "'", ", '", "x, 'y", "['a', b, 'c']"})
    EXPECT_EQ(path_of(scopes, odd), "") << odd;
}

TEST(PathsOfParts, AreThoseOfTheFirstPartInAModule) {
  Graph before = kBlock;
  before.nodes[1].path = "bn";
  before.nodes[3].path = "layer1.conv2";
  const Graph after = GraphOf({{"fused1", {"x", "w1"}, {"c"}, "Conv"},
                               {"fused2", {"c", "w2"}, {"f"}, "Conv"},
                               {"pool", {"f"}, {"y"}, "MaxPool"}},
                              {"w1", "w2"});
  EXPECT_THAT(PathsOfParts(before, after, FindParts(before, after)),
              UnorderedElementsAre(Pair("fused1", "bn"), Pair("fused2", "layer1.conv2")));
}

TEST(OnnxGraph, AConstantIsNoNode) {
  const std::string node = MessageWriter().Bytes(2, "one").Bytes(4, "Constant").text();
  const auto graph =
      ReadGraph(MessageWriter().Bytes(7, MessageWriter().Bytes(1, node).text()).text());
  ASSERT_TRUE(graph);
  EXPECT_TRUE(graph->nodes.empty());
  EXPECT_THAT(graph->constants, UnorderedElementsAre("one"));
}

TEST(OnnxGraph, ReadsNothingOfADamagedFile) {
  const std::string whole = Serialised(kBlock);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(ReadGraph(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(ReadGraphFile("/nonexistent/model.onnx"));
}

TEST(OnnxGraph, AnyBytesAreSafe) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::string text = Serialised(kBlock);
    for (int edit = 0; edit < 4; ++edit) text[random() % text.size()] = static_cast<char>(random());
    const auto graph = ReadGraph(text);
    if (graph) FindParts(*graph, kBlock);
  }
}

TEST(FusedNodes, AreWhatLiesBetweenResultsAndInputs) {
  const Graph fused = GraphOf({{"conv1", {"x", "w"}, {"c"}},
                               {"conv2", {"c", "w2"}, {"d"}},
                               {"add", {"d", "c"}, {"f"}},
                               {"pool", {"f"}, {"y"}}},
                              {"w", "w2"});
  const NodeParts found = FindParts(kBlock, fused);
  EXPECT_EQ(found.parts, (Parts{{0, 1, 2}, {3}, {4, 5}, {6}}));
  EXPECT_EQ(found.uncertain, 0u);
  EXPECT_THAT(NamesOfParts(kBlock, fused, found),
              UnorderedElementsAre(Pair("conv1", "conv1,bn1,relu1"), Pair("conv2", "conv2"),
                                   Pair("add", "add,relu2"), Pair("pool", "pool")));
}

TEST(FusedNodes, OfABlockedLayoutAreFoundByTheirNames) {
  // Values have new names, and the sum went into the convolution that reads the other operand.
  const Graph blocked =
      GraphOf({{"c_nchwc", {"x", "w"}, {"reorder_1"}},
               {"d_nchwc_token_7", {"reorder_1", "w2", "", "reorder_1"}, {"reorder_2"}},
               {"ReorderOutput", {"reorder_2"}, {"f"}, "ReorderOutput"},
               {"pool", {"f"}, {"y"}}},
              {"w", "w2"});
  const Graph extended = GraphOf({{"conv1", {"x", "w"}, {"c"}},
                                  {"conv2", {"c", "w2"}, {"d"}},
                                  {"add", {"d", "c"}, {"e"}},
                                  {"relu2", {"e"}, {"f"}},
                                  {"pool", {"f"}, {"y"}}},
                                 {"w", "w2"});
  const NodeParts last = FindParts(extended, blocked);
  EXPECT_EQ(last.parts, (Parts{{0}, {1, 2, 3}, {}, {4}}));
  const NodeParts all = Compose(FindParts(kBlock, extended), last);
  EXPECT_EQ(all.parts, (Parts{{0, 1, 2}, {3, 4, 5}, {}, {6}}));
  EXPECT_EQ(all.uncertain, 0u);
}

TEST(FusedNodes, ASumOfTwoGoesIntoTheOneThatReadsTheOther) {
  const Graph before = GraphOf({{"left", {"x"}, {"l"}},
                                {"right", {"x"}, {"r"}},
                                {"add", {"l", "r"}, {"y1"}},
                                {"relu", {"y1"}, {"y"}}});
  const auto with = [](std::vector<std::string> left, std::vector<std::string> right) {
    return GraphOf({{"l_nchwc", std::move(left), {"1"}},
                    {"r_nchwc", std::move(right), {"2"}},
                    {"ReorderOutput", {"1"}, {"z"}, "ReorderOutput"}});
  };
  EXPECT_EQ(FindParts(before, with({"x", "2"}, {"x"})).parts, (Parts{{0, 2, 3}, {1}, {}}));
  EXPECT_EQ(FindParts(before, with({"x"}, {"x", "1"})).parts, (Parts{{0}, {1, 2, 3}, {}}));
  // Neither reads the other: unknown.
  EXPECT_EQ(FindParts(before, with({"x"}, {"x"})).parts, (Parts{{0}, {1}, {}}));
}

TEST(FusedNodes, ANodeThatSeveralFoldInIsPartOfEach) {
  // A dequantisation with two readers, as the two of a residual block.
  const Graph before = GraphOf({{"dequantise", {"q"}, {"f"}},
                                {"conv", {"f"}, {"c"}},
                                {"quantise", {"c"}, {"y1"}},
                                {"add", {"f", "z"}, {"y2"}}});
  const Graph after = GraphOf({{"conv", {"q"}, {"y1"}}, {"add", {"q", "z"}, {"y2"}}});
  EXPECT_EQ(FindParts(before, after).parts, (Parts{{0, 1, 2}, {0, 3}}));
}

TEST(FusedNodes, WhatTheOptimiserPutInHasNoParts) {
  const std::string type = "Transpose";
  const Graph before = GraphOf({{"Transpose", {"x"}, {"t"}, type}, {"conv", {"t"}, {"y"}}});
  const Graph after = GraphOf({{"Transpose", {"x"}, {"t"}, type},
                               {"Transpose_token_1", {"t"}, {"t1"}, type},
                               {"conv_token_2", {"t1"}, {"conv"}},
                               {"Transpose_token_3", {"conv"}, {"y"}, type}});
  EXPECT_EQ(FindParts(before, after).parts, (Parts{{0}, {}, {1}, {}}));
}

TEST(FusedNodes, OfABlockedLayoutThatHaveNoNamesAreNotGuessed) {
  const Graph before = GraphOf({{"", {"x"}, {"a"}, "Conv"},
                                {"", {"a", "a"}, {"b"}, "Concat"},
                                {"", {"b"}, {"c"}, "Conv"},
                                {"", {"c"}, {"d"}, "Relu"},
                                {"", {"d"}, {"y"}, "Transpose"}});
  const Graph after = GraphOf({{"a_nchwc", {"x"}, {"reorder_1"}, "Conv"},
                               {"", {"reorder_1", "reorder_1"}, {"reorder_2"}, "Concat"},
                               {"c_nchwc", {"reorder_2"}, {"reorder_3"}, "Conv"},
                               {"ReorderOutput", {"reorder_3"}, {"d"}, "ReorderOutput"},
                               {"", {"d"}, {"y"}, "Transpose"}});
  const NodeParts found = FindParts(before, after);
  EXPECT_EQ(found.parts, (Parts{{0}, {}, {2, 3}, {}, {4}}));
  EXPECT_EQ(found.uncertain, 1u);
}

TEST(FusedNodes, WhatWasComputedWhileLoadingIsNobodys) {
  const Graph before =
      GraphOf({{"shape", {"x"}, {"s"}}, {"cast", {"s"}, {"c"}}, {"reshape", {"x", "c"}, {"y"}}});
  const Graph after = GraphOf({{"reshape", {"x", "c"}, {"y"}}}, {"c"});
  EXPECT_EQ(FindParts(before, after).parts, (Parts{{2}}));
}

TEST(FusedNodes, PartsThatDoNotFitTheInputsAreNotTold) {
  // Two equal nodes became one; the reader of the second now reads the first's result.
  const Graph before = GraphOf({{"twin1", {"x"}, {"a"}},
                                {"twin2", {"x"}, {"b"}},
                                {"one", {"a"}, {"y1"}},
                                {"two", {"b"}, {"y2"}}});
  const Graph after =
      GraphOf({{"twin1", {"x"}, {"a"}}, {"one", {"a"}, {"y1"}}, {"two", {"a"}, {"y2"}}});
  const NodeParts found = FindParts(before, after);
  EXPECT_EQ(found.parts, (Parts{{0}, {2}, {3}}));
  EXPECT_EQ(found.uncertain, 1u);
}

TEST(FusedNodes, WithoutNamesAreCalledByTheirResults) {
  const Graph before = GraphOf({{"", {"x"}, {"a"}}, {"relu", {"a"}, {"y"}}});
  const Graph after =
      GraphOf({{"fused", {"x"}, {"y"}}, {"twice", {"y"}, {"z"}}, {"twice", {"y"}, {"y2"}}});
  EXPECT_THAT(NamesOfParts(before, after, FindParts(before, after)),
              ElementsAre(Pair("fused", "a,relu")));
}

/// A random graph in which each node reads one to three earlier values.
Graph RandomGraph(std::mt19937& random, std::size_t size) {
  Graph graph;
  for (std::size_t i = 0; i < size; ++i) {
    GraphNode node{"n" + std::to_string(i), {}, {"v" + std::to_string(i)}};
    const std::size_t count = 1 + random() % 3;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t from = random() % (i + 1);
      const std::string value =
          from == i ? "x" : "v" + std::to_string(i - 1 - random() % std::min<std::size_t>(i, 4));
      if (std::find(node.inputs.begin(), node.inputs.end(), value) == node.inputs.end())
        node.inputs.push_back(value);
    }
    graph.nodes.push_back(std::move(node));
  }
  return graph;
}

/// Fuses nodes into the only reader of their result, at random. `members`: what went into each.
Graph Fuse(const Graph& graph, std::mt19937& random, Parts& members) {
  const std::size_t size = graph.nodes.size();
  std::vector<std::size_t> into(size);
  for (std::size_t i = size; i-- > 0;) {
    std::vector<std::size_t> readers;
    for (std::size_t j = i + 1; j < size; ++j) {
      const auto& inputs = graph.nodes[j].inputs;
      if (std::find(inputs.begin(), inputs.end(), graph.nodes[i].outputs[0]) != inputs.end())
        readers.push_back(j);
    }
    into[i] = readers.size() == 1 && random() % 2 == 0 ? into[readers[0]] : i;
  }
  Graph fused;
  for (std::size_t last = 0; last < size; ++last) {
    if (into[last] != last) continue;
    GraphNode node{"fused" + std::to_string(last), {}, graph.nodes[last].outputs};
    std::vector<std::size_t>& parts = members.emplace_back();
    for (std::size_t i = 0; i < size; ++i) {
      if (into[i] == last) parts.push_back(i);
    }
    for (const std::size_t part : parts) {
      for (const std::string& value : graph.nodes[part].inputs) {
        const bool is_inside = value != "x" && into[std::stoul(value.substr(1))] == last;
        const bool is_new =
            std::find(node.inputs.begin(), node.inputs.end(), value) == node.inputs.end();
        if (!is_inside && is_new) node.inputs.push_back(value);
      }
    }
    fused.nodes.push_back(std::move(node));
  }
  return fused;
}

TEST(FusedNodes, AreFoundInRandomGraphsAsTheyWereFused) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const Graph graph = RandomGraph(random, 1 + random() % 40);
    Parts members, of_members;
    const Graph once = Fuse(graph, random, members);
    const NodeParts found = FindParts(graph, once);
    ASSERT_EQ(found.parts, members) << round;
    ASSERT_EQ(found.uncertain, 0u) << round;
  }
}

TEST(OnnxGraph, ReadsDomainsGroupsAndShapesOfConstants) {
  MessageWriter group, value, constant, initializer, packed, node, graph;
  group.Bytes(1, "group").Integer(3, 4);
  node.Bytes(1, "x").Bytes(1, "w").Bytes(2, "y").Bytes(4, "Conv").Bytes(5, group.text());
  node.Bytes(7, "com.microsoft.nchwc");
  value.Bytes(1, "value").Bytes(5, MessageWriter().Integer(1, 7).Integer(1, 9).text());
  constant.Bytes(2, "c").Bytes(4, "Constant").Bytes(5, value.text());
  initializer.Integer(1, 4).Integer(1, 3).Bytes(8, "w");
  packed.Bytes(1, std::string("\x04\xac\x02", 3)).Bytes(8, "p");
  graph.Bytes(1, constant.text()).Bytes(1, node.text());
  graph.Bytes(5, initializer.text()).Bytes(5, packed.text());
  const auto read = ReadGraph(MessageWriter().Bytes(7, graph.text()).text());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->nodes.size(), 1u);
  EXPECT_EQ(read->nodes[0].domain, "com.microsoft.nchwc");
  EXPECT_EQ(read->nodes[0].groups, 4);
  EXPECT_THAT(read->shapes.at("c"), ElementsAre(7, 9));
  EXPECT_THAT(read->shapes.at("w"), ElementsAre(4, 3));
  EXPECT_THAT(read->shapes.at("p"), ElementsAre(4, 300));
}

// Convolutions 3 -> 4 -> 4 (each channel by itself) -> 12 and a product, as ONNX Runtime 1.31 makes
// of them on a CPU with blocks of 8.
TEST(UnpaddedSizes, ChannelsAreThoseOfTheConvolutionsInTheFile) {
  Graph before = GraphOf({{"c1", {"x", "w1", "b1"}, {"a"}, "Conv"},
                          {"r1", {"a"}, {"b"}, "Relu"},
                          {"c2", {"b", "w2"}, {"d"}, "Conv", "", "", 4},
                          {"c3", {"d", "w3"}, {"e"}, "Conv"},
                          {"s", {"e"}, {"f"}, "Sigmoid"},
                          {"m", {"e", "f"}, {"y"}, "Mul"}},
                         {"w1", "b1", "w2", "w3"});
  before.shapes = {{"w1", {4, 3, 3, 3}}, {"b1", {4}}, {"w2", {4, 1, 3, 3}}, {"w3", {12, 4, 1, 1}}};
  const std::string blocked = "com.microsoft.nchwc";
  const Graph after = GraphOf({{"b_nchwc", {"x", "1", "2"}, {"3"}, "Conv", "", blocked},
                               {"back", {"3"}, {"b"}, "ReorderOutput", "", blocked},
                               {"in", {"b"}, {"4"}, "ReorderInput", "", blocked},
                               {"d_nchwc", {"4", "5"}, {"6"}, "Conv", "", blocked, 8},
                               {"e_nchwc", {"6", "7"}, {"8"}, "Conv", "", blocked},
                               {"quick", {"8"}, {"9"}, "QuickGelu", "", "com.microsoft"},
                               {"out", {"9"}, {"y"}, "ReorderOutput", "", blocked}},
                              {"1", "2", "5", "7"});
  const NodeParts parts = {{{0, 1}, {}, {}, {2}, {3}, {4, 5}, {}}, 0};
  const UnpaddedNodes found = FindUnpaddedSizes(before, after, parts);
  const auto inputs = [&](const char* node, const char* shapes) {
    return WithoutPadding(shapes, found.at(node).inputs);
  };
  const auto outputs = [&](const char* node, const char* shapes) {
    return WithoutPadding(shapes, found.at(node).outputs);
  };
  EXPECT_EQ(inputs("b_nchwc", "[[2,3,16,16],[8,3,3,3],[8]]"), "[[2,3,16,16],[4,3,3,3],[4]]");
  EXPECT_EQ(outputs("b_nchwc", "[[2,8,16,16]]"), "[[2,4,16,16]]");
  EXPECT_EQ(inputs("back", "[[2,8,16,16]]"), "[[2,4,16,16]]");
  EXPECT_THAT(found.at("back").outputs, IsEmpty());
  EXPECT_THAT(found.at("in").inputs, IsEmpty());
  EXPECT_EQ(outputs("in", "[[2,8,16,16]]"), "[[2,4,16,16]]");
  EXPECT_EQ(inputs("d_nchwc", "[[2,8,16,16],[8,1,3,3]]"), "[[2,4,16,16],[4,1,3,3]]");
  EXPECT_EQ(inputs("e_nchwc", "[[2,8,16,16],[16,8,1,1]]"), "[[2,4,16,16],[12,4,1,1]]");
  EXPECT_EQ(inputs("quick", "[[2,16,16,16]]"), "[[2,12,16,16]]");
  EXPECT_EQ(outputs("quick", "[[2,16,16,16]]"), "[[2,12,16,16]]");
  EXPECT_EQ(inputs("out", "[[2,16,16,16]]"), "[[2,12,16,16]]");
}

TEST(UnpaddedSizes, NothingIsSaidWhereTheConvolutionIsNotKnown) {
  const std::string blocked = "com.microsoft.nchwc";
  const Graph before = GraphOf({{"c", {"x", "computed"}, {"y"}, "Conv"}});
  const Graph after = GraphOf({{"y_nchwc", {"x", "1"}, {"2"}, "Conv", "", blocked},
                               {"r", {"2"}, {"3"}, "Relu"},
                               {"out", {"3"}, {"y"}, "ReorderOutput", "", blocked}});
  EXPECT_TRUE(FindUnpaddedSizes(before, after, {{{0}, {}, {}}, 0}).empty());
  EXPECT_TRUE(FindUnpaddedSizes(before, after, {{{}, {}, {}}, 0}).empty());
}

TEST(UnpaddedSizes, OnlyPaddingIsTakenOff) {
  const std::vector<UnpaddedSize> sizes = {{0, 1, 4}, {1, 0, 30}};
  EXPECT_EQ(WithoutPadding("[[1,8,8],[32,8]]", sizes), "[[1,4,8],[30,8]]");
  EXPECT_EQ(WithoutPadding("[[1,2,8],[30,8]]", sizes), "[[1,2,8],[30,8]]");
  EXPECT_EQ(WithoutPadding("[[1,20,8],[46,8]]", sizes), "[[1,20,8],[46,8]]");
  EXPECT_EQ(WithoutPadding("[[],[]]", sizes), "[[],[]]");
  EXPECT_EQ(WithoutPadding("[[1,8", sizes), "[[1,8");
  EXPECT_EQ(WithoutPadding("", sizes), "");
}

}  // namespace
}  // namespace xsp::workers_test
