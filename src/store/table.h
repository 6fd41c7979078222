#ifndef XSP_STORE_TABLE_H_
#define XSP_STORE_TABLE_H_

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace xsp::store {

/// SQL NULL, BOOLEAN, any integer, any floating point number, text (every other type as text).
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// A query's result: row-major cells under named columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

}  // namespace xsp::store

#endif  // XSP_STORE_TABLE_H_
