#ifndef XSP_CAPTURE_RECORD_CUDA_HOOK_H_
#define XSP_CAPTURE_RECORD_CUDA_HOOK_H_

#include "capture/record/hook_spec.h"

namespace xsp::record::cuda {

inline constexpr HookSpec kHook = {
    .name = "cuda",
    .variable = "CUDA_INJECTION64_PATH",
    .what = "CUDA",
    .commands = "tools/setup --cuda && tools/build",
};

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_HOOK_H_
