#ifndef XSP_CORE_CLOCK_TEXT_H_
#define XSP_CORE_CLOCK_TEXT_H_

#include <ctime>
#include <string>

namespace xsp::core {

/// Seconds since the epoch as UTC (RFC 3339): "2026-01-31T12:00:59Z".
std::string Rfc3339(std::time_t seconds);

/// The current time as UTC, in whole seconds (RFC 3339).
std::string NowRfc3339();

/// The same with milliseconds, which sorts in the order of creation: "2026-01-31T12:00:59.123Z".
std::string NowRfc3339Milliseconds();

/// The current time as UTC, for names of folders: "20260131-120059".
std::string NowForNames();

}  // namespace xsp::core

#endif  // XSP_CORE_CLOCK_TEXT_H_
