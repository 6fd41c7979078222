#ifndef XSP_APP_CLI_STACK_DIFFERENCE_OUTPUT_H_
#define XSP_APP_CLI_STACK_DIFFERENCE_OUTPUT_H_

#include <string>

#include "app/cli/output.h"
#include "app/cli/stack_capture.h"
#include "capture/collect/stack_difference.h"

namespace xsp::cli {

/// `difference` between `a` and `b` as text: for people (at most `width` columns, keys and both
/// values beside each other, and below how many are the same), as CSV or as one JSON object. A
/// value that is not there is NULL in CSV and JSON, with the reason beside it where the machine hid
/// it.
std::string FormatStackDifference(const StackCapture& a, const StackCapture& b,
                                  const collect::StackDifference& difference, Format format,
                                  int width);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_STACK_DIFFERENCE_OUTPUT_H_
