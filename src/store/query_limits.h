#ifndef XSP_STORE_QUERY_LIMITS_H_
#define XSP_STORE_QUERY_LIMITS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace xsp::store {

/// What one statement of SQL may use. 0: no limit.
struct QueryLimits {
  double time_s = 0;
  std::int64_t rows = 0;       ///< Of the result.
  std::size_t text_bytes = 0;  ///< Sum of the bytes of all texts of the result.
  /// Of the engine's buffers (sorts, joins, aggregates, pages of files), of all statements of a
  /// database together. A single long text or list that an expression builds is not counted.
  std::size_t memory_bytes = 0;

  /// Whether anything is limited while a statement runs.
  bool IsSet() const { return time_s > 0 || rows > 0 || text_bytes > 0 || memory_bytes > 0; }
};

/// What both allow.
constexpr QueryLimits Stricter(const QueryLimits& first, const QueryLimits& second) {
  const auto less = [](auto a, auto b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); };
  return {less(first.time_s, second.time_s), less(first.rows, second.rows),
          less(first.text_bytes, second.text_bytes), less(first.memory_bytes, second.memory_bytes)};
}

}  // namespace xsp::store

#endif  // XSP_STORE_QUERY_LIMITS_H_
