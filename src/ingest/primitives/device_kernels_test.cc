#include "ingest/primitives/device_kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ingest/primitives/operators.h"

namespace xsp::primitives {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::string_view kGemm = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize64x64x64";
constexpr std::string_view kToNhwc = "void cudnn::ops::nchwToNhwcKernel<float, float, float>(int)";
constexpr std::string_view kAdd =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)";

DeviceKernel Kernel(std::string_view name, std::string_view type = "kernel") {
  return {name, type};
}

TEST(KernelPart, LibrariesNameTheirProducts) {
  for (const std::string_view name :
       {kGemm, std::string_view("void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_64x64>(int)"),
        std::string_view("ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_tn"),
        std::string_view("nvjet_hsh_128x128_64x4_1x2_h_bz_coopA_TNT"),
        std::string_view("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT64x32x128_MI16x16x1"),
        std::string_view("void pytorch_flash::flash_fwd_kernel<cutlass::bfloat16_t>(int)"),
        std::string_view("fmha_cutlassF_f32_aligned_64x64_rf_sm80(Params)"),
        std::string_view("attn_fwd"), std::string_view("igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1"),
        std::string_view("void implicit_convolve_sgemm<float, float, 1024, 5>(int)"),
        std::string_view("void cudnn::cnn::wgrad_alg0_engine<float, 128>(int)"),
        std::string_view("std::enable_if<!(false), void>::type internal::gemvx::kernel<int>(int)"),
        std::string_view("volta_scudnn_128x64_stridedB_splitK_xregs_large_nn_v1"),
        std::string_view("miopenSp3AsmConv_v21_1_2_gfx9_fp32_f2x3_stride1")})
    EXPECT_EQ(PartOf(Kernel(name)), KernelPart::kProduct) << name;
}

TEST(KernelPart, HelpersAreNoProductsEvenIfTheyNameOne) {
  for (const std::string_view name :
       {kToNhwc, std::string_view("void cublasLt::splitKreduce_kernel<32, 16, int, float>(int)"),
        std::string_view("void flash_fwd_splitkv_combine_kernel<cutlass::half_t>(int)"),
        std::string_view("void flash_bwd_convert_dq_kernel<Flash_bwd_kernel_traits<64>>(int)"),
        std::string_view("void cudnn::winograd_nonfused::winogradForwardData4x4<float>(int)"),
        std::string_view("batched_transpose_256x4_half"),
        std::string_view("SubTensorOpWithScalar1d"),
        std::string_view("void cudnn::ops::scalePackedTensor_kernel<float, float>(int)"),
        std::string_view("void at::native::unrolled_elementwise_kernel<at::native::"
                         "direct_copy_kernel_cuda(int)>(int)")})
    EXPECT_EQ(PartOf(Kernel(name)), KernelPart::kHelper) << name;
  EXPECT_EQ(PartOf(Kernel("Memset (Device)", "memset")), KernelPart::kHelper);
  EXPECT_EQ(PartOf(Kernel("Memcpy DtoD (Device -> Device)", "memcpy")), KernelPart::kHelper);
  EXPECT_EQ(PartOf(Kernel("Memcpy HtoD (Pinned -> Device)", "memcpy")), KernelPart::kCopy);
  EXPECT_EQ(PartOf(Kernel("CopyHostToDevice", "memcpy")), KernelPart::kCopy);
  EXPECT_EQ(PartOf(Kernel(kAdd)), KernelPart::kOther);
}

TEST(OwnerOf, TheOnlyKernelOwnsTheWork) {
  EXPECT_EQ(OwnerOf({Kernel(kAdd)}, false), 0);
  EXPECT_EQ(OwnerOf({Kernel("triton_mm")}, true), 0);
  EXPECT_EQ(OwnerOf({}, false), std::nullopt);
}

TEST(OwnerOf, HelpersLeaveTheWorkToTheProduct) {
  EXPECT_EQ(OwnerOf({Kernel("Memset (Device)", "memset"), Kernel(kToNhwc), Kernel(kToNhwc),
                     Kernel(kGemm), Kernel("nhwcToNchwKernel")},
                    true),
            3);
  // Of a product also kernels of unknown names: an activation that a library launches after it.
  EXPECT_EQ(OwnerOf({Kernel(kGemm), Kernel("epilogue_bias_relu")}, true), 0);
  EXPECT_EQ(OwnerOf({Kernel(kGemm), Kernel("epilogue_bias_relu")}, false), std::nullopt);
}

