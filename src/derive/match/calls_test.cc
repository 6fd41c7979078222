#include "derive/match/calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "derive/match/match_testing.h"

namespace xsp::match {
namespace {

using trace::Level;

RunCalls Find(Recording& recording) { return FindCalls(SpanValues(recording.trace())); }

TEST(FindCalls, KeepsSamplesAndCountsWarmUp) {
  Recording r;
  r.Call(-2, 0, 10);
  r.Call(-1, 10, 10);
  r.Call(0, 20, 7);
  r.Call(1, 30, 8);
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.size(), 2u);
  EXPECT_EQ(found.calls[0].iteration, 0);
  EXPECT_EQ(found.calls[0].latency_ns, 7);
  EXPECT_EQ(found.calls[1].latency_ns, 8);
  EXPECT_EQ(found.warmup, 2);
}

TEST(FindCalls, OfSeveralKindsTakesThatWithMostTime) {
  Recording r;
  const auto call = [&](std::string_view type, std::string_view name, std::int64_t start_ns,
                        std::int64_t duration_ns) {
    const auto span = r.Add(Level::kModel, type, name, start_ns, duration_ns, 0);
    r.Layer(span, "aten::linear", start_ns + 1, 2);
    return span;
  };
  const auto first = call("train", "step", 0, 40);
  call("predict", "Net", 50, 10);
  call("predict", "Net", 60, 10);
  call("predict", "step", 70, 35);
  const auto second = call("train", "step", 110, 40);
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.size(), 2u);
  EXPECT_EQ(found.calls[0].root, first);
  EXPECT_EQ(found.calls[1].root, second);
  EXPECT_EQ(found.other_kinds, 3);
  EXPECT_EQ(found.kind, "train step");
  EXPECT_EQ(found.layers_outside, 0);
}

TEST(FindCalls, AColdCallDoesNotMakeItsKindThatWithMostTime) {
  Recording r;
  r.Add(Level::kModel, "predict", "Net", 0, 6300, 0);
  r.Add(Level::kModel, "predict", "Net", 6300, 200, 0);
  r.Add(Level::kModel, "train", "step", 7000, 1600, 0);
  r.Add(Level::kModel, "train", "step", 9000, 1400, 0);
  r.Add(Level::kModel, "train", "step", 11000, 1400, 0);
  const RunCalls found = Find(r);
  EXPECT_EQ(found.calls.size(), 3u);
  EXPECT_EQ(found.kind, "train step");
  EXPECT_EQ(found.other_kinds, 2);
}

TEST(FindCalls, LayersOfAnotherProcessAreInNoCallOfThisOne) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = [&](std::int64_t process) {
    return writer.AddTrack({.kind = trace::TrackKind::kThread,
                            .name = "t",
                            .process_id = process,
                            .thread_id = process});
  };
  const auto add = [&](Level level, std::string_view type, trace::TrackId on, std::int64_t start,
                       std::int64_t duration) {
    return writer.AddSpan({.level = level,
                           .type = type,
                           .name = type,
                           .track = on,
                           .start_ns = start,
                           .duration_ns = duration});
  };
  const auto main = track(10), helper = track(10), loader = track(11);
  add(Level::kModel, "train", main, 0, 100);
  const auto own = add(Level::kLayer, "aten::mm", helper, 20, 10);
  add(Level::kLayer, "aten::stack", loader, 25, 10);
  const RunCalls found = FindCalls(SpanValues(trace));
  ASSERT_EQ(found.calls.size(), 1u);
  ASSERT_EQ(found.calls[0].layers.size(), 1u);
  EXPECT_EQ(found.calls[0].layers[0].span, own) << "another thread of the same process";
  EXPECT_EQ(found.layers_outside, 1);
}

TEST(FindCalls, NumberedCallsCountWhateverTheirKind) {
  Recording r;
  r.Call(0, 0, 10);
  const auto other = r.Add(Level::kModel, "predict", "other", 20, 100, 0);
  r.Metric(other, "iteration", 1);
  EXPECT_EQ(Find(r).calls.size(), 2u);
}

