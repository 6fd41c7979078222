#ifndef XSP_CAPTURE_RECORD_NVTX_HOOK_H_
#define XSP_CAPTURE_RECORD_NVTX_HOOK_H_

#include "capture/record/hook_spec.h"

namespace xsp::record::nvtx {

inline constexpr HookSpec kHook = {
    .name = "nvtx",
    .variable = "NVTX_INJECTION64_PATH",
    .what = "NVTX ranges",
    .commands = "tools/setup && tools/build",
};

}  // namespace xsp::record::nvtx

#endif  // XSP_CAPTURE_RECORD_NVTX_HOOK_H_
