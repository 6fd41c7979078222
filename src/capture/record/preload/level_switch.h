#ifndef XSP_CAPTURE_RECORD_PRELOAD_LEVEL_SWITCH_H_
#define XSP_CAPTURE_RECORD_PRELOAD_LEVEL_SWITCH_H_

namespace xsp::record::preload {

/// Holds this process's recording while the page of kSwitchVariable says so, from now on and at
/// every change, from a thread of its own that sleeps in between; also in forked children. Does
/// nothing where the variable is not set. Once, before the program's main().
void FollowSwitch();

}  // namespace xsp::record::preload

#endif  // XSP_CAPTURE_RECORD_PRELOAD_LEVEL_SWITCH_H_
