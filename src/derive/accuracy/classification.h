#ifndef XSP_DERIVE_ACCURACY_CLASSIFICATION_H_
#define XSP_DERIVE_ACCURACY_CLASSIFICATION_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/result.h"

namespace xsp::accuracy {

// Pure functions, any thread. Shares are 0 ... 1. Scores may be logits or probabilities: only their
// order counts.

/// Indices of the k highest of `scores`, highest first; of equals the lower index first (the order
/// of a stable descending sort). NaN is never among them, so there may be fewer than k.
std::vector<std::size_t> TopK(std::span<const float> scores, std::size_t k);

/// Share of the rows whose label is among the row's TopK(k): top-1, top-5, ... (Russakovsky et al.
/// 2015, "ImageNet Large Scale Visual Recognition Challenge", section 4.1, as 1 - error).
/// `scores` is row-major, one row of `classes` scores per label. Errors: no labels, sizes that do
/// not fit together, k of 0, a label outside [0, classes).
Result<double> TopKAccuracy(std::span<const float> scores, std::size_t classes,
                            std::span<const std::int64_t> labels, std::size_t k);

/// The same from ranked labels, best first, one list per label: its first k count. Errors: no
/// labels, lists of different number, k of 0.
Result<double> TopKAccuracy(std::span<const std::vector<std::int64_t>> ranked,
                            std::span<const std::int64_t> labels, std::size_t k);

/// How well one class was found. A ratio whose denominator is 0 is 0, as scikit-learn's default.
struct ClassScore {
  std::int64_t label = 0;
  std::size_t support = 0;  ///< Samples that have this label.
  double precision = 0;     ///< TP / (TP + FP)
  double recall = 0;        ///< TP / (TP + FN)
  double f1 = 0;            ///< 2 TP / (2 TP + FP + FN)
};

struct F1Scores {
  std::vector<ClassScore> classes;  ///< Every label that occurs in either list, ascending.
  double accuracy = 0;              ///< Share of equal pairs.
  double macro_f1 = 0;              ///< Mean over `classes`.
  double micro_f1 = 0;              ///< Over all classes' counts together; equals `accuracy` here.
  double weighted_f1 = 0;           ///< Mean weighted by support.
};

/// F1 (van Rijsbergen 1979, chapter 7) of single-label predictions; averages as defined by
/// scikit-learn's `f1_score`. Errors: no samples, lists of different length.
Result<F1Scores> ScoreClasses(std::span<const std::int64_t> labels,
                              std::span<const std::int64_t> predictions);

/// The score of the class `positive` alone: scikit-learn's `average="binary"`. Unlike there, a list
/// with more than two labels is fine: every other label is negative. Errors as ScoreClasses().
Result<ClassScore> ScoreBinary(std::span<const std::int64_t> labels,
                               std::span<const std::int64_t> predictions,
                               std::int64_t positive = 1);

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_CLASSIFICATION_H_
