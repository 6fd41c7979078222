#ifndef XSP_ANSWER_SUITE_SIMILARITY_COMPONENTS_H_
#define XSP_ANSWER_SUITE_SIMILARITY_COMPONENTS_H_

#include <cstddef>
#include <vector>

namespace xsp::suite::similarity {

/// Row-major: matrix[workload][metric]. Every row has the same length; values are finite.
using Matrix = std::vector<std::vector<double>>;

/// True for each column whose values are all alike: their range is at most 1e-12 of the largest
/// magnitude, so that what differs is rounding.
std::vector<bool> ConstantColumns(const Matrix& values);

/// Each column less its mean, over its population standard deviation (divisor n, as scikit-learn's
/// StandardScaler). No column may be constant.
Matrix Standardised(const Matrix& values);

/// Principal components of standardised values, in descending order of variance. Only those that
/// have any: at most min(rows - 1, columns); a component of less than 1e-12 of the variance is
/// rounding and left out.
struct Components {
  std::vector<double> variance;  ///< Of the scores, divisor n - 1.
  std::vector<double> share;     ///< Of the whole variance; they add up to 1.

  /// weights[component][metric]: unit vectors, the directions of the components. Sign: the weight
  /// of the largest magnitude is positive (of magnitudes within 1e-9 of each other, the first
  /// metric's).
  Matrix weights;

  /// correlations[component][metric]: of the metric with the component's scores, -1 to 1.
  Matrix correlations;

  /// The metric whose weight is that largest one.
  std::vector<std::size_t> dominant;

  Matrix scores;  ///< scores[workload][component].
};

/// Principal component analysis by the singular values of `standardised` (columns of mean 0;
/// Jolliffe, "Principal Component Analysis", 2002, sections 2.1 and 3.5). At least two rows and one
/// column.
Components PrincipalComponents(const Matrix& standardised);

/// How many of the first components explain at least `share` (0 to 1) of the variance.
std::size_t ComponentsFor(const Components& components, double share);

}  // namespace xsp::suite::similarity

#endif  // XSP_ANSWER_SUITE_SIMILARITY_COMPONENTS_H_