TEST(FindCalls, DropsACallThatNeverEnded) {
  Recording r;
  const auto first = r.Call(0, 0, 10);
  r.Layer(first, "conv2d", 1, 5);
  const auto killed = r.Call(1, 20, trace::kNeverEnded);
  r.Layer(killed, "conv2d", 21, 5);
  r.Layer(0, "relu", 30, 5);
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.size(), 1u);
  EXPECT_EQ(found.unfinished, 1);
  EXPECT_EQ(found.calls[0].layers.size(), 1u);
  EXPECT_EQ(found.layers_outside, 0);
}

TEST(FindCalls, TakesOutermostOperatorsAsLayers) {
  Recording r;
  const auto call = r.Call(0, 0, 100);
  const auto module = r.Layer(call, "module", 1, 90, "nn.Module: Net");
  const auto function = r.Layer(module, "function", 2, 80, "forward");
  const auto conv = r.Layer(function, "aten::conv2d", 3, 20);
  const auto inner = r.Layer(conv, "aten::convolution", 4, 10);
  r.Kernel(inner, "reorder", 5, 3);
  r.Kernel(function, "between", 30, 1);
  r.Layer(function, "aten::relu", 40, 5);
  const RunCalls found = Find(r);
  const Call& only = found.calls.at(0);
  ASSERT_EQ(only.layers.size(), 2u);
  EXPECT_EQ(only.layers[0].span, conv);
  EXPECT_EQ(only.layers[0].gap_before_ns, 3);
  EXPECT_EQ(only.layers[1].gap_before_ns, 17);
  EXPECT_EQ(only.tail_ns, 55);
  ASSERT_EQ(only.kernels.size(), 2u);
  EXPECT_EQ(only.kernels[0].layer, 0);
  EXPECT_EQ(only.kernels[0].operator_span, inner);
  EXPECT_EQ(only.kernels[0].confidence, 1.0);
  EXPECT_EQ(only.kernels[1].layer, -1);
  EXPECT_EQ(only.kernels[1].confidence, 0.0);
}

TEST(FindCalls, GivesAsynchronousKernelsToTheLayerThatLaunchedThem) {
  Recording r;
  const auto call = r.Call(0, 0, 100);
  const auto conv = r.Layer(call, "conv2d", 10, 20);
  const auto launch = r.Add(Level::kLibrary, "runtime", "cudaLaunchKernel", 12, 3, conv);
  const auto kernel = r.Kernel(launch, "gemm", 500, 40, "kernel");
  r.trace().spans.placed_by[launch - 1] = trace::PlacedBy::kNesting;
  r.trace().spans.placed_by[kernel - 1] = trace::PlacedBy::kLaunch;
  r.Call(1, 490, 100);  // It runs while the next call does.
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.at(0).kernels.size(), 1u);
  EXPECT_EQ(found.calls[0].kernels[0].layer, 0);
  EXPECT_EQ(found.calls[0].kernels[0].confidence, 0.95);
  EXPECT_TRUE(found.calls.at(1).kernels.empty());
}

TEST(FindCalls, AReplayedKernelIsAsSureAsItsAlignment) {
  Recording r;
  const auto conv = r.Layer(r.Call(0, 0, 100), "conv2d", 10, 20);
  const auto said = r.Kernel(conv, "gemm", 11, 4, "kernel");
  const auto unsaid = r.Kernel(conv, "add", 16, 4, "kernel");
  const auto other = r.Kernel(conv, "relu", 21, 4, "kernel");
  for (const auto kernel : {said, unsaid})
    r.trace().spans.placed_by[kernel - 1] = trace::PlacedBy::kSequence;
  for (const auto kernel : {said, other}) r.Metric(kernel, "confidence", 0.6, "analytic");
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.at(0).kernels.size(), 3u);
  EXPECT_EQ(found.calls[0].kernels[0].confidence, 0.6);
  EXPECT_EQ(found.calls[0].kernels[1].confidence, 0.7);
  EXPECT_EQ(found.calls[0].kernels[2].confidence, 1.0);
}

