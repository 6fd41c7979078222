#ifndef XSP_APP_SERVE_ARRAY_PAGE_H_
#define XSP_APP_SERVE_ARRAY_PAGE_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "core/result.h"

namespace xsp::serve {

/// Part of an array, and how to ask for the next.
struct ArrayPage {
  nlohmann::json items;
  std::size_t total = 0;    ///< Items of the whole array.
  std::string next_cursor;  ///< Empty: these are the last items.
};

/// At most `limit` items of `array` from where `cursor` says (empty: from the first). `request`: a
/// text that is the same for all pages of one list; a cursor of another list is refused. Errors:
/// kUsage (field `cursor`).
Result<ArrayPage> PageOf(const nlohmann::json& array, std::size_t limit, const std::string& cursor,
                         const std::string& request);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_ARRAY_PAGE_H_
