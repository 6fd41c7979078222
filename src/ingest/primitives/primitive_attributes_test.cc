#include "ingest/primitives/primitive_attributes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace xsp::primitives {
namespace {

class DescribeTest : public testing::Test {
 protected:
  void SetUp() override {
    writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = ""});
    span_ = writer_.AddSpan({.level = trace::Level::kKernel,
                             .type = "primitive",
                             .name = "x",
                             .track = 1,
                             .start_ns = 0,
                             .duration_ns = 1});
  }
  std::map<std::string, std::string> Attributes() {
    std::map<std::string, std::string> all;
    for (std::size_t i = 0; i < trace_.attributes.size(); ++i)
      all[std::string(trace_.Text(trace_.attributes.key[i]))] =
          trace_.Text(trace_.attributes.value[i]);
    return all;
  }
  trace::Trace trace_;
  trace::TraceWriter writer_{trace_};
  trace::SpanId span_ = 0;
};

TEST_F(DescribeTest, PutsWhatTheLineSaysOnTheSpan) {
  EXPECT_TRUE(DescribePrimitive(
      writer_, span_,
      "onednn_verbose,v1,primitive,exec,cpu,matmul,brg_matmul:avx10_1_512_amx,undef,"
      "src:bf16::blocked:ab::f0 wei:bf16::blocked:ab::f0 dst:bf16::blocked:ab::f0,"
      "attr-scratchpad:user,,4x8:8x2,0.04"));
  EXPECT_EQ(Attributes(),
            (std::map<std::string, std::string>{{"primitive_kind", "matmul"},
                                                {"implementation", "brg_matmul:avx10_1_512_amx"},
                                                {"problem", "4x8:8x2"},
                                                {"dtype", "bfloat16"}}));
  std::map<std::string, double> metrics;
  for (std::size_t i = 0; i < trace_.metrics.size(); ++i) {
    metrics[std::string(trace_.Text(trace_.metrics.name[i]))] = trace_.metrics.value[i];
    EXPECT_EQ(trace_.Text(trace_.metrics.provenance[i]), "analytic");
  }
  EXPECT_EQ(metrics, (std::map<std::string, double>{{"flops.bfloat16.tensor", 128},
                                                    {"algorithmic_read_bytes", 96},
                                                    {"algorithmic_write_bytes", 16}}));
}

TEST_F(DescribeTest, AnUnknownCostLeavesNumbersOutRatherThanZero) {
  EXPECT_FALSE(DescribePrimitive(writer_, span_, "MKL_VERBOSE SGEMM_BATCH(N,N,0x7f,0x7f) 2.1us"));
  EXPECT_EQ(trace_.metrics.size(), 0u);
  EXPECT_EQ(Attributes()["implementation"], "SGEMM_BATCH");
}

TEST_F(DescribeTest, ADamagedLineAddsNothing) {
  EXPECT_FALSE(DescribePrimitive(writer_, span_, "onednn_verbose,v1,primitive,exec,cpu"));
  EXPECT_EQ(trace_.metrics.size() + trace_.attributes.size(), 0u);
}

}  // namespace
}  // namespace xsp::primitives
