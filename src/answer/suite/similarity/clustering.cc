#include "answer/suite/similarity/clustering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <utility>

namespace xsp::suite::similarity {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// The distance from a third cluster to the union of two (Lance and Williams 1967).
double Updated(Linkage linkage, double to_a, double to_b, double between, double size_a,
               double size_b, double size) {
  switch (linkage) {
    case Linkage::kSingle:
      return std::min(to_a, to_b);
    case Linkage::kComplete:
      return std::max(to_a, to_b);
    case Linkage::kAverage:
      return (size_a * to_a + size_b * to_b) / (size_a + size_b);
    case Linkage::kWard:
      break;
  }
  const double square =
      ((size + size_a) * to_a * to_a + (size + size_b) * to_b * to_b - size * between * between) /
      (size + size_a + size_b);
  return std::sqrt(std::max(square, 0.0));
}

/// A merge before the merges are in the order of their heights: by one member of each side.
struct RawMerge {
  std::size_t a;
  std::size_t b;
  double height;
};

std::vector<RawMerge> Chain(std::vector<double> distances, std::size_t n, Linkage linkage) {
  std::vector<double> size(n, 1);
  std::vector<RawMerge> merges;
  std::vector<std::size_t> chain;
  while (merges.size() + 1 < n) {
    if (chain.empty()) {
      std::size_t start = 0;
      while (size[start] == 0) ++start;
      chain.push_back(start);
    }
    const std::size_t tip = chain.back();
    // Among equals the one before in the chain, else the chain might never close.
    std::size_t nearest = chain.size() > 1 ? chain[chain.size() - 2] : tip;
    double least = nearest == tip ? kNever : distances[PairIndex(n, tip, nearest)];
    for (std::size_t k = 0; k < n; ++k) {
      if (k == tip || size[k] == 0) continue;
      const double distance = distances[PairIndex(n, tip, k)];
      if (distance < least || nearest == tip) least = distance, nearest = k;
    }
    if (chain.size() < 2 || nearest != chain[chain.size() - 2]) {
      chain.push_back(nearest);
      continue;
    }
    chain.resize(chain.size() - 2);
    const std::size_t a = std::min(tip, nearest);
    const std::size_t b = std::max(tip, nearest);
    merges.push_back({a, b, least});
    for (std::size_t k = 0; k < n; ++k) {
      if (k == a || k == b || size[k] == 0) continue;
      double& to_b = distances[PairIndex(n, b, k)];
      to_b =
          Updated(linkage, distances[PairIndex(n, a, k)], to_b, least, size[a], size[b], size[k]);
    }
    size[b] += size[a];
    size[a] = 0;
  }
  return merges;
}

class UnionFind {
 public:
  explicit UnionFind(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  std::size_t Find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(std::size_t child, std::size_t parent) { parent_[child] = parent; }

 private:
  std::vector<std::size_t> parent_;
};

std::vector<std::size_t> AfterMerges(const std::vector<Merge>& merges, std::size_t made) {
  const std::size_t n = merges.size() + 1;
  UnionFind sets(2 * n);
  for (std::size_t j = 0; j < made; ++j) {
    sets.Join(merges[j].first, n + j);
    sets.Join(merges[j].second, n + j);
  }
  std::vector<std::size_t> number(2 * n, 0);
  std::vector<std::size_t> clusters;
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t& of_root = number[sets.Find(i)];
    if (of_root == 0) of_root = ++next;
    clusters.push_back(of_root);
  }
  return clusters;
}

/// The workloads below every cluster, in the dendrogram's order.
std::vector<std::vector<std::size_t>> Members(const std::vector<Merge>& merges) {
  const std::size_t n = merges.size() + 1;
  std::vector<std::vector<std::size_t>> members(n);
  for (std::size_t i = 0; i < n; ++i) members[i] = {i};
  for (const Merge& merge : merges) {
    std::vector<std::size_t> both = members[merge.first];
    both.insert(both.end(), members[merge.second].begin(), members[merge.second].end());
    members.push_back(std::move(both));
  }
  return members;
}

}  // namespace

Result<Linkage> LinkageOf(const std::string& word) {
  if (word == "single") return Linkage::kSingle;
  if (word == "complete") return Linkage::kComplete;
  if (word == "average") return Linkage::kAverage;
  if (word == "ward") return Linkage::kWard;
  return Error{ErrorKind::kUsage, "no such linkage: " + word,
               "there are single, complete, average and ward"};
}

std::vector<double> Distances(const Matrix& points) {
  std::vector<double> distances;
  distances.reserve(points.size() * (points.size() - 1) / 2);
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = a + 1; b < points.size(); ++b) {
      double square = 0;
      for (std::size_t m = 0; m < points[a].size(); ++m)
        square += (points[a][m] - points[b][m]) * (points[a][m] - points[b][m]);
      distances.push_back(std::sqrt(square));
    }
  }
  return distances;
}

std::size_t PairIndex(std::size_t workloads, std::size_t a, std::size_t b) {
  if (a > b) std::swap(a, b);
  return a * (2 * workloads - a - 1) / 2 + (b - a - 1);
}

