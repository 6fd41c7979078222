#ifndef XSP_DERIVE_ACCURACY_RANKING_H_
#define XSP_DERIVE_ACCURACY_RANKING_H_

#include <cstddef>
#include <span>

#include "core/result.h"

namespace xsp::accuracy {

/// Means over all users, each 0 ... 1.
struct RankingScores {
  double hit_rate = 0;  ///< Share of users whose positive is among the k highest.
  double ndcg = 0;      ///< Mean of 1 / log2(rank + 2), rank from 0; 0 where it is not among the k.
};

/// HR@k and NDCG@k of recommenders with one positive among sampled negatives (He et al. 2017,
/// "Neural Collaborative Filtering", section 4.1; one relevant item, so the ideal DCG is 1).
///
/// `scores` is row-major, one row of `candidates` scores per user; `positives` holds the column of
/// each user's positive. A negative that scores the same ranks before the positive, as in the
/// authors' script, which sorts the positive in last: a model that scores all alike hits nothing. A
/// positive whose score is NaN is a miss; a negative's NaN ranks behind it. Errors: no users, sizes
/// that do not fit, k of 0, a column out of range. Pure; any thread.
Result<RankingScores> ScoreRanking(std::span<const float> scores, std::size_t candidates,
                                   std::span<const std::size_t> positives, std::size_t k);

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_RANKING_H_
