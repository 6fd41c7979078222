#ifndef XSP_STORE_NULLABLE_H_
#define XSP_STORE_NULLABLE_H_

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xsp::store {

// Values of nullable columns from values that have a mark of their own for what is not known.

/// NULL where `value` is not a number.
inline std::optional<double> NumberOrNull(double value) {
  return std::isnan(value) ? std::nullopt : std::optional(value);
}
inline std::optional<double> NumberOrNull(std::optional<double> value) {
  return value ? NumberOrNull(*value) : std::nullopt;
}

/// NULL where `text` is empty.
inline std::optional<std::string> TextOrNull(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

/// NULL where `value` is not above 0.
inline std::optional<std::int64_t> PositiveOrNull(std::int64_t value) {
  return value > 0 ? std::optional(value) : std::nullopt;
}

}  // namespace xsp::store

#endif  // XSP_STORE_NULLABLE_H_
