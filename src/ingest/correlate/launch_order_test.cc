#include "ingest/correlate/launch_order.h"

#include <gtest/gtest.h>

namespace xsp::correlate {
namespace {

using trace::Level;
using trace::SpanId;

class LaunchOrderTest : public testing::Test {
 protected:
  SpanId Launch(std::int64_t start_ns, std::string_view name = "cudaLaunchKernel") {
    return writer_.AddSpan(
        {Level::kLibrary, "cuda_runtime", name, thread_, start_ns, 5, 0, start_ns});
  }
  SpanId Kernel(std::int64_t start_ns, SpanId parent = 0) {
    return writer_.AddSpan({Level::kKernel, "kernel", "gemm", stream_, start_ns, 5, parent});
  }
  SpanId ParentOf(SpanId span) const { return trace_.spans.parent[span - 1]; }

  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  trace::TrackId thread_ = writer_.AddTrack({trace::TrackKind::kThread, "main"});
  trace::TrackId stream_ = writer_.AddTrack({trace::TrackKind::kStream, "stream"});
};

TEST_F(LaunchOrderTest, PairsInOrderOfTimeWhereThereAreEquallyMany) {
  const auto late = Launch(100, "cuLaunchKernelEx"), early = Launch(10);
  Launch(50, "cudaMemcpyAsync");
  const auto second = Kernel(300), first = Kernel(5);
  PlaceByLaunchOrder(trace_);
  EXPECT_EQ(ParentOf(first), early);
  EXPECT_EQ(ParentOf(second), late);
  EXPECT_EQ(trace_.spans.placed_by[first - 1], trace::PlacedBy::kSequence);
}

TEST_F(LaunchOrderTest, ClaimsNothingWhereTheNumbersDiffer) {
  Launch(10);
  const auto first = Kernel(20), second = Kernel(30);
  PlaceByLaunchOrder(trace_);
  EXPECT_EQ(ParentOf(first), 0U);
  EXPECT_EQ(ParentOf(second), 0U);
}

TEST_F(LaunchOrderTest, LeavesWhatIsPairedAlready) {
  const auto known = Launch(10);
  const auto paired = Kernel(20, known);
  const auto launch = Launch(30);
  const auto kernel = Kernel(15);
  PlaceByLaunchOrder(trace_);
  EXPECT_EQ(ParentOf(paired), known);
  EXPECT_EQ(ParentOf(kernel), launch);
}

}  // namespace
}  // namespace xsp::correlate
