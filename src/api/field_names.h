#ifndef XSP_API_FIELD_NAMES_H_
#define XSP_API_FIELD_NAMES_H_

#include <string>
#include <string_view>

namespace xsp::api {

/// A hint to who wrote a request: the options of the command line that it names, such as
/// --time-limit, become the fields that they stand for, `time_limit`. A command between backticks
/// stays as it is.
std::string WithFieldNames(std::string_view hint);

}  // namespace xsp::api

#endif  // XSP_API_FIELD_NAMES_H_
