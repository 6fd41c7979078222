#include "answer/suite/similarity/components.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

namespace xsp::suite::similarity {
namespace {

constexpr double kRounding = 1e-12;
constexpr double kTie = 1e-9;

using Eigen::Index;

Eigen::MatrixXd ToEigen(const Matrix& values) {
  Eigen::MatrixXd matrix(static_cast<Index>(values.size()),
                         static_cast<Index>(values.front().size()));
  for (std::size_t r = 0; r < values.size(); ++r)
    for (std::size_t c = 0; c < values[r].size(); ++c)
      matrix(static_cast<Index>(r), static_cast<Index>(c)) = values[r][c];
  return matrix;
}

/// The place of the largest magnitude, the first of those that are as good as equal.
std::size_t Dominant(const std::vector<double>& weights) {
  double most = 0;
  for (const double weight : weights) most = std::max(most, std::abs(weight));
  std::size_t at = 0;
  while (std::abs(weights[at]) < most - kTie) ++at;
  return at;
}

}  // namespace

std::vector<bool> ConstantColumns(const Matrix& values) {
  std::vector<bool> constant;
  for (std::size_t c = 0; c < values.front().size(); ++c) {
    double low = values.front()[c];
    double high = low;
    for (const auto& row : values) low = std::min(low, row[c]), high = std::max(high, row[c]);
    constant.push_back(high - low <= kRounding * std::max(std::abs(low), std::abs(high)));
  }
  return constant;
}

Matrix Standardised(const Matrix& values) {
  Matrix result = values;
  const auto n = static_cast<double>(values.size());
  for (std::size_t c = 0; c < values.front().size(); ++c) {
    double sum = 0;
    // Scaled by the largest magnitude, so that squares of huge values stay finite.
    double most = 0;
    for (const auto& row : values) most = std::max(most, std::abs(row[c]));
    for (const auto& row : values) sum += row[c] / most;
    const double mean = sum / n;
    double squares = 0;
    for (const auto& row : values) squares += std::pow(row[c] / most - mean, 2);
    const double deviation = std::sqrt(squares / n);
    for (auto& row : result) row[c] = (row[c] / most - mean) / deviation;
  }
  return result;
}

Components PrincipalComponents(const Matrix& standardised) {
  const Eigen::MatrixXd matrix = ToEigen(standardised);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd& singular = svd.singularValues();
  const double total = singular.squaredNorm();
  const double freedom = static_cast<double>(standardised.size()) - 1;
  Components result;
  result.scores.resize(standardised.size());
  const auto most =
      static_cast<Index>(std::min(standardised.size() - 1, standardised.front().size()));
  for (Index k = 0; k < std::min(most, singular.size()); ++k) {
    const double square = singular(k) * singular(k);
    if (square <= kRounding * total) break;
    std::vector<double> weights(standardised.front().size());
    for (std::size_t m = 0; m < weights.size(); ++m)
      weights[m] = svd.matrixV()(static_cast<Index>(m), k);
    const std::size_t dominant = Dominant(weights);
    const double sign = weights[dominant] < 0 ? -1 : 1;
    std::vector<double> correlations;
    for (double& weight : weights) {
      weight *= sign;
      // Columns have population variance 1, scores have square / n: the n's cancel in this form.
      correlations.push_back(weight * singular(k) /
                             std::sqrt(static_cast<double>(standardised.size())));
    }
    result.variance.push_back(square / freedom);
    result.share.push_back(square / total);
    result.dominant.push_back(dominant);
    result.weights.push_back(std::move(weights));
    result.correlations.push_back(std::move(correlations));
    for (std::size_t r = 0; r < standardised.size(); ++r)
      result.scores[r].push_back(sign * svd.matrixU()(static_cast<Index>(r), k) * singular(k));
  }
  return result;
}

std::size_t ComponentsFor(const Components& components, double share) {
  double sum = 0;
  for (std::size_t k = 0; k < components.share.size(); ++k) {
    sum += components.share[k];
    if (sum >= share - kRounding) return k + 1;
  }
  return components.share.size();
}

}  // namespace xsp::suite::similarity
