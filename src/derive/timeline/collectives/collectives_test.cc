#include "derive/timeline/collectives/collectives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "derive/timeline/collectives/operation_name.h"
#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::collectives {
namespace {

constexpr std::string_view kAllReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";

TEST(CollectivesTest, KnowsOperationsByEitherName) {
  EXPECT_EQ(OperationOf("", "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)"), "all_reduce");
  EXPECT_EQ(OperationOf("", "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL"), "reduce_scatter");
  EXPECT_EQ(OperationOf("", "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)"),
            "all_gather");
  EXPECT_EQ(OperationOf("", "ncclDevKernel_Reduce_Sum_f32_RING_LL"), "reduce");
  EXPECT_EQ(OperationOf("", "ncclKernel_Broadcast_RING_LL_Sum_int8_t"), "broadcast");
  EXPECT_EQ(OperationOf("", "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t"), "send_receive");
  EXPECT_EQ(OperationOf("", "void vllm::cross_device_reduce_1stage<float, 2>(RankData*)"),
            "all_reduce");
  EXPECT_EQ(OperationOf("", "ncclDevKernel_Generic"), "other");
  EXPECT_EQ(OperationOf("all_to_allv", "ncclDevKernel_SendRecv"), "all_to_all");
  EXPECT_EQ(OperationOf("_allgather_base", "ncclDevKernel_AllGather"), "all_gather");
  EXPECT_EQ(OperationOf("coalesced", "ncclDevKernel_AllGather"), "all_gather");
}

TEST(CollectivesTest, PartnersWaitForTheLast) {
  Recording recording;
  for (const std::int64_t rank : {0, 1}) {
    const auto stream = recording.Stream(0, 40, rank);
    recording.Kernel(stream, 100 + 30 * rank, 80 - 30 * rank, kAllReduce);
    if (rank == 0) recording.Kernel(stream, 300, 10, kAllReduce);
  }
  const Timeline timeline(recording.trace());
  const auto found = FindCollectives(timeline);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].arrival_skew_ns, 30);
  EXPECT_EQ(found[0].transfer_ns, 50);
  EXPECT_EQ(found[2].arrival_skew_ns, 0);
  EXPECT_EQ(found[2].instance, 0);
  // The second one of rank 0 has no partner.
  EXPECT_EQ(found[1].instance, 1);
  EXPECT_EQ(found[1].arrival_skew_ns, trace::kNotApplicable);
  EXPECT_EQ(found[1].transfer_ns, trace::kNotApplicable);
}

TEST(CollectivesTest, WhatTheFileSaysComesFromTheKernelElseFromItsCaller) {
  Recording recording;
  const auto thread = recording.Thread();
  const auto stream = recording.Stream(0, 40);
  const auto caller = recording.Add(trace::Level::kLayer, "record_param_comms",
                                    "record_param_comms", thread, 0, 50);
  const auto launch = recording.Launch(thread, 10, 5, caller);
  const auto kernel = recording.Kernel(stream, 20, 10, "ncclDevKernel_SendRecv", launch);
  const auto other = recording.Kernel(stream, 40, 10, "ncclDevKernel_AllGather", launch);
  auto& writer = recording.writer();
  writer.AddAttribute(caller, trace::attribute::kCollective, "all_to_all");
  writer.AddAttribute(caller, trace::attribute::kProcessGroup, "7");
  writer.AddMetric(caller, trace::metric::kMessageBytes, 1024, "byte", "reported:kineto");
  writer.AddAttribute(other, trace::attribute::kCollective, "_allgather_base");
  writer.AddAttribute(other, trace::attribute::kDtype, "bfloat16");
  writer.AddMetric(other, trace::metric::kGroupSize, 8, "1", "reported:kineto");
  const Timeline timeline(recording.trace());
  const auto found = FindCollectives(timeline);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].span, kernel);
  EXPECT_EQ(found[0].operation, "all_to_all");
  EXPECT_EQ(found[0].process_group, "7");
  EXPECT_EQ(found[0].bytes, 1024);
  EXPECT_EQ(found[1].operation, "all_gather");
  EXPECT_EQ(found[1].dtype, "bfloat16");
  EXPECT_EQ(found[1].group_size, 8);
  EXPECT_LT(found[1].bytes, 0);
  EXPECT_EQ(found[1].process_group, "");
}

