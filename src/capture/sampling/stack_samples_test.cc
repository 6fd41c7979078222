#include "capture/sampling/stack_samples.h"

#include <gtest/gtest.h>

namespace xsp::sampling {
namespace {

StackSamples TwoThreads() {
  StackSamples samples;
  samples.rate_hz = 99;
  samples.realtime_offset_ns = 1000;
  samples.has_kernel_frames = true;
  const std::uint32_t main = samples.tree.InternFrame("main", "app");
  const std::uint32_t work = samples.tree.InternFrame("work", "libwork.so");
  const std::uint32_t root = samples.tree.Child(0, main);
  samples.samples = {{10, 5, 5, samples.tree.Child(root, work)}, {20, 5, 6, root}, {30, 5, 6, 0}};
  samples.thread_names = {{6, "helper"}};
  return samples;
}

TEST(CallTreeTest, TheSameStackIsOneNode) {
  CallTree tree;
  const std::uint32_t a = tree.InternFrame("a", "m"), b = tree.InternFrame("b", "m");
  EXPECT_EQ(tree.InternFrame("a", "m"), a);
  EXPECT_NE(tree.InternFrame("a", "other"), a);
  const std::uint32_t below = tree.Child(tree.Child(0, a), b);
  EXPECT_EQ(tree.Child(tree.Child(0, a), b), below);
  EXPECT_NE(tree.Child(0, b), below);
  EXPECT_EQ(tree.nodes().size(), 4u);  // With the one above all roots.
}

TEST(StackSamplesTest, SamplesLieOnTheTracksOfTheirThreads) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  writer.AddTrack(
      {.kind = trace::TrackKind::kThread, .name = "main", .process_id = 5, .thread_id = 5});
  AddToTrace(TwoThreads(), writer);
  ASSERT_EQ(trace.stack_samples.size(), 3u);
  EXPECT_EQ(trace.stack_samples.track[0], 1u);
  EXPECT_EQ(trace.stack_samples.time_ns[0], 1010);
  EXPECT_EQ(trace.stack_samples.kind[0], trace::StackKind::kNative);
  ASSERT_EQ(trace.tracks.size(), 2u);
  EXPECT_EQ(trace.tracks[1].name, "helper");
  EXPECT_EQ(trace.tracks[1].thread_id, 6);
  EXPECT_EQ(trace.stack_samples.track[2], 2u);
  EXPECT_EQ(trace.stack_samples.stack[2], 0u);
  const trace::CallStackId leaf = trace.stack_samples.stack[0];
  EXPECT_EQ(trace.Text(trace.call_stacks.frame[leaf - 1]), "work");
  EXPECT_EQ(trace.Text(trace.call_stacks.module[leaf - 1]), "libwork.so");
  const trace::CallStackId above = trace.call_stacks.parent[leaf - 1];
  EXPECT_EQ(trace.Text(trace.call_stacks.frame[above - 1]), "main");
  EXPECT_EQ(trace.call_stacks.parent[above - 1], 0u);
  EXPECT_EQ(trace.facts.find("sampling.native.rate_hz")->second, "99");
  EXPECT_TRUE(trace.diagnostics.empty());
}

TEST(StackSamplesTest, WhatIsMissingIsSaid) {
  StackSamples samples = TwoThreads();
  samples.lost = 3;
  samples.has_kernel_frames = false;
  samples.kernel_hidden_why = "perf_event_paranoid is 2";
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  AddToTrace(samples, writer);
  EXPECT_EQ(trace.diagnostics.find("sampling_lost")->second.count, 3);
  EXPECT_EQ(trace.diagnostics.find("sampling_kernel_hidden")->second.example,
            "perf_event_paranoid is 2");
}

}  // namespace
}  // namespace xsp::sampling
