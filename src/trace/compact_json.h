#ifndef XSP_TRACE_COMPACT_JSON_H_
#define XSP_TRACE_COMPACT_JSON_H_

#include <string>
#include <string_view>

namespace xsp::trace {

/// Replaces `out` by `json` without the white space outside its strings; every other character
/// stays. The text is not checked: a string that never closes reaches to the end.
void CompactJson(std::string_view json, std::string& out);

}  // namespace xsp::trace

#endif  // XSP_TRACE_COMPACT_JSON_H_
