#ifndef XSP_DERIVE_ACCURACY_AGREEMENT_H_
#define XSP_DERIVE_ACCURACY_AGREEMENT_H_

#include <cstddef>
#include <span>

#include "core/result.h"

namespace xsp::accuracy {

enum class OutputKind {
  kLogits,         ///< Distributions are the softmax of each row.
  kProbabilities,  ///< Rows are distributions, up to a factor.
};

struct AgreementOptions {
  OutputKind kind = OutputKind::kLogits;
  std::size_t k = 5;  ///< Of the top-k overlap, at least 1; rows shorter than that count whole.
  /// The smallest denominator of a relative error, as a share of the reference's largest finite
  /// magnitude: errors of values near 0 would else say nothing.
  double relative_floor = 1e-3;
};

/// How far one backend's output is from another's, on the same inputs.
///
/// An element counts as comparable where both values are finite. Where neither is and they are
/// equal (the same infinity, or both NaN) it is `non_finite_same`, any other is
/// `non_finite_different`: never part of an error or cosine, and a row with one has no divergence.
/// A NaN is no class's score: it is left out of top-k, and a row without labels on either side
/// counts as disagreeing.
struct Agreement {
  std::size_t rows = 0;
  std::size_t elements = 0;
  std::size_t non_finite_same = 0;
  std::size_t non_finite_different = 0;

  double label_agreement = 0;  ///< Share of rows with the same TopK(1). 0 ... 1.
  double top_k_overlap = 0;    ///< Mean over rows of |TopK(a) and TopK(b)| / k. 0 ... 1.

  double max_absolute_error = 0;   ///< max |candidate - reference|, in the output's unit.
  double mean_absolute_error = 0;  ///< Over comparable elements, as all below.
  /// |candidate - reference| / max(|reference|, relative_floor * max |reference|): a ratio. 0 where
  /// both are 0.
  double max_relative_error = 0;
  double mean_relative_error = 0;
  /// Of the whole outputs as vectors, -1 ... 1; 1 where both, 0 where one is all zeros.
  double cosine_similarity = 1;

  std::size_t divergence_rows = 0;  ///< Rows that have a divergence.
  /// Kullback-Leibler divergence D(reference || candidate) = sum p ln(p / q) in nats, 0 ln 0 = 0,
  /// infinite where q is 0 and p is not (Kullback and Leibler 1951); mean and largest over
  /// divergence_rows. p is the reference's distribution, q the candidate's.
  double mean_divergence_nats = 0;
  double max_divergence_nats = 0;

  bool SameEverywhere() const { return max_absolute_error == 0 && non_finite_different == 0; }
};

/// Compares two outputs of one shape, row-major with `row_length` values per row (the classes of
/// one sample). Errors: sizes that differ or do not fit, an empty output, k of 0, a floor that is
/// negative or not finite. Sums are double, in order. Pure; any thread.
Result<Agreement> CompareOutputs(std::span<const float> reference, std::span<const float> candidate,
                                 std::size_t row_length, const AgreementOptions& options = {});

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_AGREEMENT_H_
