#ifndef XSP_OS_PARENT_PROCESS_H_
#define XSP_OS_PARENT_PROCESS_H_

namespace xsp::os {

/// Where XSP_PARENT is the number of the process that started this one, this one gets SIGTERM when
/// that is gone, at once if it is gone already. The variable is removed: what this process starts
/// has another parent. Called before there are threads.
void HeedParent();

}  // namespace xsp::os

#endif  // XSP_OS_PARENT_PROCESS_H_
