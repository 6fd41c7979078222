#include "measure/protocols/rate_search.h"

namespace xsp::protocols {

Result<std::optional<double>> FindHighestRate(double start,
                                              const std::function<Result<bool>(double)>& passes) {
  XSP_TRY(const bool first, passes(start));
  double rate = start;
  bool bracketed = false;
  for (int step = 0; step < kMostSteps && !bracketed; ++step) {
    const double next = first ? rate * 2 : rate / 2;
    XSP_TRY(const bool passed, passes(next));
    bracketed = passed != first;
    if (!bracketed || !first) rate = next;
  }
  if (!bracketed) return first ? std::optional(rate) : std::nullopt;
  double low = rate, high = rate * 2;
  while (high - low > kRateResolution * high) {
    const double middle = (low + high) / 2;
    XSP_TRY(const bool passed, passes(middle));
    (passed ? low : high) = middle;
  }
  return std::optional(low);
}

}  // namespace xsp::protocols
