#include "derive/timeline/call_tree/call_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::call_tree {
namespace {

using testing::ElementsAre;
using trace::CallStackId;
using trace::Level;
using trace::StackKind;

constexpr std::size_t kAll = 1'000'000;

std::string PathOf(const std::vector<Node>& nodes, std::size_t position) {
  std::string path;
  for (std::size_t at = position; at != 0; at = nodes[at - 1].parent)
    path = "/" + std::string(nodes[at - 1].frame) + path;
  return path;
}

/// "path samples self" of every node, in order.
std::vector<std::string> Texts(const std::vector<Node>& nodes) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    texts.push_back(PathOf(nodes, i + 1) + " " + std::to_string(nodes[i].samples) + " " +
                    std::to_string(nodes[i].self_samples));
  return texts;
}

TEST(CallTreeTest, CountsSamplesInAFunctionAndInWhatItCalled) {
  Recording recording;
  const auto thread = recording.Thread();
  auto& writer = recording.writer();
  const CallStackId main = writer.AddCallStack(0, "main", "app");
  const CallStackId small = writer.AddCallStack(main, "small", "app");
  const CallStackId large = writer.AddCallStack(main, "large", "app");
  for (const CallStackId stack : {small, large, large, main})
    writer.AddStackSample(thread, 10, stack, StackKind::kNative);
  EXPECT_THAT(Texts(BuildCallTree(recording.trace(), StackKind::kNative, kAll)),
              ElementsAre("/main 4 1", "/main/large 2 2", "/main/small 1 1"));
}

TEST(CallTreeTest, KindsAreApartAndProcessesTogether) {
  Recording recording;
  const auto thread = recording.Thread(), other = recording.Thread(1, 2);
  auto& writer = recording.writer();
  // Two recordings of the same program: its functions have other ids.
  for (const auto track : {thread, other}) {
    const CallStackId main = writer.AddCallStack(0, "main", "app");
    writer.AddStackSample(track, 10, writer.AddCallStack(main, "work", "app"), StackKind::kNative);
  }
  const CallStackId module = writer.AddCallStack(0, "<module>", "app.py");
  writer.AddStackSample(thread, 10, module, StackKind::kPython);
  writer.AddStackSample(thread, 10, 0, StackKind::kPython);  // Nothing was found.
  EXPECT_THAT(Texts(BuildCallTree(recording.trace(), StackKind::kNative, kAll)),
              ElementsAre("/main 2 0", "/main/work 2 2"));
  EXPECT_THAT(Texts(BuildCallTree(recording.trace(), StackKind::kPython, kAll)),
              ElementsAre("/<module> 1 1"));
}

TEST(CallTreeTest, TheSameFunctionOfTwoLibrariesIsTwo) {
  Recording recording;
  const auto thread = recording.Thread();
  auto& writer = recording.writer();
  for (const char* module : {"liba.so", "libb.so"})
    writer.AddStackSample(thread, 10, writer.AddCallStack(0, "run", module), StackKind::kNative);
  EXPECT_EQ(BuildCallTree(recording.trace(), StackKind::kNative, kAll).size(), 2u);
}

TEST(CallTreeTest, SamplesAreOfTheLayerThatWasOpenOnTheirThread) {
  Recording recording;
  const auto thread = recording.Thread(), other = recording.Thread(trace::kNotApplicable, 2);
  const auto module = recording.Add(Level::kLayer, "module", "Net", thread, 0, 1000);
  const auto conv = recording.Add(Level::kLayer, "aten::conv2d", "conv1", thread, 100, 100, module);
  recording.Add(Level::kLayer, "aten::convolution", "inner", thread, 120, 50, conv);
  recording.Add(Level::kLayer, "aten::relu", "relu1", thread, 200, 100, module);
  auto& writer = recording.writer();
  const CallStackId stack = writer.AddCallStack(0, "work", "app");
  // Before, at its start, inside the inner one, at the end (relu's start), behind.
  for (const std::int64_t time_ns : {50, 100, 130, 200, 300})
    writer.AddStackSample(thread, time_ns, stack, StackKind::kNative);
  writer.AddStackSample(other, 130, stack, StackKind::kNative);
  const auto nodes = BuildCallTree(recording.trace(), StackKind::kNative, kAll);
  ASSERT_EQ(nodes.size(), 1u);
  const std::map<LayerName, std::int64_t> expected = {
      {{"", ""}, 3}, {{"conv1", "aten::conv2d"}, 2}, {{"relu1", "aten::relu"}, 1}};
  EXPECT_EQ(nodes[0].self_of_layer, expected);
}

TEST(CallTreeTest, WhatIsLeftOutIsFoldedAndEverySumStays) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    Recording recording;
    const auto thread = recording.Thread();
    auto& writer = recording.writer();
    recording.Add(Level::kLayer, "aten::relu", "relu", thread, 50, 20);
    std::vector<CallStackId> stacks = {0};
    for (int i = 0; i < 60; ++i)
      stacks.push_back(writer.AddCallStack(stacks[random() % stacks.size()],
                                           std::string(1, static_cast<char>('a' + random() % 5)),
                                           "app"));
    std::map<std::string, std::int64_t> slow_self;
    std::int64_t total = 0;
    for (int i = 0; i < 200; ++i) {
      const CallStackId stack = stacks[1 + random() % 60];
      writer.AddStackSample(thread, static_cast<std::int64_t>(random() % 100), stack,
                            StackKind::kNative);
      std::string path;
      for (CallStackId at = stack; at != 0; at = recording.trace().call_stacks.parent[at - 1])
        path = "/" +
               std::string(recording.trace().Text(recording.trace().call_stacks.frame[at - 1])) +
               path;
      ++slow_self[path];
      ++total;
    }
    std::map<std::string, std::int64_t> self;
    const auto all = BuildCallTree(recording.trace(), StackKind::kNative, kAll);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].self_samples > 0) self[PathOf(all, i + 1)] += all[i].self_samples;
    EXPECT_EQ(self, slow_self);
    for (const std::size_t most : {std::size_t{1}, std::size_t{5}, std::size_t{20}}) {
      const auto nodes = BuildCallTree(recording.trace(), StackKind::kNative, most);
      EXPECT_LE(std::count_if(nodes.begin(), nodes.end(),
                              [](const Node& node) { return node.frame != kSmaller; }),
                static_cast<std::ptrdiff_t>(most));
      std::vector<std::int64_t> below(nodes.size() + 1);
      std::int64_t roots = 0;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        EXPECT_LT(nodes[i].parent, i + 1);
        (nodes[i].parent == 0 ? roots : below[nodes[i].parent]) += nodes[i].samples;
        std::int64_t of_layers = 0;
        for (const auto& [layer, count] : nodes[i].self_of_layer) of_layers += count;
        EXPECT_EQ(of_layers, nodes[i].self_samples);
      }
      EXPECT_EQ(roots, total);
      for (std::size_t i = 0; i < nodes.size(); ++i)
        EXPECT_EQ(nodes[i].samples, below[i + 1] + nodes[i].self_samples);
    }
  }
}

}  // namespace
}  // namespace xsp::timeline::call_tree
