#include "answer/suite/scaling/fit.h"

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

double PositiveOrNaN(double value) { return value > 0 ? value : kNaN; }

/// A simple linear regression.
struct Regression {
  double a = 0, b = 0;  ///< y = a + b x.
  double mean_x = 0, xx = 0;
  double squares = 0;  ///< Of the residuals.
};

Regression LineThrough(std::span<const double> x, std::span<const double> y) {
  const auto count = static_cast<double>(x.size());
  Regression line;
  double mean_y = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) line.mean_x += x[i] / count, mean_y += y[i] / count;
  for (std::size_t i = 0; i < x.size(); ++i) {
    line.xx += std::pow(x[i] - line.mean_x, 2);
    xy += (x[i] - line.mean_x) * (y[i] - mean_y);
  }
  line.b = xy / line.xx;
  line.a = mean_y - line.b * line.mean_x;
  for (std::size_t i = 0; i < x.size(); ++i)
    line.squares += std::pow(y[i] - line.a - line.b * x[i], 2);
  return line;
}

/// The share a / (a + b) of a line with its interval, as the header has it. `speedup_of` a y.
std::optional<Fit> FitShare(std::span<const double> x, std::span<const double> y,
                            double (*speedup_of)(double)) {
  if (x.size() < 2) return std::nullopt;
  const Regression line = LineThrough(x, y);
  const double one = line.a + line.b;
  if (!(one > 0)) return std::nullopt;
  Fit fit{line.a / one, kNaN, kNaN, 0};
  const auto count = static_cast<double>(x.size());
  double relative = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    relative +=
        std::pow(speedup_of(PositiveOrNaN(line.a + line.b * x[i])) / speedup_of(y[i]) - 1, 2);
  fit.residual = std::sqrt(relative / count);
  if (x.size() < 3) return fit;
  const double variance = line.squares / (count - 2);
  const double var_b = variance / line.xx;
  const double var_a = variance * (1 / count + line.mean_x * line.mean_x / line.xx);
  const double covariance = -variance * line.mean_x / line.xx;
  const double of_share =
      line.b * line.b * var_a - 2 * line.a * line.b * covariance + line.a * line.a * var_b;
  // Rounding can leave a hair below 0.
  const double half = StudentT975(static_cast<int>(x.size()) - 2) *
                      std::sqrt(std::max(of_share, 0.0)) / (one * one);
  fit.low = fit.serial - half;
  fit.high = fit.serial + half;
  return fit;
}

}  // namespace

double AmdahlSpeedup(double serial, double width) {
  return 1 / PositiveOrNaN(serial + (1 - serial) / width);
}

double GustafsonSpeedup(double serial, double width) {
  return PositiveOrNaN(width - serial * (width - 1));
}

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

std::optional<Fit> FitAmdahlWithoutOne(std::span<const Scaled> points) {
  std::vector<double> x, y;
  for (const Scaled& point : points) {
    x.push_back(1.0 / point.width);
    y.push_back(1 / point.speedup);
  }
  return FitShare(x, y, [](double time) { return 1 / time; });
}

std::optional<Fit> FitGustafsonWithoutOne(std::span<const Scaled> points) {
  std::vector<double> x, y;
  for (const Scaled& point : points) {
    x.push_back(point.width);
    y.push_back(point.speedup);
  }
  return FitShare(x, y, [](double speedup) { return speedup; });
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
