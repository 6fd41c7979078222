#ifndef XSP_CORE_LIST_PRODUCT_H_
#define XSP_CORE_LIST_PRODUCT_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace xsp::core {

/// The product of a list of positive integers as JSON has it, "[64, 1, 2]"; nothing for any other
/// text, for an empty list, and for a product above 2^62.
std::optional<std::int64_t> ListProduct(std::string_view list);

}  // namespace xsp::core

#endif  // XSP_CORE_LIST_PRODUCT_H_
