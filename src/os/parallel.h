#ifndef XSP_OS_PARALLEL_H_
#define XSP_OS_PARALLEL_H_

#include <cstddef>
#include <functional>

#include "core/result.h"

namespace xsp::os {

/// Calls `work` with 0 ... count - 1, on as many threads as this process may use processors, the
/// calling one among them. After the first error no new call begins; that error is returned.
Status ForEach(std::size_t count, const std::function<Status(std::size_t)>& work);

/// The same on up to 16 threads, whatever the number of processors: for work that waits most of the
/// time, for a disk or a server.
Status ForEachWaiting(std::size_t count, const std::function<Status(std::size_t)>& work);

}  // namespace xsp::os

#endif  // XSP_OS_PARALLEL_H_
