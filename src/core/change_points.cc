#include "core/change_points.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "core/statistics.h"

namespace xsp::core {
namespace {

constexpr int kPermutations = 199;
constexpr double kSignificance = 0.05;
constexpr int kMaxRounds = 10;  ///< Of moving change points between their neighbours.

/// Sums of distances between pairs of values, for every place of a split, while values are added at
/// the end.
class GrowingSplits {
 public:
  explicit GrowingSplits(std::size_t values) : cross_(values + 1), within_(values + 1) {}

  void Add(std::span<const double> values, std::size_t k) {
    double sum = 0;
    for (std::size_t i = 0; i < k; ++i) {
      cross_[i] += sum;
      sum += std::abs(values[i] - values[k]);
    }
    cross_[k] = sum;
    within_[k + 1] = within_[k] + sum;
  }

  /// The best split of the first `end` values, which were added.
  Split Best(std::size_t end) const {
    Split best{0, end, 0};
    for (std::size_t at = kMinSegment; at + kMinSegment <= end; ++at) {
      const auto a = static_cast<double>(at), b = static_cast<double>(end - at);
      const double right = within_[end] - within_[at] - cross_[at];
      const double energy = cross_[at] - b / a * within_[at] - a / b * right;
      if (best.at == 0 || energy > best.statistic) best = {at, end, energy};
    }
    best.statistic *= 2 / static_cast<double>(end);
    return best;
  }

 private:
  std::vector<double> cross_;   ///< Between the first so many values and those after them.
  std::vector<double> within_;  ///< Within the first so many values.
};

enum class Ends : std::uint8_t { kAny, kLast };

/// Ends that are tried: of few values all.
bool IsTried(std::size_t end, std::size_t values, Ends ends) {
  constexpr std::size_t kMaxEnds = 64;
  if (end == values) return true;
  return ends == Ends::kAny && end % std::max<std::size_t>(1, values / kMaxEnds) == 0;
}

std::optional<Split> Best(std::span<const double> values, Ends ends) {
  const std::size_t n = values.size();
  if (n < 2 * kMinSegment) return std::nullopt;
  GrowingSplits splits(n);
  Split best;
  for (std::size_t k = 0; k < n; ++k) {
    splits.Add(values, k);
    const std::size_t end = k + 1;
    if (end < 2 * kMinSegment || !IsTried(end, n, ends)) continue;
    const Split here = splits.Best(end);
    if (best.at == 0 || here.statistic > best.statistic) best = here;
  }
  return best;
}

/// Fisher and Yates; std::shuffle differs between libraries.
void Shuffle(std::vector<double>& values, std::mt19937_64& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random() % i]);
}

/// What `values` deviate by from the means of the pieces that a split divides them into.
struct Residuals {
  std::vector<double> values;
  std::size_t pieces = 0;
};

Residuals ResidualsOf(std::span<const double> values, const Split& split) {
  Residuals residuals;
  std::size_t begin = 0;
  for (const std::size_t end : {split.at, split.end, values.size()}) {
    const auto piece = values.subspan(begin, end - begin);
    begin = end;
    if (piece.empty()) continue;
    ++residuals.pieces;
    const double mean = Mean(piece);
    for (const double value : piece) residuals.values.push_back(value - mean);
  }
  return residuals;
}

/// Their lag-1 autocorrelation, corrected for the bias of few values and of the means that were
/// taken off (Marriott and Pope 1954). Few values hardly tell it: what experiments usually have
/// counts as further values. Not below 0.
double Autocorrelation(const Residuals& residuals) {
  constexpr double kUsual = 0.3, kUsualValues = 20, kLargest = 0.9;
  double products = 0, squares = 0;
  for (std::size_t i = 0; i < residuals.values.size(); ++i) {
    squares += residuals.values[i] * residuals.values[i];
    if (i > 0) products += residuals.values[i] * residuals.values[i - 1];
  }
  if (!(squares > 0)) return 0;
  const auto n = static_cast<double>(residuals.values.size());
  const double found = products / squares;
  const double r = found + (static_cast<double>(residuals.pieces) + 3 * found) / n;
  return std::clamp((n * r + kUsualValues * kUsual) / (n + kUsualValues), 0.0, kLargest);
}

