#include "suite/scaling/fit.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace xsp::suite::scaling {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Student's t distribution function at t >= 0, by the finite sums for whole degrees of freedom
/// (Abramowitz and Stegun 1964, 26.7.3 and 26.7.4).
double StudentProbability(double t, int degrees) {
  const double angle = std::atan(t / std::sqrt(degrees));
  const double cosine = std::cos(angle);
  double sum = 0;
  double term = degrees % 2 == 1 ? cosine : 1;
  for (int k = degrees % 2 == 1 ? 1 : 0; k <= degrees - 2; k += 2) {
    sum += term;
    term *= cosine * cosine * (k + 1) / (k + 2);
  }
  const double within = degrees % 2 == 1 ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum)
                                         : std::sin(angle) * sum;
  return 0.5 + within / 2;
}

/// The slope of y = slope * x with its interval.
std::optional<Fit> FitSlope(std::span<const Scaled> points,
                            const std::function<double(const Scaled&)>& x_of,
                            const std::function<double(const Scaled&)>& y_of,
                            double (*law)(double, double)) {
  double xx = 0, xy = 0;
  int count = 0;
  for (const Scaled& point : points) {
    if (point.width <= 1) continue;
    xx += x_of(point) * x_of(point);
    xy += x_of(point) * y_of(point);
    ++count;
  }
  if (count == 0) return std::nullopt;
  Fit fit{xy / xx, kNaN, kNaN, 0};
  double squares = 0, relative = 0;
  for (const Scaled& point : points) {
    if (point.width <= 1) continue;
    squares += std::pow(y_of(point) - fit.serial * x_of(point), 2);
    relative += std::pow(law(fit.serial, point.width) / point.speedup - 1, 2);
  }
  fit.residual = std::sqrt(relative / count);
  if (count >= 2) {
    const double half = StudentT975(count - 1) * std::sqrt(squares / (count - 1) / xx);
    fit.low = fit.serial - half;
    fit.high = fit.serial + half;
  }
  return fit;
}

}  // namespace

double AmdahlSpeedup(double serial, double width) { return 1 / (serial + (1 - serial) / width); }
double GustafsonSpeedup(double serial, double width) { return width - serial * (width - 1); }

std::optional<Fit> FitAmdahl(std::span<const Scaled> points) {
  // 1/S - 1/n = s (1 - 1/n).
  return FitSlope(
      points, [](const Scaled& p) { return 1 - 1.0 / p.width; },
      [](const Scaled& p) { return 1 / p.speedup - 1.0 / p.width; }, AmdahlSpeedup);
}

std::optional<Fit> FitGustafson(std::span<const Scaled> points) {
  // n - S = s (n - 1).
  return FitSlope(
      points, [](const Scaled& p) { return p.width - 1.0; },
      [](const Scaled& p) { return p.width - p.speedup; }, GustafsonSpeedup);
}

double StudentT975(int degrees) {
  double low = 0, high = 20;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (StudentProbability(middle, degrees) < 0.975 ? low : high) = middle;
  }
  return high;
}

double GainPerDoubling(const Scaled& a, const Scaled& b) {
  const double doublings = std::log2(static_cast<double>(b.width) / a.width);
  return std::pow(b.speedup / a.speedup, 1 / doublings) - 1;
}

std::optional<int> EnoughWidth(std::span<const Scaled> points, double gain) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    if (GainPerDoubling(points[i], points[i + 1]) <= gain) return points[i].width;
  return std::nullopt;
}

std::optional<int> EnoughWidthByAmdahl(double serial, double gain) {
  if (serial <= 0) return std::nullopt;
  for (int width = 1; width < 1 << 30; width *= 2)
    if (AmdahlSpeedup(serial, 2.0 * width) / AmdahlSpeedup(serial, width) - 1 <= gain) return width;
  return std::nullopt;
}

}  // namespace xsp::suite::scaling
