#include "derive/timeline/activity.h"

#include <gtest/gtest.h>

namespace xsp::timeline {
namespace {

TEST(ActivityTest, KernelsOfCommunicationLibrariesCommunicate) {
  for (const char* name :
       {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
        "ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", "rcclGenericKernel<1, false>",
        "void vllm::cross_device_reduce_1stage<__hip_bfloat16, 8>(...)",
        "void tensorrt_llm::kernels::oneShotAllReduceKernel<half, 8>(...)"}) {
    EXPECT_EQ(ActivityOf("kernel", name), Activity::kCommunication) << name;
  }
}

TEST(ActivityTest, OtherKernelsCompute) {
  for (const char* name :
       {"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_cublas",
        "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(...)", ""}) {
    EXPECT_EQ(ActivityOf("kernel", name), Activity::kCompute) << name;
  }
}

TEST(ActivityTest, CopiesAndSetsCopyWhateverTheirName) {
  EXPECT_EQ(ActivityOf("memcpy", "Memcpy DtoD (nccl staging)"), Activity::kCopy);
  EXPECT_EQ(ActivityOf("memset", "Memset (Device)"), Activity::kCopy);
}

}  // namespace
}  // namespace xsp::timeline
