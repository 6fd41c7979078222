#ifndef XSP_SUITE_SCALING_FIT_H_
#define XSP_SUITE_SCALING_FIT_H_

#include <optional>
#include <span>
#include <vector>

namespace xsp::suite::scaling {

/// What a job gains on so many devices, processes or threads.
struct Scaled {
  int width;
  double speedup;  ///< Over width 1; > 0.
};

/// A law's serial share, by least squares through the point (1, 1).
struct Fit {
  double serial;    ///< Share of the work that does not get faster; below 0: faster than linear.
  double low;       ///< 95 % interval of `serial`: Student's t on the residuals.
  double high;      ///< Both NaN with fewer than two widths above 1.
  double residual;  ///< Root of the mean squared relative error of the speed-up.
};

/// Amdahl 1967: 1 / speedup = s + (1 - s) / n. Linear in s, fitted there. `points` are of widths
/// >= 1, each once; those of width 1 say nothing. Nothing without a width above 1.
std::optional<Fit> FitAmdahl(std::span<const Scaled> points);

/// Gustafson 1988: speedup = n - s (n - 1). As FitAmdahl().
std::optional<Fit> FitGustafson(std::span<const Scaled> points);

double AmdahlSpeedup(double serial, double width);
double GustafsonSpeedup(double serial, double width);

/// The 97.5 % point of Student's t distribution with `degrees` >= 1 degrees of freedom.
double StudentT975(int degrees);

/// What a doubling from `a` to `b` gains, as a share: (speedup ratio) ^ (1 / log2(width ratio)) -
/// 1, so that steps that are no doubling are scaled to one (as analysis A1 does for batch sizes).
double GainPerDoubling(const Scaled& a, const Scaled& b);

/// The smallest width whose next step gains at most `gain` per doubling; nothing if each step gains
/// more. `points` by width, ascending.
std::optional<int> EnoughWidth(std::span<const Scaled> points, double gain);

/// The smallest power of two from which doubling gains at most `gain` by Amdahl's law; nothing
/// where no width below 2^30 does (serial share <= 0).
std::optional<int> EnoughWidthByAmdahl(double serial, double gain);

}  // namespace xsp::suite::scaling

#endif  // XSP_SUITE_SCALING_FIT_H_
