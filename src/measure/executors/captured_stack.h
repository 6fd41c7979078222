#ifndef XSP_MEASURE_EXECUTORS_CAPTURED_STACK_H_
#define XSP_MEASURE_EXECUTORS_CAPTURED_STACK_H_

#include <nlohmann/json.hpp>

namespace xsp::executors {

/// Every fact of this machine's hardware and software that the collectors can read now
/// (collect::ToJson).
nlohmann::json CaptureStackJson();

}  // namespace xsp::executors

#endif  // XSP_MEASURE_EXECUTORS_CAPTURED_STACK_H_
