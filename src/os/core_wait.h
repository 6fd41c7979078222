#ifndef XSP_OS_CORE_WAIT_H_
#define XSP_OS_CORE_WAIT_H_

namespace xsp::os {

/// How long the threads that process `pid` has now were ready to run and had no core, each since it
/// began, in all; seconds. Source: /proc/PID/task/*/schedstat, second number (Linux,
/// Documentation/scheduler/sched-stats.rst). 0: none, or the kernel does not say. Any thread.
double CoreWaitSeconds(int pid);

}  // namespace xsp::os

#endif  // XSP_OS_CORE_WAIT_H_
