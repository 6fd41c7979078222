#ifndef XSP_CAPTURE_RECORD_ITT_HOOK_H_
#define XSP_CAPTURE_RECORD_ITT_HOOK_H_

#include "capture/record/hook_spec.h"

namespace xsp::record::itt {

/// oneDNN reports each primitive through ITT, and again on each thread that works at it.
inline constexpr const char* kSilencers[] = {"ONEDNN_ITT_TASK_LEVEL", "DNNL_ITT_TASK_LEVEL"};

inline constexpr HookSpec kHook = {
    .name = "itt",
    .variable = "INTEL_LIBITTNOTIFY64",
    .what = "ITT tasks",
    .commands = "tools/build",
    .silencers = kSilencers,
};

}  // namespace xsp::record::itt

#endif  // XSP_CAPTURE_RECORD_ITT_HOOK_H_