TEST(CollectivesTest, GroupsOfOneNameAndOtherRanksAreNoPartners) {
  Recording recording;
  for (const std::int64_t rank : {0, 1, 2}) {
    const auto stream = recording.Stream(0, 40 + rank, rank);
    const auto kernel = recording.Kernel(stream, 100 * rank, 500, kAllReduce);
    recording.writer().AddAttribute(kernel, trace::attribute::kCollective, "allreduce");
    recording.writer().AddAttribute(kernel, trace::attribute::kProcessGroup, "tp");
    recording.writer().AddAttribute(kernel, trace::attribute::kProcessGroupRanks,
                                    rank == 2 ? "[2, 3]" : "[0, 1]");
  }
  const Timeline timeline(recording.trace());
  const auto found = FindCollectives(timeline);
  ASSERT_EQ(found.size(), 3U);
  // Streams differ, but the group is known.
  EXPECT_EQ(found[0].arrival_skew_ns, 100);
  EXPECT_EQ(found[1].arrival_skew_ns, 0);
  EXPECT_EQ(found[2].arrival_skew_ns, trace::kNotApplicable);
}

TEST(CollectivesTest, AgreesWithComparingEachWithEach) {
  std::mt19937 random(21);
  int partners = 0;
  for (int round = 0; round < 200; ++round) {
    Recording recording;
    FillAtRandom(recording, random, 3);
    const Timeline timeline(recording.trace());
    const auto found = FindCollectives(timeline);
    const auto together = [](const Collective& a, const Collective& b) {
      return a.stream == b.stream && a.operation == b.operation;
    };
    const auto same_device = [](const Collective& a, const Collective& b) {
      return a.rank == b.rank && a.device == b.device;
    };
    std::size_t communicating = 0;
    for (const Device& device : timeline.devices()) {
      for (const DeviceSpan& span : device.spans) {
        if (span.activity != Activity::kCommunication) continue;
        const Collective& at = found[communicating++];
        ASSERT_EQ(at.span, span.span);
        std::int64_t exposed = 0;
        for (std::int64_t t = span.start_ns; t < span.end_ns; ++t)
          exposed += std::none_of(device.spans.begin(), device.spans.end(), [&](const auto& other) {
            return other.activity == Activity::kCompute && other.start_ns <= t && t < other.end_ns;
          });
        ASSERT_EQ(at.exposed_ns, exposed) << "round " << round;
      }
    }
    ASSERT_EQ(found.size(), communicating);
    for (std::size_t i = 0; i < found.size(); ++i) {
      std::int64_t before = 0, last = found[i].start_ns, shortest = found[i].duration_ns;
      bool alone = true;
      for (std::size_t j = 0; j < found.size(); ++j) {
        if (i == j || !together(found[i], found[j])) continue;
        if (same_device(found[i], found[j])) {
          before += j < i;
        } else if (found[i].instance == found[j].instance) {
          alone = false;
          last = std::max(last, found[j].start_ns);
          shortest = std::min(shortest, found[j].duration_ns);
        }
      }
      ASSERT_EQ(found[i].instance, before);
      ASSERT_EQ(found[i].arrival_skew_ns, alone ? trace::kNotApplicable : last - found[i].start_ns);
      ASSERT_EQ(found[i].transfer_ns, alone ? trace::kNotApplicable : shortest);
      partners += !alone;
    }
  }
  EXPECT_GT(partners, 1000);
}

TEST(CollectivesTest, ARunWithoutCommunicationHasNone) {
  Recording recording;
  recording.Kernel(recording.Stream(0, 7), 0, 10);
  EXPECT_TRUE(FindCollectives(Timeline(recording.trace())).empty());
}

}  // namespace
}  // namespace xsp::timeline::collectives
