#ifndef XSP_OS_CLOCKS_H_
#define XSP_OS_CLOCKS_H_

#include <time.h>

#include <cstdint>

namespace xsp::os {

/// A clock's time in ns.
std::int64_t Now(clockid_t clock);

/// What to add to CLOCK_MONOTONIC to get ns since 1970 (UTC), as the clocks stand now: from the
/// closest of some pairs of readings.
std::int64_t RealtimeOffsetNs();

}  // namespace xsp::os

#endif  // XSP_OS_CLOCKS_H_
