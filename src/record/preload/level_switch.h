#ifndef XSP_RECORD_PRELOAD_LEVEL_SWITCH_H_
#define XSP_RECORD_PRELOAD_LEVEL_SWITCH_H_

namespace xsp::record::preload {

/// Sets the levels of this process's recording as the page of kSwitchVariable says, now and at
/// every change, from a thread of its own that sleeps in between; also in forked children. Does
/// nothing where the variable is not set. Once, before the program's main().
void FollowSwitch();

}  // namespace xsp::record::preload

#endif  // XSP_RECORD_PRELOAD_LEVEL_SWITCH_H_
