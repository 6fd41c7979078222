#ifndef XSP_STORE_QUERY_BUDGET_H_
#define XSP_STORE_QUERY_BUDGET_H_

#include <algorithm>

#include "store/query_limits.h"

namespace xsp::store {

/// Limits of all statements of one request: each has those of rows, text and memory, and together
/// they have the time. Threading: one thread at a time.
class QueryBudget {
 public:
  QueryBudget() = default;  ///< Without limits.
  explicit QueryBudget(const QueryLimits& limits) : limits_(limits) {}

  const QueryLimits& limits() const { return limits_; }
  bool is_spent() const { return limits_.time_s > 0 && used_s_ >= limits_.time_s; }
  /// Of the next statement, while the budget is not spent.
  QueryLimits Left() const {
    QueryLimits left = limits_;
    if (left.time_s > 0) left.time_s = std::max(limits_.time_s - used_s_, kLeast_s);
    return left;
  }
  void Spend(double seconds) { used_s_ += seconds; }

 private:
  static constexpr double kLeast_s = 1e-6;  // 0 would be no limit.
  QueryLimits limits_ = {};
  double used_s_ = 0;
};

}  // namespace xsp::store

#endif  // XSP_STORE_QUERY_BUDGET_H_
