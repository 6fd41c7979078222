#ifndef XSP_ANSWER_SUITE_SCALING_FIT_H_
#define XSP_ANSWER_SUITE_SCALING_FIT_H_

#include <optional>
#include <span>
#include <vector>

namespace xsp::suite::scaling {

/// What a job gains on so many devices, processes or threads.
struct Scaled {
  int width;
  double speedup;  ///< Over width 1, unless a function says otherwise; > 0.
};

/// A law's serial share, by least squares.
struct Fit {
  double serial;    ///< Share of the work that does not get faster; below 0: faster than linear.
  double low;       ///< 95 % interval of `serial`: Student's t on the residuals.
  double high;      ///< Both NaN where no residual is free.
  double residual;  ///< Root of the mean squared relative error of the speed-up; NaN where the
                    ///< law gives a point none.
};

/// Amdahl 1967: 1 / speedup = s + (1 - s) / n. Linear in s, fitted there through 1 at width 1.
/// `points` are of widths >= 1, each once; those of width 1 say nothing. Nothing without a width
/// above 1; no interval with fewer than two.
std::optional<Fit> FitAmdahl(std::span<const Scaled> points);

/// Gustafson 1988: speedup = n - s (n - 1). As FitAmdahl().
std::optional<Fit> FitGustafson(std::span<const Scaled> points);

/// The same laws where the time on width 1 is not known: speed-ups are over any time, which is the
/// second unknown. By simple linear regression y = a + b x, Amdahl's with y = 1 / speedup (the
/// time) and x = 1 / n, Gustafson's with y = speedup and x = n; in both s = a / (a + b). With m
/// points, residual variance v of m - 2 degrees of freedom and X = sum (x - mean x)^2 (Draper and
/// Smith 1998, chapter 1):
///   var b = v / X, var a = v (1 / m + (mean x)^2 / X), cov(a, b) = -v mean x / X;
/// by the delta method (Casella and Berger 2002, section 5.5.4), on which the interval stands:
///   var s = (b^2 var a - 2 a b cov(a, b) + a^2 var b) / (a + b)^4.
/// No interval with fewer than three widths. Nothing with fewer than two, or where the line gives
/// width 1 no positive time.
std::optional<Fit> FitAmdahlWithoutOne(std::span<const Scaled> points);
std::optional<Fit> FitGustafsonWithoutOne(std::span<const Scaled> points);

/// Over width 1; NaN where the law gives no positive time or work: a negative share does so from
/// some width on.
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

#endif  // XSP_ANSWER_SUITE_SCALING_FIT_H_