TEST(OwnerOf, OfSeveralKernelsNoneIsGuessed) {
  const std::vector<DeviceKernel> two = {Kernel("dgrad_engine"), Kernel(kToNhwc),
                                         Kernel("wgrad_engine")};
  EXPECT_EQ(OwnerOf(two, true), std::nullopt);
  EXPECT_THAT(Participants(two, true), ElementsAre(0, 2));
  EXPECT_EQ(OwnerOf({Kernel("sort_1"), Kernel("sort_2")}, false), std::nullopt);
}

TEST(OwnerOf, AHelperAloneIsTheWorkOfACopyAndNotOfAProduct) {
  const std::vector<DeviceKernel> fill = {Kernel("Memset (Device)", "memset")};
  EXPECT_EQ(OwnerOf(fill, false), 0);
  EXPECT_EQ(OwnerOf(fill, true), std::nullopt);
  const std::vector<DeviceKernel> copy = {Kernel("Memcpy DtoH (Device -> Pageable)", "memcpy")};
  EXPECT_EQ(OwnerOf(copy, false), std::nullopt);
  EXPECT_THAT(Participants(copy, false), IsEmpty());
}

TEST(IsProduct, IsToldByTheOperator) {
  for (const std::string_view type :
       {"aten::mm", "aten::addmm", "aten::addmm_", "aten::bmm.out", "aten::linear",
        "aten::_scaled_mm", "aten::cudnn_convolution", "aten::convolution_backward",
        "aten::miopen_convolution_transpose", "aten::_conv_depthwise2d",
        "aten::_flash_attention_forward", "aten::_scaled_dot_product_efficient_attention_backward",
        "Conv", "_FusedMatMul", "Gemm"})
    EXPECT_TRUE(IsProduct(type)) << type;
  for (const std::string_view type : {"aten::add", "aten::native_layer_norm", "aten::_softmax",
                                      "aten::cat", "aten::_convert_weight_to_int4pack", "Relu"})
    EXPECT_FALSE(IsProduct(type)) << type;
}

// Type and unit that a kernel computes with, from the type of its operator's tensors.
std::string UnitOf(std::string_view kernel, std::string_view dtype, bool is_product) {
  Cost cost;
  cost.dtype = dtype;
  SetDeviceUnit(kernel, is_product, cost);
  return std::string(cost.dtype) + " " + std::string(cost.unit);
}

TEST(SetDeviceUnit, NarrowProductsUseTheMatrixUnit) {
  EXPECT_EQ(UnitOf(kGemm, "bfloat16", true), "bfloat16 tensor");
  EXPECT_EQ(UnitOf("ampere_fp16_s16816gemm", "float16", true), "float16 tensor");
  EXPECT_EQ(UnitOf("nvjet_qqtst", "float8", true), "float8 tensor");
  EXPECT_EQ(UnitOf("attn_fwd", "bfloat16", true), "bfloat16 tensor");
}

TEST(SetDeviceUnit, MatrixVectorProductsDoNot) {
  EXPECT_EQ(UnitOf("gemv2T_kernel_val<int, __nv_bfloat16>", "bfloat16", true), "float32 vector");
  EXPECT_EQ(UnitOf("internal::gemvx::kernel<float>", "float32", true), "float32 vector");
}

TEST(SetDeviceUnit, Float32UsesItWhereTheNameSaysSo) {
  EXPECT_EQ(UnitOf("cutlass_80_tensorop_s1688gemm_64x64", "float32", true), "tfloat32 tensor");
  EXPECT_EQ(UnitOf("sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32", "float32", true),
            "tfloat32 tensor");
  EXPECT_EQ(UnitOf("sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32", "float32", true),
            "float32 vector");
  EXPECT_EQ(UnitOf("volta_sgemm_64x64_nt", "float32", true), "float32 vector");
  // AMD's matrix instructions multiply float32 as it is.
  EXPECT_EQ(UnitOf("Cijk_Ailk_Bljk_SB_MT64x64x16_MI16x16x4x1", "float32", true), "float32 tensor");
  EXPECT_EQ(UnitOf("cutlass_80_tensorop_d884gemm_64x64", "float64", true), "float64 tensor");
}

TEST(SetDeviceUnit, EverythingElseIsAVectorInFloat32) {
  EXPECT_EQ(UnitOf(kAdd, "bfloat16", false), "float32 vector");
  EXPECT_EQ(UnitOf(kAdd, "float64", false), "float64 vector");
  EXPECT_EQ(UnitOf(kAdd, "int64", false), "int64 vector");
}

}  // namespace
}  // namespace xsp::primitives
