#ifndef XSP_ANSWER_SUITE_SIMILARITY_REPRESENTATIVES_H_
#define XSP_ANSWER_SUITE_SIMILARITY_REPRESENTATIVES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "answer/suite/similarity/components.h"

namespace xsp::suite::similarity {

/// Of each cluster (numbered from 1) the workload nearest to the cluster's centre, the mean of its
/// members in `points`; of equals the first. In the order of the clusters.
std::vector<std::size_t> Representatives(const Matrix& points,
                                         const std::vector<std::size_t>& clusters);

/// What a few workloads span of the range of one metric over all.
struct Coverage {
  double low;           ///< The least value of all workloads.
  double high;          ///< The greatest.
  double from_percent;  ///< Where the least of the few lies between low (0) and high (100).
  double to_percent;    ///< Where the greatest lies.
  double Percent() const { return to_percent - from_percent; }
};

/// One a metric of `values`, none of which is constant, for the workloads `chosen` (at least one).
std::vector<Coverage> CoverageOf(const Matrix& values, const std::vector<std::size_t>& chosen);

/// Mean of Percent() over the metrics: what BestSubset() makes greatest.
double MeanPercent(const std::vector<Coverage>& coverage);

/// The number of subsets of `size` among `workloads`; saturates at 2^63 - 1.
std::int64_t Subsets(std::size_t workloads, std::size_t size);

/// The workloads whose ranges cover most: the subset of `size` with the greatest MeanPercent(), by
/// trying all; of equals (within 1e-9 percent) the one whose least covered metric is covered most,
/// then the first in order. Nothing when it would have to look at more than `most` values: subsets
/// times `size` times metrics (the default takes seconds).
std::optional<std::vector<std::size_t>> BestSubset(const Matrix& values, std::size_t size,
                                                   std::int64_t most = 2'000'000'000);

}  // namespace xsp::suite::similarity

#endif  // XSP_ANSWER_SUITE_SIMILARITY_REPRESENTATIVES_H_
