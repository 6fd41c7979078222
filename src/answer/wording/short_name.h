#ifndef XSP_ANSWER_WORDING_SHORT_NAME_H_
#define XSP_ANSWER_WORDING_SHORT_NAME_H_

#include <cstddef>
#include <string>
#include <string_view>

namespace xsp::wording {

/// A kernel's name as people can read it, in at most `most` bytes and an ellipsis: of a C++
/// signature the function's own name with its template arguments, without return type, namespaces
/// and parameters; of any other long name its head and tail. A name that is short and no signature
/// comes back as it is. The page does the same (web/src/short_name.ts).
std::string ShortName(std::string_view name, std::size_t most = 80);

}  // namespace xsp::wording

#endif  // XSP_ANSWER_WORDING_SHORT_NAME_H_
