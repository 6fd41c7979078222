#ifndef XSP_APP_CLI_STACK_DIFFERENCE_OUTPUT_H_
#define XSP_APP_CLI_STACK_DIFFERENCE_OUTPUT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/output.h"

namespace xsp::cli {

/// `difference`, the answer of `xsp system --diff`, as text: as CSV, or for people (at most `width`
/// columns, keys and both values beside each other, and below how many are the same). A value that
/// is not there is NULL in CSV, with the reason beside it where the machine hid it.
std::string FormatStackDifference(const nlohmann::json& difference, Format format, int width);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_STACK_DIFFERENCE_OUTPUT_H_
