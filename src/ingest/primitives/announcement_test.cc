#include "ingest/primitives/announcement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "ingest/primitives/cost.h"

namespace xsp::primitives {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;

// As oneDNN 3.13 in PyTorch 2.15 prints it.
constexpr std::string_view kV1 =
    "onednn_verbose,v1,primitive,exec,cpu,convolution,jit:avx512_core,forward_training,"
    "src:f32:a:blocked:aBcd16b::f0 wei:f32:a:blocked:ABcd16b16a::f0 bia:undef::undef::: "
    "dst:f32:a:blocked:aBcd16b::f0,attr-scratchpad:user attr-post-ops:eltwise_relu,"
    "alg:convolution_direct,mb2_ic32oc64_ih20oh20kh3sh1dh0ph1_iw20ow20kw3sw1dw0pw1,4.53003\n";

auto IsOperand(std::string_view role, std::string_view dtype, std::string_view tag) {
  return AllOf(Field(&Descriptor::role, role), Field(&Descriptor::dtype, dtype),
               Field(&Descriptor::tag, tag));
}

TEST(Announcement, ReadsV1) {
  const auto a = ParseAnnouncement(kV1);
  ASSERT_TRUE(a.has_value());
  EXPECT_EQ(a->library, Library::kOneDnn);
  EXPECT_EQ(a->kind, "convolution");
  EXPECT_EQ(a->implementation, "jit:avx512_core");
  EXPECT_EQ(a->propagation, "forward_training");
  EXPECT_EQ(a->attributes, "attr-scratchpad:user attr-post-ops:eltwise_relu");
  EXPECT_EQ(a->auxiliary, "alg:convolution_direct");
  EXPECT_EQ(a->problem, "mb2_ic32oc64_ih20oh20kh3sh1dh0ph1_iw20ow20kw3sw1dw0pw1");
  EXPECT_EQ(a->execution_time_ns, 4530030);
  EXPECT_THAT(a->descriptors,
              ElementsAre(IsOperand("src", "f32", "aBcd16b"), IsOperand("wei", "f32", "ABcd16b16a"),
                          IsOperand("dst", "f32", "aBcd16b")));  // The bias does not exist.
  EXPECT_EQ(KernelName(*a), "convolution jit:avx512_core");
}

TEST(Announcement, ReadsATimeStamp) {
  const auto a = ParseAnnouncement(
      "onednn_verbose,v1,1795259829577.114990,primitive,exec,cpu,reorder,jit:uni,undef,"
      "src:f32::blocked:abcd::f0 dst:f32::blocked:Acdb16a::f0,attr-scratchpad:user,,64x3x7x7,"
      "0.446045");
  ASSERT_TRUE(a.has_value());
  EXPECT_EQ(a->kind, "reorder");
  EXPECT_EQ(a->problem, "64x3x7x7");
  EXPECT_EQ(a->execution_time_ns, 446045);
}

TEST(Announcement, ReadsV0AndOlderPrefixes) {
  for (const std::string lead :
       {"onednn_verbose,primitive,exec,cpu,", "onednn_verbose,exec,cpu,",
        "onednn_verbose,1607393600000.5,exec,cpu,", "onednn_verbose,v0,primitive,exec,cpu,",
        "dnnl_verbose,exec,cpu,", "mkldnn_verbose,exec,cpu,"}) {
    const auto a = ParseAnnouncement(
        lead +
        "inner_product,gemm:jit,forward_inference,src_f32::blocked:ab:f0 wei_bf16::blocked:ba:f0 "
        "bia_f32::blocked:a:f0 dst_f32::blocked:ab:f0,,,mb4ic256oc128,0.5");
    ASSERT_TRUE(a.has_value()) << lead;
    EXPECT_EQ(a->kind, "inner_product") << lead;
    EXPECT_EQ(a->problem, "mb4ic256oc128");
    EXPECT_THAT(a->descriptors,
                ElementsAre(IsOperand("src", "f32", "ab"), IsOperand("wei", "bf16", "ba"),
                            IsOperand("bia", "f32", "a"), IsOperand("dst", "f32", "ab")));
  }
}

TEST(Announcement, ReadsTheOldestFormatWithoutEngineAndAttributes) {
  const auto conv = ParseAnnouncement(
      "mkldnn_verbose,exec,convolution,jit:avx2,forward_training,fsrc:nChw8c fwei:OIhw8i8o fbia:x "
      "fdst:nChw8c,alg:convolution_direct,mb1_ic64oc64_ih56oh56kh3sh1dh0ph1_iw56ow56kw3sw1dw0pw1,"
      "1.25");
  ASSERT_TRUE(conv.has_value());
  EXPECT_EQ(conv->auxiliary, "alg:convolution_direct");
  EXPECT_EQ(conv->descriptors.at(1).role, "wei");
  const auto reorder = ParseAnnouncement(
      "mkldnn_verbose,exec,reorder,jit:uni,undef,in:f32_nchw out:f32_nChw16c,num:1,2x32x20x20,0.1");
  ASSERT_TRUE(reorder.has_value());
  EXPECT_THAT(reorder->descriptors,
              ElementsAre(IsOperand("src", "f32", "nchw"), IsOperand("dst", "f32", "nChw16c")));
}

TEST(Announcement, RolesWithUnderscoresKeepTheirNames) {
  const auto a = ParseAnnouncement(
      "onednn_verbose,exec,cpu,rnn,ref,backward,src_layer_f32::blocked:tnc:f0 "
      "diff_wei_iter_f8_e5m2::blocked:ldigo:f0,,alg:vanilla_lstm,l1t5mb3sic32slc16dhc32dic32,1");
  ASSERT_TRUE(a.has_value());
  EXPECT_THAT(a->descriptors, ElementsAre(IsOperand("src_layer", "f32", "tnc"),
                                          IsOperand("diff_wei_iter", "f8_e5m2", "ldigo")));
}

TEST(Announcement, AttributesMayHoldCommas) {
  const auto a = ParseAnnouncement(
      "dnnl_verbose,exec,cpu,reorder,simple:any,undef,src_f32::blocked:ab:f0 "
      "dst_s8::blocked:ab:f0,attr-oscale:2:'{1,2,3}',,3x4,0.5");
  ASSERT_TRUE(a.has_value());
  EXPECT_EQ(a->attributes, "attr-oscale:2:'{1,2,3}'");
  EXPECT_EQ(a->problem, "3x4");
}

TEST(Announcement, ReadsMklWithoutItsAddresses) {
  const auto a = ParseAnnouncement(
      "MKL_VERBOSE SGEMM(N,T,96,64,128,0x7ffd30989160,0x5559f2b217c0,96,0x5559f2be62c0,128,"
      "0x7ffd30989180,0x5559f2b1b340,96) 103.91us CNR:OFF Dyn:0 FastMM:1 TID:0  NThr:2");
  ASSERT_TRUE(a.has_value());
  EXPECT_EQ(a->library, Library::kMkl);
  EXPECT_EQ(a->kind, "gemm");
  EXPECT_EQ(a->implementation, "SGEMM");
  EXPECT_EQ(a->problem, "N,T,96,64,128,*,*,96,*,128,*,*,96");
  EXPECT_EQ(a->execution_time_ns, 103910);
  EXPECT_EQ(KernelName(*a), "gemm mkl:SGEMM");
}

TEST(Announcement, MklTimesHaveTheirUnit) {
  const auto time = [](std::string_view text) {
    const auto a =
        ParseAnnouncement("MKL_VERBOSE SDOT(8,0x1,1,0x2,1) " + std::string(text) + " CNR:OFF");
    return a.has_value() ? a->execution_time_ns : -1;
  };
  EXPECT_EQ(time("12ns"), 12);
  EXPECT_EQ(time("1.5ms"), 1500000);
  EXPECT_EQ(time("2.00s"), 2000000000);
  EXPECT_EQ(time("2.00h"), -1);
}

TEST(Announcement, OtherLinesAreNoExecutions) {
  for (const std::string_view line :
       {"onednn_verbose,v1,info,oneDNN v3.13.3 (commit b38f97eb6f2173513112f15a0481750b8a66e901)",
        "onednn_verbose,v1,primitive,info,template:operation,engine,primitive,implementation",
        "onednn_verbose,v1,primitive,create:cache_hit,cpu,sum,simple:any,undef,a,,,2x3,0.1",
        "onednn_verbose,v1,graph,exec,cpu,100002,matmul_post_ops,m,a,b,fpm:strict,larger,dnnl,1",
        "MKL_VERBOSE oneMKL 2024.0 Update 2 Product build 20240605 for Intel(R) 64 architecture",
        "hello", "", ",", "onednn_verbose", "onednn_verbose,", "MKL_VERBOSE ", "MKL_VERBOSE ("}) {
    EXPECT_FALSE(IsExecution(line)) << line;
    EXPECT_FALSE(ParseAnnouncement(line).has_value()) << line;
  }
}

TEST(Announcement, DamagedExecutionsAreToldFromOtherLines) {
  for (const std::string_view line :
       {"onednn_verbose,v1,primitive,exec,cpu,convolution,jit", "onednn_verbose,exec,cpu,a,b",
        "onednn_verbose,v1,primitive,exec,cpu,sum,simple:any,undef,a,,,2x3,nan",
        "onednn_verbose,v1,primitive,exec,cpu,sum,simple:any,undef,a,,,2x3,-1",
        "onednn_verbose,v1,primitive,exec,cpu,sum,simple:any,undef,a,,,2x3,1e300",
        "onednn_verbose,v1,primitive,exec,cpu,sum,simple:any,undef,a,,,2x3,",
        "MKL_VERBOSE SGEMM(N,N,96", "MKL_VERBOSE SGEMM(N,N,96) fast"}) {
    EXPECT_TRUE(IsExecution(line)) << line;
    EXPECT_FALSE(ParseAnnouncement(line).has_value()) << line;
  }
}

// Whatever a line becomes, reading and estimating it is safe (run under ASan and UBSan).
TEST(Announcement, AnyDamageIsSafe) {
  const std::vector<std::string> seeds = {
      std::string(kV1),
      "MKL_VERBOSE DGEMM(N,N,96,64,128,0x7f,0x55,96,0x55,128,0x7f,0x55,96) 10.15ms CNR:OFF",
      "onednn_verbose,v1,primitive,exec,cpu,rnn,ref,backward,src_layer:f32::blocked:abc::f0 "
      "wei_layer:f32:a:blocked:abcde::f0,,alg:vanilla_lstm "
      "direction:bidirectional_concat,l1t5mb3sic32slc16dhc32dic32,33.1",
      "onednn_verbose,v1,primitive,exec,cpu,matmul,brg,undef,src:u8:a:blocked:ab::f0 "
      "wei:s8:p:blocked:AB16a64b4a::f0 bia:f32::blocked:ab::f0_mask2 dst:u8::blocked:ab::f0,"
      "attr-post-ops:sum:1+binary_add:f32:3:ab+dw:k3s1p1,,4x64:64x32,0.16"};
  const std::string_view alphabet =
      ",:x_0919e+-.*' \n\xff"
      "abmkdhw";
  std::mt19937 random(3);
  const auto draw = [&](std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
  };
  int known = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string line = seeds[draw(seeds.size())];
    for (std::size_t edits = draw(4); edits > 0 && !line.empty(); --edits) {
      const std::size_t at = draw(line.size());
      switch (draw(4)) {
        case 0:
          line[at] = alphabet[draw(alphabet.size())];
          break;
        case 1:
          line.insert(at, 1, alphabet[draw(alphabet.size())]);
          break;
        case 2:
          line.erase(at, 1 + draw(5));
          break;
        default:
          line.insert(at, "99999999999999");
          break;
      }
    }
    const auto a = ParseAnnouncement(line);
    if (!a.has_value()) continue;
    const Cost cost = Estimate(*a);
    ASSERT_GE(cost.flops, 0) << line;
    ASSERT_LT(cost.flops, 1e300) << line;
    known += cost.status == CostStatus::kKnown ? 1 : 0;
  }
  EXPECT_GT(known, 1000);  // The edits leave enough whole for the test to reach the formulas.
}

}  // namespace
}  // namespace xsp::primitives