TEST(FindCalls, PlacesOrphansByTimeAndCountsTheRest) {
  Recording r;
  r.Call(0, 0, 100);
  r.Layer(0, "relu", 50, 5);
  r.Kernel(0, "gemm", 60, 5, "kernel");
  r.Kernel(0, "late", 160, 5, "kernel");
  r.Layer(0, "late", 170, 5);
  const RunCalls found = Find(r);
  EXPECT_EQ(found.calls.at(0).layers.size(), 1u);
  ASSERT_EQ(found.calls[0].kernels.size(), 1u);
  EXPECT_EQ(found.calls[0].kernels[0].layer, -1);
  EXPECT_EQ(found.kernels_outside, 1);
  EXPECT_EQ(found.layers_outside, 1);
}

TEST(FindCalls, TakesStepsWhereThereAreNoCalls) {
  Recording r;
  const auto first = r.Add(Level::kApplication, "step", "ProfilerStep#3", 0, 50, 0);
  r.Layer(first, "conv2d", 10, 20);
  r.Add(Level::kApplication, "step", "ProfilerStep#4", 50, 60, 0);
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.size(), 2u);
  EXPECT_EQ(found.calls[0].layers.size(), 1u);
  EXPECT_EQ(found.calls[1].iteration, 1);
}

TEST(FindCalls, TakesTheWholeTraceWhereThereAreNoSteps) {
  Recording r;
  r.Add(Level::kApplication, "range", "program", 0, 1000, 0);
  const auto conv = r.Layer(0, "conv2d", 10, 20);
  r.Kernel(conv, "gemm", 40, 30, "kernel");
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.size(), 1u);
  EXPECT_EQ(found.calls[0].root, 0u);
  EXPECT_EQ(found.calls[0].latency_ns, 60);
  EXPECT_EQ(found.calls[0].layers.size(), 1u);
  EXPECT_EQ(found.calls[0].kernels[0].layer, 0);
}

TEST(FindCalls, FindsNothingInAnEmptyTrace) {
  Recording r;
  EXPECT_TRUE(Find(r).calls.empty());
}

TEST(FindCalls, KeepsAModelCallInsideAnotherTogether) {
  Recording r;
  const auto outer = r.Add(Level::kModel, "train", "step", 0, 100, 0);
  const auto inner = r.Add(Level::kModel, "predict", "forward", 10, 50, outer);
  r.Layer(inner, "conv2d", 20, 10);
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.size(), 1u);
  EXPECT_EQ(found.calls[0].root, outer);
  EXPECT_EQ(found.calls[0].layers.size(), 1u);
}

TEST(FindCalls, SaysWhatDisturbedACall) {
  Recording r;
  const auto quiet = r.Call(0, 0, 1000);
  const auto noisy = r.Call(1, 1000, 1000);
  const auto both = r.Call(2, 2000, 1000);
  const auto together = r.Call(3, 3000, 1000);
  // Any call on a virtual machine is switched away from now and then: that alone costs nothing.
  r.Metric(quiet, "involuntary_context_switches", 3);
  r.Metric(quiet, "run_queue_wait_ns", 30);
  r.Metric(quiet, "steal_ns", 20);
  r.Metric(noisy, "run_queue_wait_ns", 51);
  r.Metric(both, "run_queue_wait_ns", 60);
  r.Metric(both, "steal_ns", 70);
  r.Metric(together, "run_queue_wait_ns", 20);
  r.Metric(together, "steal_ns", 40);
  const RunCalls found = Find(r);
  EXPECT_EQ(found.calls.at(0).disturbed_by, "");
  EXPECT_EQ(found.calls.at(1).disturbed_by, "run queue");
  EXPECT_EQ(found.calls.at(2).disturbed_by, "run queue, steal");
  EXPECT_EQ(found.calls.at(3).disturbed_by, "steal");
}