/// The p value of `statistic` among permutations of `values`; above 5 % it is only a lower bound.
double PermutationP(std::vector<double> values, double statistic, Ends ends, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr int kEnough = static_cast<int>(kSignificance * (kPermutations + 1));
  int reached = 0;
  // Further permutations cannot make it significant (Besag and Clifford 1991).
  for (int i = 0; i < kPermutations && reached < kEnough; ++i) {
    Shuffle(values, random);
    // Sums of the same distances in another order are equal to rounding.
    if (Best(values, ends)->statistic >= statistic * (1 - 1e-9)) ++reached;
  }
  return (1.0 + reached) / (kPermutations + 1);
}

/// The p value of `split`, the best of `values`: the larger one of two tests. Permutations of the
/// values are exact where they are exchangeable, but lose what neighbours have in common; therefore
/// the split must also exceed what permuted residuals show when it is divided by the factor by
/// which autocorrelation raises the variance of a mean.
double PValue(std::span<const double> values, const Split& split, Ends ends, std::uint64_t seed) {
  const double p = PermutationP({values.begin(), values.end()}, split.statistic, ends, seed);
  if (p > kSignificance) return p;
  Residuals residuals = ResidualsOf(values, split);
  const double r = Autocorrelation(residuals);
  if (r <= 0) return p;
  const auto n = static_cast<double>(values.size());
  const double scale = std::sqrt(n / (n - static_cast<double>(residuals.pieces)));
  const double needed = split.statistic * (1 - r) / (1 + r) / scale;
  return std::max(p, PermutationP(std::move(residuals.values), needed, ends, seed));
}

bool IsConstant(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(),
                     [&](double value) { return value == values.front(); });
}

/// The best split, if it is significant.
std::optional<ChangePoint> Test(std::span<const double> values, Ends ends, std::uint64_t seed) {
  if (values.size() < kMinValuesForChange || IsConstant(values)) return std::nullopt;
  const std::optional<Split> split = Best(values, ends);
  if (!split) return std::nullopt;
  const double p = PValue(values, *split, ends, seed);
  if (p > kSignificance) return std::nullopt;
  return ChangePoint{split->at, p};
}

class Finder {
 public:
  Finder(std::span<const double> values, std::uint64_t seed) : values_(values), seed_(seed) {}

  std::vector<ChangePoint> Find() {
    Divide(0, values_.size());
    std::sort(found_.begin(), found_.end());
    return Settle();
  }

 private:
  void Divide(std::size_t begin, std::size_t end) {
    const auto change = Test(values_.subspan(begin, end - begin), Ends::kAny, seed_);
    if (!change) return;
    found_.push_back(begin + change->at);
    Divide(begin, begin + change->at);
    Divide(begin + change->at, end);
  }

  /// A point that was found among others has its best place between its final neighbours (Bai
  /// 1997), and may no longer be significant there.
  std::vector<ChangePoint> Settle() {
    std::vector<ChangePoint> points;
    for (int round = 0; round < kMaxRounds; ++round) {
      points.clear();
      bool moved = false;
      for (std::size_t i = 0; i < found_.size(); ++i) {
        const std::size_t begin = points.empty() ? 0 : points.back().at;
        const std::size_t end = i + 1 < found_.size() ? found_[i + 1] : values_.size();
        auto change = Test(values_.subspan(begin, end - begin), Ends::kLast, seed_);
        if (!change) {
          moved = true;
          continue;
        }
        change->at += begin;
        moved = moved || change->at != found_[i];
        points.push_back(*change);
      }
      if (!moved) break;
      found_.clear();
      for (const ChangePoint& point : points) found_.push_back(point.at);
    }
    return points;
  }

  std::span<const double> values_;
  std::uint64_t seed_;
  std::vector<std::size_t> found_;
};

}  // namespace

std::optional<Split> BestSplit(std::span<const double> values) { return Best(values, Ends::kAny); }

std::optional<Split> BestSplitInTwo(std::span<const double> values) {
  return Best(values, Ends::kLast);
}

std::vector<ChangePoint> FindChangePoints(std::span<const double> values, std::uint64_t seed) {
  return Finder(values, seed).Find();
}

}  // namespace xsp::core
