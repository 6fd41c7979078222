#ifndef XSP_CORE_CHANGE_POINTS_H_
#define XSP_CORE_CHANGE_POINTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace xsp::core {

// Where the distribution of a sequence changes: E-divisive (Matteson and James 2014) with a test
// that tolerates the autocorrelation of neighbours. Pure functions, any thread.

/// Fewer values cannot show a change at 5 %: of seven, three at an end are the largest in 2 of 35
/// orders by chance; of eight, four are in 2 of 70.
inline constexpr std::size_t kMinValuesForChange = 8;

/// A change needs so many values on either side: fewer are outliers.
inline constexpr std::size_t kMinSegment = 3;

/// Values [0, at) compared with [at, end).
struct Split {
  std::size_t at = 0;
  std::size_t end = 0;
  double statistic = 0;
};

/// The split with the largest statistic: the energy distance of both sides (exponent 1), times
/// their harmonic mean size, as Q in Matteson and James (2014), equation 7, with sums over all
/// pairs (Rizzo and Szekely 2010), which keeps its mean the same for all sizes. `end` varies, too,
/// so that a change that is taken back later is as visible as a lasting one; of more than 128
/// values only some ends are tried. Nothing: fewer than two segments. O(n^2) time, O(n) memory.
std::optional<Split> BestSplit(std::span<const double> values);

/// The same where `end` is the number of values. O(n^2).
std::optional<Split> BestSplitInTwo(std::span<const double> values);

struct ChangePoint {
  std::size_t at = 0;  ///< The first value after the change.
  double p = 0;        ///< Of the permutation test, between its neighbouring change points.
};

inline constexpr std::uint64_t kPermutationSeed = 20140102;

/// Change points in ascending order. Each is significant at 5 % in two permutation tests of the
/// values between its neighbours: one of the values, and one of what they deviate by from their
/// segment's mean, against the statistic divided by (1 + r) / (1 - r), r being the lag-1
/// autocorrelation of these deviations, so that neighbours that resemble each other do not pass for
/// a change. Values are finite and in the order of time; levels are compared by differences, so
/// pass logarithms of times. The same values and seed always give the same result. O(400 n^2) for
/// each segment.
std::vector<ChangePoint> FindChangePoints(std::span<const double> values,
                                          std::uint64_t seed = kPermutationSeed);

}  // namespace xsp::core

#endif  // XSP_CORE_CHANGE_POINTS_H_
