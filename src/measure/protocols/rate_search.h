#ifndef XSP_MEASURE_PROTOCOLS_RATE_SEARCH_H_
#define XSP_MEASURE_PROTOCOLS_RATE_SEARCH_H_

#include <functional>
#include <optional>

#include "core/result.h"

namespace xsp::protocols {

/// Where a search ends: the highest rate that passes and the lowest that does not are no further
/// apart than this share of the latter.
inline constexpr double kRateResolution = 0.02;
/// How often the first rate is halved or doubled before the search gives up on a bracket.
inline constexpr int kMostSteps = 6;

/// Finds the highest rate that passes: from `start` (positive) by doubling or halving until one
/// passes and one twice as high does not, then by bisection down to kRateResolution. Nothing when
/// not even start / 2^kMostSteps passes; start * 2^kMostSteps when all do. Takes `passes` to be
/// monotone: where it is not, the result is a rate that passed beside one that did not. Errors:
/// those of `passes`.
Result<std::optional<double>> FindHighestRate(double start,
                                              const std::function<Result<bool>(double)>& passes);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_RATE_SEARCH_H_
