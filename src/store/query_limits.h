#ifndef XSP_STORE_QUERY_LIMITS_H_
#define XSP_STORE_QUERY_LIMITS_H_

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

}  // namespace xsp::store

#endif  // XSP_STORE_QUERY_LIMITS_H_
