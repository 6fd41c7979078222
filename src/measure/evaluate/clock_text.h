#ifndef XSP_MEASURE_EVALUATE_CLOCK_TEXT_H_
#define XSP_MEASURE_EVALUATE_CLOCK_TEXT_H_

#include <string>

namespace xsp::evaluate {

/// This moment, UTC, in whole seconds: "2026-01-31T12:00:59Z" (RFC 3339).
std::string NowRfc3339();

/// This moment, UTC, for names of folders: "20260131-120059".
std::string NowForNames();

}  // namespace xsp::evaluate

#endif  // XSP_MEASURE_EVALUATE_CLOCK_TEXT_H_
