#ifndef XSP_CORE_NUMBER_CHECK_H_
#define XSP_CORE_NUMBER_CHECK_H_

#include <string>

namespace xsp::core {

/// Checks of options that are numbers: empty where `text` is one, else what it is not, in few
/// words. (CLI::PositiveNumber names the greatest number there is, in 300 digits.)
///
/// A finite number above 0: "not a positive number: -1".
std::string PositiveNumber(const std::string& text);

/// A finite number of at least 0: "not a number of at least 0: -1".
std::string NonNegativeNumber(const std::string& text);

}  // namespace xsp::core

#endif  // XSP_CORE_NUMBER_CHECK_H_
