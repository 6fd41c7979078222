#ifndef XSP_ANSWER_SUITE_SIMILARITY_CLUSTERING_H_
#define XSP_ANSWER_SUITE_SIMILARITY_CLUSTERING_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "answer/suite/similarity/components.h"
#include "core/result.h"

namespace xsp::suite::similarity {

/// How far two clusters are from each other, of the Euclidean distances d of their members.
enum class Linkage {
  kSingle,    ///< The least d.
  kComplete,  ///< The greatest d.
  kAverage,   ///< The mean of all d (UPGMA).
  kWard,      ///< sqrt(2 |A||B| / (|A|+|B|)) times the distance of the centres (Ward 1963).
};

/// "single", "complete", "average" or "ward". Error: kUsage.
Result<Linkage> LinkageOf(const std::string& word);

/// One step of the clustering: two clusters become one. Workload i is cluster i; what merge j makes
/// is cluster n + j, as in SciPy's linkage matrix.
struct Merge {
  std::size_t first;  ///< < second.
  std::size_t second;
  double height;     ///< Their distance; never below that of the merge before.
  std::size_t size;  ///< Workloads in the new cluster.
};

/// The n * (n - 1) / 2 Euclidean distances of `points`, (0,1), (0,2), ..., (1,2), ...
std::vector<double> Distances(const Matrix& points);

/// The place of the pair of two different workloads in Distances().
std::size_t PairIndex(std::size_t workloads, std::size_t a, std::size_t b);

/// Agglomerative clustering of `workloads` (at least 1) by the nearest-neighbour chain (Murtagh
/// 1983; Müllner, arXiv 1109.2378) with the updates of Lance and Williams (1967): O(n^2) time and
/// memory. All four linkages are reducible, so that it merges what the greedy algorithm merges;
/// among equal distances the order of the workloads decides. Returns n - 1 merges.
std::vector<Merge> Cluster(std::vector<double> distances, std::size_t workloads, Linkage linkage);

/// The cluster of each workload after all but the last `clusters` - 1 merges; 1 <= clusters <= n.
/// Clusters are numbered from 1 in the order of their first workload.
std::vector<std::size_t> CutInto(const std::vector<Merge>& merges, std::size_t clusters);

/// The same after all merges of at most `height`.
std::vector<std::size_t> CutAt(const std::vector<Merge>& merges, double height);

/// The height at which each pair (as Distances()) is first in one cluster.
std::vector<double> CopheneticDistances(const std::vector<Merge>& merges);

/// The workloads from left to right in the dendrogram: below each merge first `first`.
std::vector<std::size_t> LeafOrder(const std::vector<Merge>& merges);

/// Mean over all workloads of (b - a) / max(a, b), with a the mean distance to the own cluster's
/// others and b that to the nearest other cluster; 0 for a workload alone in its cluster
/// (Rousseeuw 1987). NaN unless there are at least two clusters.
double Silhouette(const std::vector<double>& distances, const std::vector<std::size_t>& clusters);

/// The number of clusters of the greatest Silhouette(), from 2 to min(n - 1, 10); the smallest of
/// equals. With fewer than 3 workloads n.
std::size_t BestNumberOfClusters(const std::vector<double>& distances,
                                 const std::vector<Merge>& merges);

/// How often pairs of workloads fall into one cluster when the workloads are drawn anew.
struct Stability {
  /// share[pair] (as Distances()): of the resamples that hold both, those with both in one cluster;
  /// NaN: none holds both.
  std::vector<double> share;
  int resamples = 0;  ///< Used: those that hold workloads of one cluster only are left out.
};

/// Draws n workloads with replacement, clusters them by their `distances` (a workload that was
/// drawn twice counts twice) and cuts into as many clusters as the draw holds of `clusters` (that
/// of each of the n), `resamples` times. A resample holds but 63 % of the workloads: cut into the
/// whole number of clusters, it would split what is left of firm ones. The same seed gives the same
/// result. O(resamples * n^2).
Stability Bootstrap(const std::vector<double>& distances, const std::vector<std::size_t>& clusters,
                    Linkage linkage, int resamples, std::uint64_t seed);

}  // namespace xsp::suite::similarity

#endif  // XSP_ANSWER_SUITE_SIMILARITY_CLUSTERING_H_
