#ifndef XSP_API_OPERATIONS_STACK_DIFFERENCE_DOCUMENT_H_
#define XSP_API_OPERATIONS_STACK_DIFFERENCE_DOCUMENT_H_

#include <nlohmann/json.hpp>

#include "api/operations/stack_capture.h"
#include "capture/collect/stack_difference.h"

namespace xsp::api {

/// `difference` between `a` and `b` as one JSON object. A value that is not there is null, with the
/// reason beside it where the machine hid it.
nlohmann::json StackDifferenceDocument(const StackCapture& a, const StackCapture& b,
                                       const collect::StackDifference& difference);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_STACK_DIFFERENCE_DOCUMENT_H_
