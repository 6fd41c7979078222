#include "capture/record/verbose_line.h"

#include <gtest/gtest.h>

namespace xsp::record {
namespace {

constexpr const char* kConvolution =
    "onednn_verbose,v1,primitive,exec,cpu,convolution,brg_conv_fwd:avx512_core,forward_inference,"
    "src:f32::blocked:acdb::f0 wei:f32::blocked:Acdb64a::f0 bia:undef::undef::: "
    "dst:f32::blocked:acdb::f0,attr-scratchpad:user,alg:convolution_direct,"
    "mb1_ic64oc256_ih56oh56kh1sh1dh0ph0_iw56ow56kw1sw1dw0pw0,0.193115\n";

TEST(VerboseLine, ReadsKindAndTimeOfAnExecution) {
  VerboseLine line;
  ASSERT_TRUE(ParseExecution(kConvolution, line));
  EXPECT_EQ(line.kind, "convolution");
  EXPECT_EQ(line.duration_ns, 193115u);
}

TEST(VerboseLine, ReadsOlderOneDnnFormats) {
  VerboseLine line;
  ASSERT_TRUE(ParseExecution("onednn_verbose,exec,cpu,reorder,jit:uni,undef,,,,2x3,1e-3", line));
  EXPECT_EQ(line.kind, "reorder");
  EXPECT_EQ(line.duration_ns, 1000u);
  ASSERT_TRUE(ParseExecution("dnnl_verbose,exec,cpu,matmul,gemm:jit,undef,,,,2x3:3x4,12.5", line));
  EXPECT_EQ(line.kind, "matmul");
  EXPECT_EQ(line.duration_ns, 12'500'000u);
  ASSERT_TRUE(ParseExecution("mkldnn_verbose,exec,eltwise,jit:avx2,forward,,,2x3,0.5", line));
  EXPECT_EQ(line.kind, "eltwise");
  ASSERT_TRUE(
      ParseExecution("onednn_verbose,v1,1716.25,primitive,exec,cpu,sum,simple,,,,,8,0.25", line));
  EXPECT_EQ(line.kind, "sum");
  EXPECT_EQ(line.duration_ns, 250'000u);
}

TEST(VerboseLine, ReadsMklCallsInEveryUnit) {
  VerboseLine line;
  ASSERT_TRUE(ParseExecution(
      "MKL_VERBOSE SGEMM(T,N,1000,1,2048,0x7ff,0x1,2048,0x2,2048,0x7f,0x3,1000) 87.43us CNR:OFF "
      "Dyn:1 FastMM:1 TID:0  NThr:2\n",
      line));
  EXPECT_EQ(line.kind, "SGEMM");
  EXPECT_EQ(line.duration_ns, 87'430u);
  ASSERT_TRUE(ParseExecution("MKL_VERBOSE DDOT(2) 812ns CNR:OFF", line));
  EXPECT_EQ(line.duration_ns, 812u);
  ASSERT_TRUE(ParseExecution("MKL_VERBOSE DGEMM(N) 1.5ms CNR:OFF", line));
  EXPECT_EQ(line.duration_ns, 1'500'000u);
  ASSERT_TRUE(ParseExecution("MKL_VERBOSE DGEMM(N) 2.25s CNR:OFF", line));
  EXPECT_EQ(line.duration_ns, 2'250'000'000u);
}

TEST(VerboseLine, LeavesOutWhatIsNoExecution) {
  VerboseLine line;
  for (const char* text :
       {"onednn_verbose,v1,info,oneDNN v3.13.3 (commit b38f97e)",
        "onednn_verbose,v1,primitive,create:cache_miss,cpu,convolution,brg,,,,,mb1,0.5",
        "onednn_verbose,v1,graph,exec,cpu,100002,conv_post_ops,,,,,0.5",
        "onednn_verbose,v1,primitive,exec,cpu,convolution", "onednn_verbose,", "onednn_verbose",
        "onednn_verbose,v1,primitive,exec,cpu,sum,simple,,nan",
        "onednn_verbose,v1,primitive,exec,cpu,sum,simple,,-1",
        "MKL_VERBOSE oneMKL 2024.0 Update 2 Product build 20240605 for Intel(R) 64 architecture "
        "Intel(R) Advanced Vector Extensions 512 (Intel(R) AVX-512), Lnx 2.10GHz lp64 gnu_thread",
        "MKL_VERBOSE SGEMM(T,N", "MKL_VERBOSE SGEMM(T,N) soon", "MKL_VERBOSE ", ""}) {
    EXPECT_FALSE(ParseExecution(text, line)) << text;
  }
}

TEST(VerboseLine, KnowsTheLibrariesByTheirPrefix) {
  EXPECT_TRUE(IsVerbose(kConvolution));
  EXPECT_TRUE(IsVerbose("MKL_VERBOSE SGEMM"));
  EXPECT_FALSE(IsVerbose("MKL_VERBOSE"));
  EXPECT_FALSE(IsVerbose(" onednn_verbose,"));
  EXPECT_FALSE(IsVerbose("oh, onednn_verbose,"));
}

}  // namespace
}  // namespace xsp::record
