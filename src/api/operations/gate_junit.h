#ifndef XSP_API_OPERATIONS_GATE_JUNIT_H_
#define XSP_API_OPERATIONS_GATE_JUNIT_H_

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace xsp::api {

/// The gates of compared pairs (documents of compare_operation.cc with `gates`) as a JUnit report:
/// one suite for each pair, one case for each gate. A regression is a failure; what is inconclusive
/// is an error, so that no reader counts it as passed. Text that XML 1.0 cannot hold becomes
/// U+FFFD.
std::string JunitXml(std::span<const nlohmann::json* const> pairs);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_GATE_JUNIT_H_
