#include "derive/compare/kernel_role.h"

#include <gtest/gtest.h>

namespace xsp::compare {
namespace {

TEST(FunctionOf, HasNoTemplateArguments) {
  EXPECT_EQ(FunctionOf("void at::add<int, 4>(int*)"), "at::add");
  EXPECT_EQ(FunctionOf("void at::(anonymous namespace)::sum<float>(float*)"),
            "at::(anonymous namespace)::sum");
  EXPECT_EQ(FunctionOf("attn_fwd"), "attn_fwd");
  EXPECT_EQ(FunctionOf("a::(anonymous namespace)::b"), "a::(anonymous namespace)::b");
  EXPECT_EQ(FunctionOf("Memcpy DtoH (Device -> Pinned)"), "Memcpy DtoH ");
  EXPECT_EQ(FunctionOf("(anonymous namespace)"), "(anonymous namespace)");
  EXPECT_EQ(FunctionOf(""), "");
  EXPECT_EQ(FunctionOf("<"), "");
}

TEST(KernelRole, IsOneForTheLibrariesOfAllVendors) {
  for (const char* kernel :
       {"sm90_xmma_gemm_bf16bf16_bf16f32", "void cutlass::Kernel2<tensorop_s16816gemm>(Params)",
        "Cijk_Alik_Bljk_B_BS_BH_Bias", "igemm_fwd_gtcx3_nhwc", "implicit_convolve_sgemm"})
    EXPECT_EQ(KernelRole(kernel), "product") << kernel;
  for (const char* kernel : {"void cudnn::ops::nchwToNhwcKernel<float>(int)", "batched_transpose"})
    EXPECT_EQ(KernelRole(kernel), "layout") << kernel;
  for (const char* kernel : {"attn_fwd", "void pytorch_flash::flash_fwd_kernel<Traits>(int)"})
    EXPECT_EQ(KernelRole(kernel), "attention") << kernel;
  EXPECT_EQ(KernelRole("void splitKreduce_kernel<32>(int)"), "reduction");
  EXPECT_EQ(KernelRole("void at::native::vectorized_elementwise_kernel<4>(int)"), "elementwise");
  // Template arguments do not count.
  EXPECT_EQ(KernelRole("void apply<gemm>(int)"), "");
  EXPECT_EQ(KernelRole(""), "");
}

}  // namespace
}  // namespace xsp::compare