std::vector<Merge> Cluster(std::vector<double> distances, std::size_t workloads, Linkage linkage) {
  std::vector<RawMerge> raw = Chain(std::move(distances), workloads, linkage);
  std::ranges::stable_sort(raw, {}, &RawMerge::height);
  UnionFind sets(2 * workloads);
  std::vector<std::size_t> size(2 * workloads, 1);
  std::vector<Merge> merges;
  for (const RawMerge& step : raw) {
    const std::size_t a = sets.Find(step.a);
    const std::size_t b = sets.Find(step.b);
    const std::size_t made = workloads + merges.size();
    size[made] = size[a] + size[b];
    sets.Join(a, made);
    sets.Join(b, made);
    merges.push_back({std::min(a, b), std::max(a, b), step.height, size[made]});
  }
  return merges;
}

std::vector<std::size_t> CutInto(const std::vector<Merge>& merges, std::size_t clusters) {
  return AfterMerges(merges, merges.size() + 1 - clusters);
}

std::vector<std::size_t> CutAt(const std::vector<Merge>& merges, double height) {
  std::size_t made = 0;
  while (made < merges.size() && merges[made].height <= height) ++made;
  return AfterMerges(merges, made);
}

std::vector<double> CopheneticDistances(const std::vector<Merge>& merges) {
  const std::size_t n = merges.size() + 1;
  const auto members = Members(merges);
  std::vector<double> heights(n * (n - 1) / 2);
  for (const Merge& merge : merges)
    for (const std::size_t a : members[merge.first])
      for (const std::size_t b : members[merge.second]) heights[PairIndex(n, a, b)] = merge.height;
  return heights;
}

std::vector<std::size_t> LeafOrder(const std::vector<Merge>& merges) {
  return Members(merges).back();
}

double Silhouette(const std::vector<double>& distances, const std::vector<std::size_t>& clusters) {
  const std::size_t n = clusters.size();
  const std::size_t count = *std::ranges::max_element(clusters);
  if (count < 2) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> size(count + 1, 0);
  for (const std::size_t cluster : clusters) ++size[cluster];
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (size[clusters[i]] < 2) continue;
    std::vector<double> to(count + 1, 0);
    for (std::size_t k = 0; k < n; ++k)
      if (k != i) to[clusters[k]] += distances[PairIndex(n, i, k)];
    const double own = to[clusters[i]] / (size[clusters[i]] - 1);
    double other = kNever;
    for (std::size_t c = 1; c <= count; ++c)
      if (c != clusters[i]) other = std::min(other, to[c] / size[c]);
    const double most = std::max(own, other);
    if (most > 0) sum += (other - own) / most;
  }
  return sum / static_cast<double>(n);
}

std::size_t BestNumberOfClusters(const std::vector<double>& distances,
                                 const std::vector<Merge>& merges) {
  const std::size_t n = merges.size() + 1;
  if (n < 3) return n;
  std::size_t best = 2;
  double most = -2;
  for (std::size_t count = 2; count <= std::min<std::size_t>(n - 1, 10); ++count) {
    const double value = Silhouette(distances, CutInto(merges, count));
    if (value > most) most = value, best = count;
  }
  return best;
}

Stability Bootstrap(const std::vector<double>& distances, const std::vector<std::size_t>& clusters,
                    Linkage linkage, int resamples, std::uint64_t seed) {
  const std::size_t workloads = clusters.size();
  std::mt19937_64 random(seed);
  std::vector<double> together(distances.size(), 0);
  std::vector<double> both(distances.size(), 0);
  Stability stability;
  for (int round = 0; round < resamples; ++round) {
    std::vector<std::size_t> drawn;
    // Not std::uniform_int_distribution, whose numbers differ between standard libraries.
    for (std::size_t i = 0; i < workloads; ++i)
      drawn.push_back(static_cast<std::size_t>(static_cast<double>(random() >> 11) * 0x1.0p-53 *
                                               static_cast<double>(workloads)));
    std::ranges::sort(drawn);
    std::set<std::size_t> held;
    for (const std::size_t i : drawn) held.insert(clusters[i]);
    if (held.size() < 2) continue;
    ++stability.resamples;
    std::vector<double> between;
    for (std::size_t a = 0; a < workloads; ++a)
      for (std::size_t b = a + 1; b < workloads; ++b)
        between.push_back(
            drawn[a] == drawn[b] ? 0.0 : distances[PairIndex(workloads, drawn[a], drawn[b])]);
    const auto cluster = CutInto(Cluster(std::move(between), workloads, linkage), held.size());
    // Each workload once: where it was drawn first. Its copies are at distance 0 of it, so in its
    // cluster.
    for (std::size_t a = 0; a < workloads; ++a) {
      if (a > 0 && drawn[a] == drawn[a - 1]) continue;
      for (std::size_t b = a + 1; b < workloads; ++b) {
        if (drawn[b] == drawn[b - 1]) continue;
        const std::size_t pair = PairIndex(workloads, drawn[a], drawn[b]);
        both[pair] += 1;
        if (cluster[a] == cluster[b]) together[pair] += 1;
      }
    }
  }
  for (std::size_t pair = 0; pair < both.size(); ++pair)
    stability.share.push_back(both[pair] > 0 ? together[pair] / both[pair]
                                             : std::numeric_limits<double>::quiet_NaN());
  return stability;
}

}  // namespace xsp::suite::similarity
