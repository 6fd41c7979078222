#ifndef XSP_DERIVE_MATCH_ROWS_H_
#define XSP_DERIVE_MATCH_ROWS_H_

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/table.h"

namespace xsp::match {

/// Cells of experiment tables: what is not known is NULL.
inline store::Cell NumberCell(double value) {
  return std::isnan(value) ? store::Cell() : store::Cell(value);
}
inline store::Cell NumberCell(std::optional<double> value) {
  return value ? NumberCell(*value) : store::Cell();
}
inline store::Cell TextCell(std::string_view text) {
  return text.empty() ? store::Cell() : store::Cell(std::string(text));
}
inline store::Cell CountCell(std::int64_t value) { return value; }

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_ROWS_H_