TEST(FindCalls, KeepsBaselineCallsApart) {
  Recording r;
  const auto baseline = r.Add(Level::kModel, "predict", "net", 0, 90, 0);
  r.Metric(baseline, "baseline_iteration", 0);
  r.Metric(baseline, "steal_ns", 10);
  r.Metric(baseline, "block", 4);
  r.Metric(baseline, "pair", 2);
  const auto own = r.Call(0, 1000, 100);
  r.Layer(own, "conv2d", 1010, 10);
  r.Layer(baseline, "conv2d", 10, 10);  // Of a kernel run, whose baseline shows layers.
  r.Metric(own, "run_queue_wait_ns", 5);
  r.Metric(own, "page_faults", 7);
  const RunCalls found = Find(r);
  ASSERT_EQ(found.calls.size(), 1u);
  EXPECT_EQ(found.calls[0].latency_ns, 100);
  EXPECT_EQ(found.calls[0].layers.size(), 1u);
  EXPECT_EQ(found.calls[0].waited_ns, 5);
  EXPECT_EQ(found.calls[0].system_ns, std::nullopt);
  EXPECT_EQ(found.calls[0].page_faults, 7);
  ASSERT_EQ(found.baseline.size(), 1u);
  EXPECT_EQ(found.baseline[0].latency_ns, 90);
  EXPECT_EQ(found.baseline[0].disturbed_by, "steal");
  EXPECT_EQ(found.baseline[0].block, 4);
  EXPECT_EQ(found.baseline[0].pair, 2);
  EXPECT_EQ(found.calls[0].pair, std::nullopt);
  EXPECT_EQ(found.layers_outside, 0);
}

TEST(FindCalls, SurvivesACycleOfParents) {
  Recording r;
  r.Call(0, 0, 100);
  const auto a = r.Layer(0, "a", 10, 5);
  const auto b = r.Layer(a, "b", 11, 2);
  r.trace().spans.parent[a - 1] = b;
  const RunCalls found = Find(r);
  EXPECT_EQ(found.calls.at(0).layers.size(), 1u);
}

/// Random nested calls: what the layers, the gaps between them and the tail take is the whole call,
/// and kernels inside a layer take no more than the layer.
TEST(FindCalls, AddsUpToTheCall) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    Recording r;
    std::int64_t now = 0;
    const auto pass = [&] { return now += random() % 20; };
    std::vector<std::vector<std::int64_t>> expected;  // Per call: duration of each layer.
    std::vector<trace::SpanId> spans;
    for (int call = 0; call < 5; ++call) {
      const auto root = r.Call(call, pass(), 0);
      const std::int64_t start = now;
      expected.emplace_back();
      for (unsigned layer = random() % 6; layer > 0; --layer) {
        const auto span = r.Layer(root, "op" + std::to_string(random() % 3), pass(), 0);
        const std::int64_t layer_start = now;
        for (unsigned kernel = random() % 4; kernel > 0; --kernel) {
          const std::int64_t kernel_start = pass();
          const auto id = r.Kernel(span, "k", kernel_start, 0);
          r.trace().spans.duration_ns[id - 1] = pass() - kernel_start;
        }
        r.trace().spans.duration_ns[span - 1] = pass() - layer_start;
        expected.back().push_back(now - layer_start);
      }
      r.trace().spans.duration_ns[root - 1] = pass() - start;
    }
    const RunCalls found = Find(r);
    ASSERT_EQ(found.calls.size(), expected.size());
    for (std::size_t c = 0; c < expected.size(); ++c) {
      const Call& call = found.calls[c];
      ASSERT_EQ(call.layers.size(), expected[c].size());
      std::int64_t sum = call.tail_ns;
      const auto duration_of = [&](trace::SpanId span) {
        return r.trace().spans.duration_ns[span - 1];
      };
      std::vector<std::int64_t> kernel_ns(call.layers.size(), 0);
      for (const KernelEvent& kernel : call.kernels) {
        kernel_ns.at(static_cast<std::size_t>(kernel.layer)) += duration_of(kernel.span);
      }
      for (std::size_t i = 0; i < call.layers.size(); ++i) {
        EXPECT_EQ(duration_of(call.layers[i].span), expected[c][i]);
        EXPECT_GE(call.layers[i].gap_before_ns, 0);
        EXPECT_LE(kernel_ns[i], duration_of(call.layers[i].span));
        sum += duration_of(call.layers[i].span) + call.layers[i].gap_before_ns;
      }
      EXPECT_EQ(sum, call.latency_ns);
    }
  }
}

}  // namespace
}  // namespace xsp::match
