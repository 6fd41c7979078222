#include "answer/wording/short_name.h"

#include <gtest/gtest.h>

#include <random>

namespace xsp::wording {
namespace {

struct Names {
  const char* full;
  const char* short_name;
};

// The same names as in web/tests/short_name.test.ts.
constexpr Names kNames[] = {
    {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
     "at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, "
     "at::detail::Array<char*, 3>)",
     "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, Array<char*, 3>>"},
    {"void at::native::elementwise_kernel<128, 2, "
     "at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<float> "
     ">(at::TensorIteratorBase&, at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1}>(int, "
     "at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<float> "
     ">(at::TensorIteratorBase&, at::native::CUDAFunctor_add<float> const&)::{lambda(int)#1})",
     "elementwise_kernel<128, 2, CUDAFunctor_add<float>>"},
    {"void "
     "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::"
     "TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() "
     "const::{lambda(float)#1}, at::detail::Array<char*, 2>, 4>(int)",
     "unrolled_elementwise_kernel<direct_copy_kernel_cuda(float), Array<char*, 2>, 4>"},
    {"void (anonymous namespace)::softmax_warp_forward<float, float, float, 9, false, "
     "false>(float*, float const*, int, int, int, bool const*, int, bool)",
     "softmax_warp_forward<float, float, float, 9, false, false>"},
    {"void "
     "cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>(cutlass_"
     "80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8::Params)",
     "Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>"},
    {"void gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, (bool)1, "
     "(bool)0, cublasGemvParamsEx<int, cublasGemvTensorStridedBatched<float const>, float> >(int, "
     "float)",
     "gemv2T_kernel_val<int, int, float, float, float, float, 128, 16, 4, 4, 1, 0, c\u2026>"},
    {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_"
     "segment_k_off_kernel__5x_cublas",
     "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64\u2026ff_kernel__5x_cublas"},
    {"Cijk_Ailk_Bljk_BBS_BH_Bias_HAS_SAV_UserArgs_MT128x128x64_MI16x16x1_SN_LDSB0_AFC1_AFEM1_AFEM1_"
     "ASEM1_CLR1_CADS0_DTLA0_DTLB0",
     "Cijk_Ailk_Bljk_BBS_BH_Bias\u2026MT128x128x64\u2026"},
    {"triton_poi_fused_add_0", "triton_poi_fused_add_0"},
    {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
     "ncclDevKernel_AllReduce_Sum_f32_RING_LL"},
    {"ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)",
     "ncclKernel_AllReduce_RING_LL_Sum_float"},
    {"Memcpy HtoD (Pageable -> Device)", "Memcpy HtoD (Pageable -> Device)"},
    {"aten::mm", "aten::mm"},
    {"autograd::engine::evaluate_function: AddmmBackward0", "AddmmBackward0"},
    {"torch/nn/modules/module.py(1553): _call_impl",
     "torch/nn/modules/module.py(1553): _call_impl"},
    {"<built-in method apply of FunctionMeta object at 0x5581>",
     "<built-in method apply of FunctionMeta object at 0x5581>"},
    {"at::native::foo<unfinished", "at::native::foo<unfinished"},
    {"", ""},
};

TEST(ShortNameTest, KeepsWhatTellsKernelsApart) {
  for (const Names& names : kNames) EXPECT_EQ(ShortName(names.full), names.short_name);
}

TEST(ShortNameTest, IsNeverLongerThanAskedForWhateverTheText) {
  constexpr const char* kParts[] = {
      "void ", "a",     "kernel",          "<",   ">", "(",     ")",      "::",       ", ",
      "*",     "const", "{lambda(int)#1}", "x9_", " ", "Cijk_", "\u00b5", "_MT16x16_"};
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (int part = 0; part < 40; ++part) text += kParts[random() % std::size(kParts)];
    EXPECT_LE(ShortName(text, 40).size(), 40 + 2 * 12u) << text;  // An ellipsis has three bytes.
  }
}

}  // namespace
}  // namespace xsp::wording
