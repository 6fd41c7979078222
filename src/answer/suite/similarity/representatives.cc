#include "answer/suite/similarity/representatives.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace xsp::suite::similarity {
namespace {

constexpr double kEqualPercent = 1e-9;

/// Each metric between its least (0) and its greatest value (100).
Matrix Positions(const Matrix& values) {
  Matrix positions = values;
  for (std::size_t m = 0; m < values.front().size(); ++m) {
    double low = values.front()[m];
    double high = low;
    for (const auto& row : values) low = std::min(low, row[m]), high = std::max(high, row[m]);
    for (auto& row : positions) row[m] = 100 * ((row[m] - low) / (high - low));
  }
  return positions;
}

/// Mean and least of what `chosen` covers.
struct Covered {
  double mean;
  double least;
};

Covered CoveredBy(const Matrix& positions, const std::vector<std::size_t>& chosen) {
  Covered covered{0, std::numeric_limits<double>::infinity()};
  const std::size_t metrics = positions.front().size();
  for (std::size_t m = 0; m < metrics; ++m) {
    double low = 100;
    double high = 0;
    for (const std::size_t i : chosen) {
      low = std::min(low, positions[i][m]);
      high = std::max(high, positions[i][m]);
    }
    covered.mean += (high - low) / static_cast<double>(metrics);
    covered.least = std::min(covered.least, high - low);
  }
  return covered;
}

/// The next subset in order of its members; false after the last.
bool Next(std::vector<std::size_t>& chosen, std::size_t workloads) {
  const std::size_t size = chosen.size();
  for (std::size_t i = size; i-- > 0;) {
    if (chosen[i] + (size - i) >= workloads) continue;
    std::iota(chosen.begin() + static_cast<std::ptrdiff_t>(i), chosen.end(), chosen[i] + 1);
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::size_t> Representatives(const Matrix& points,
                                         const std::vector<std::size_t>& clusters) {
  const std::size_t count = *std::ranges::max_element(clusters);
  const std::size_t width = points.front().size();
  std::vector<std::size_t> chosen;
  for (std::size_t cluster = 1; cluster <= count; ++cluster) {
    std::vector<double> centre(width, 0);
    double size = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (clusters[i] != cluster) continue;
      for (std::size_t m = 0; m < width; ++m) centre[m] += points[i][m];
      ++size;
    }
    std::size_t nearest = points.size();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (clusters[i] != cluster) continue;
      double square = 0;
      for (std::size_t m = 0; m < width; ++m) {
        const double away = points[i][m] - centre[m] / size;
        square += away * away;
      }
      // Two members are equally far from their middle but for rounding: the first is taken.
      if (nearest == points.size() || square < least * (1 - kEqualPercent))
        least = square, nearest = i;
    }
    chosen.push_back(nearest);
  }
  return chosen;
}

std::vector<Coverage> CoverageOf(const Matrix& values, const std::vector<std::size_t>& chosen) {
  const Matrix positions = Positions(values);
  std::vector<Coverage> coverage;
  for (std::size_t m = 0; m < values.front().size(); ++m) {
    Coverage& of_metric =
        coverage.emplace_back(Coverage{values.front()[m], values.front()[m], 100, 0});
    for (const auto& row : values) {
      of_metric.low = std::min(of_metric.low, row[m]);
      of_metric.high = std::max(of_metric.high, row[m]);
    }
    for (const std::size_t i : chosen) {
      of_metric.from_percent = std::min(of_metric.from_percent, positions[i][m]);
      of_metric.to_percent = std::max(of_metric.to_percent, positions[i][m]);
    }
  }
  return coverage;
}

double MeanPercent(const std::vector<Coverage>& coverage) {
  double sum = 0;
  for (const Coverage& of_metric : coverage) sum += of_metric.Percent();
  return sum / static_cast<double>(coverage.size());
}

std::int64_t Subsets(std::size_t workloads, std::size_t size) {
  double count = 1;
  size = std::min(size, workloads - size);
  for (std::size_t i = 1; i <= size; ++i)
    count *= static_cast<double>(workloads - size + i) / static_cast<double>(i);
  if (count > 9e18) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(count + 0.5);
}

std::optional<std::vector<std::size_t>> BestSubset(const Matrix& values, std::size_t size,
                                                   std::int64_t most) {
  const auto of_subset = static_cast<std::int64_t>(size * values.front().size());
  if (Subsets(values.size(), size) > most / of_subset) return std::nullopt;
  const Matrix positions = Positions(values);
  std::vector<std::size_t> chosen(size);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  std::vector<std::size_t> best = chosen;
  Covered of_best = CoveredBy(positions, chosen);
  while (Next(chosen, values.size())) {
    const Covered covered = CoveredBy(positions, chosen);
    const bool more = covered.mean > of_best.mean + kEqualPercent;
    const bool equal = covered.mean > of_best.mean - kEqualPercent;
    if (more || (equal && covered.least > of_best.least + kEqualPercent))
      of_best = covered, best = chosen;
  }
  return best;
}

}  // namespace xsp::suite::similarity
