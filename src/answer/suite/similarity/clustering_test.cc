#include "answer/suite/similarity/clustering.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

namespace xsp::suite::similarity {
namespace {

using ::testing::ElementsAre;

constexpr Linkage kAll[] = {Linkage::kSingle, Linkage::kComplete, Linkage::kAverage,
                            Linkage::kWard};

Matrix Random(std::uint32_t seed, std::size_t rows, std::size_t columns) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Matrix matrix(rows, std::vector<double>(columns));
  for (auto& row : matrix)
    for (double& value : row) value = normal(random);
  return matrix;
}

using Members = std::vector<std::size_t>;

double Between(const Matrix& points, std::size_t a, std::size_t b) {
  double square = 0;
  for (std::size_t m = 0; m < points[a].size(); ++m)
    square += std::pow(points[a][m] - points[b][m], 2);
  return std::sqrt(square);
}

std::vector<double> Centre(const Matrix& points, const Members& members) {
  std::vector<double> centre(points.front().size(), 0);
  for (const std::size_t i : members)
    for (std::size_t m = 0; m < centre.size(); ++m)
      centre[m] += points[i][m] / static_cast<double>(members.size());
  return centre;
}

/// The distance of two clusters by its definition, from their members alone.
double Apart(const Matrix& points, const Members& a, const Members& b, Linkage linkage) {
  if (linkage == Linkage::kWard) {
    const auto x = Centre(points, a);
    const auto y = Centre(points, b);
    double square = 0;
    for (std::size_t m = 0; m < x.size(); ++m) square += std::pow(x[m] - y[m], 2);
    const auto size_a = static_cast<double>(a.size());
    const auto size_b = static_cast<double>(b.size());
    return std::sqrt(2 * size_a * size_b / (size_a + size_b) * square);
  }
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  double sum = 0;
  for (const std::size_t i : a) {
    for (const std::size_t j : b) {
      const double distance = Between(points, i, j);
      least = std::min(least, distance);
      most = std::max(most, distance);
      sum += distance;
    }
  }
  if (linkage == Linkage::kSingle) return least;
  if (linkage == Linkage::kComplete) return most;
  return sum / static_cast<double>(a.size() * b.size());
}

struct Step {
  std::set<std::size_t> members;
  double height;
};

/// Always merges the nearest two clusters, by definition: O(n^5).
std::vector<Step> Greedy(const Matrix& points, Linkage linkage) {
  std::vector<Members> clusters;
  for (std::size_t i = 0; i < points.size(); ++i) clusters.push_back({i});
  std::vector<Step> steps;
  while (clusters.size() > 1) {
    std::size_t best_a = 0;
    std::size_t best_b = 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < clusters.size(); ++a) {
      for (std::size_t b = a + 1; b < clusters.size(); ++b) {
        const double apart = Apart(points, clusters[a], clusters[b], linkage);
        if (apart < least) least = apart, best_a = a, best_b = b;
      }
    }
    clusters[best_a].insert(clusters[best_a].end(), clusters[best_b].begin(),
                            clusters[best_b].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(best_b));
    steps.push_back({{clusters[best_a].begin(), clusters[best_a].end()}, least});
  }
  return steps;
}

std::vector<Step> StepsOf(const std::vector<Merge>& merges) {
  std::vector<std::set<std::size_t>> members;
  for (std::size_t i = 0; i <= merges.size(); ++i) members.push_back({i});
  std::vector<Step> steps;
  for (const Merge& merge : merges) {
    std::set<std::size_t> both = members[merge.first];
    both.insert(members[merge.second].begin(), members[merge.second].end());
    EXPECT_EQ(both.size(), merge.size);
    EXPECT_LT(merge.first, merge.second);
    steps.push_back({both, merge.height});
    members.push_back(both);
  }
  return steps;
}

TEST(ClusteringTest, MergesWhatTheGreedyAlgorithmMerges) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const Matrix points = Random(seed, 2 + seed % 12, 1 + seed % 4);
    for (const Linkage linkage : kAll) {
      const auto expected = Greedy(points, linkage);
      const auto actual = StepsOf(Cluster(Distances(points), points.size(), linkage));
      ASSERT_EQ(actual.size(), expected.size());
      for (std::size_t j = 0; j < actual.size(); ++j) {
        EXPECT_EQ(actual[j].members, expected[j].members) << "seed " << seed << ", merge " << j;
        EXPECT_NEAR(actual[j].height, expected[j].height, 1e-9);
      }
    }
  }
}

TEST(ClusteringTest, EqualDistancesGiveEqualHeightsAndEveryWorkload) {
  // A square and its copy: ties everywhere. Heights follow from the definitions, whatever is first.
  const Matrix points = {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 0}, {1, 1}};
  for (const Linkage linkage : kAll) {
    const auto merges = Cluster(Distances(points), points.size(), linkage);
    ASSERT_EQ(merges.size(), 5U);
    EXPECT_EQ(merges[0].height, 0);
    EXPECT_EQ(merges[1].height, 0);
    EXPECT_EQ(merges.back().size, 6U);
    EXPECT_TRUE(std::ranges::is_sorted(merges, {}, &Merge::height));
  }
}

TEST(ClusteringTest, AllWorkloadsAlikeAreOneClusterAtHeightZero) {
  const Matrix points(5, {3.0, 4.0});
  for (const Linkage linkage : kAll)
    EXPECT_THAT(CutAt(Cluster(Distances(points), 5, linkage), 0), ElementsAre(1, 1, 1, 1, 1));
}

TEST(ClusteringTest, OneWorkloadHasNoMerge) {
  const auto merges = Cluster({}, 1, Linkage::kWard);
  EXPECT_TRUE(merges.empty());
  EXPECT_THAT(CutInto(merges, 1), ElementsAre(1));
  EXPECT_THAT(LeafOrder(merges), ElementsAre(0));
}

TEST(ClusteringTest, CutsNumberClustersByTheirFirstWorkload) {
  const Matrix points = {{10}, {0}, {11}, {1}, {50}};
  const auto merges = Cluster(Distances(points), 5, Linkage::kAverage);
  EXPECT_THAT(CutInto(merges, 3), ElementsAre(1, 2, 1, 2, 3));
  EXPECT_THAT(CutInto(merges, 5), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(CutInto(merges, 1), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(CutAt(merges, 1), ElementsAre(1, 2, 1, 2, 3));
  EXPECT_THAT(CutAt(merges, 0.999), ElementsAre(1, 2, 3, 4, 5));
}

TEST(ClusteringTest, CopheneticDistanceOfSingleLinkageIsTheWidestStepOfTheBestWay) {
  const Matrix points = Random(5, 9, 2);
  const auto distances = Distances(points);
  const auto heights = CopheneticDistances(Cluster(distances, 9, Linkage::kSingle));
  // Floyd and Warshall with max in place of the sum.
  std::vector<double> way = distances;
  for (std::size_t k = 0; k < 9; ++k)
    for (std::size_t a = 0; a < 9; ++a)
      for (std::size_t b = 0; b < 9; ++b)
        if (a != b && a != k && b != k)
          way[PairIndex(9, a, b)] = std::min(
              way[PairIndex(9, a, b)], std::max(way[PairIndex(9, a, k)], way[PairIndex(9, k, b)]));
  for (std::size_t pair = 0; pair < way.size(); ++pair) EXPECT_EQ(heights[pair], way[pair]);
}

TEST(ClusteringTest, DendrogramKeepsClustersTogether) {
  const Matrix points = Random(11, 12, 3);
  const auto merges = Cluster(Distances(points), 12, Linkage::kComplete);
  const auto order = LeafOrder(merges);
  const auto clusters = CutInto(merges, 4);
  int changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i)
    changes += clusters[order[i]] != clusters[order[i - 1]] ? 1 : 0;
  EXPECT_EQ(changes, 3);
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), 12U);
}

TEST(ClusteringTest, SilhouetteOfAWorkedExample) {
  // a and b at 0 and 1, c alone at 4: by hand s(a) = (4-1)/4, s(b) = (3-1)/3, s(c) = 0.
  const auto distances = Distances({{0}, {1}, {4}});
  EXPECT_NEAR(Silhouette(distances, {1, 1, 2}), (0.75 + 2.0 / 3) / 3, 1e-12);
  EXPECT_TRUE(std::isnan(Silhouette(distances, {1, 1, 1})));
}

TEST(ClusteringTest, ThreeHeapsAreFoundWithoutBeingAskedFor) {
  Matrix points;
  for (const double centre : {0.0, 100.0, 250.0})
    for (const double offset : {0.0, 1.0, 2.5, 3.0}) points.push_back({centre + offset});
  const auto distances = Distances(points);
  for (const Linkage linkage : kAll)
    EXPECT_EQ(BestNumberOfClusters(distances, Cluster(distances, 12, linkage)), 3U);
}

TEST(ClusteringTest, BootstrapTellsFirmPairsFromChancePairs) {
  Matrix points;
  for (const double centre : {0.0, 100.0})
    for (const double offset : {0.0, 1.0, 2.5, 3.0}) points.push_back({centre + offset});
  points.push_back({51.5});  // In the middle: goes with either.
  const auto distances = Distances(points);
  const auto clusters = CutInto(Cluster(distances, 9, Linkage::kAverage), 2);
  const auto stability = Bootstrap(distances, clusters, Linkage::kAverage, 500, 1);
  EXPECT_GT(stability.resamples, 490);
  EXPECT_GT(stability.share[PairIndex(9, 0, 1)], 0.95);
  EXPECT_LT(stability.share[PairIndex(9, 0, 7)], 0.05);
  const double middle = stability.share[PairIndex(9, 0, 8)];
  EXPECT_GT(middle, 0.1);
  EXPECT_LT(middle, 0.9);
  EXPECT_EQ(Bootstrap(distances, clusters, Linkage::kAverage, 500, 1).share, stability.share);
  EXPECT_NE(Bootstrap(distances, clusters, Linkage::kAverage, 500, 2).share, stability.share);
}

TEST(ClusteringTest, BootstrapDoesNotSplitWhatIsLeftOfFirmClusters) {
  // Six as good as one, and three far from these and from each other: nothing can be firmer. Most
  // resamples lack one of the four clusters or more.
  Matrix points;
  for (const double offset : {0.0, 0.002, 0.004, 0.006, 0.008, 0.01}) points.push_back({offset, 0});
  points.insert(points.end(), {{10, 0}, {-10, 0}, {0, 10}});
  const auto distances = Distances(points);
  for (const Linkage linkage : kAll) {
    const auto clusters = CutInto(Cluster(distances, 9, linkage), 4);
    EXPECT_THAT(clusters, ElementsAre(1, 1, 1, 1, 1, 1, 2, 3, 4));
    const auto stability = Bootstrap(distances, clusters, linkage, 300, 1);
    for (std::size_t a = 0; a < 9; ++a)
      for (std::size_t b = a + 1; b < 9; ++b)
        EXPECT_EQ(stability.share[PairIndex(9, a, b)], b < 6 ? 1.0 : 0.0) << a << " and " << b;
  }
}

TEST(ClusteringTest, BootstrapLeavesOutDrawsOfOneCluster) {
  const auto distances = Distances({{0}, {0.1}, {10}});
  const auto stability = Bootstrap(distances, {1, 1, 2}, Linkage::kWard, 500, 1);
  // Of the 27 draws 8 lack the third and 1 has nothing else: 333 of 500 are to be expected.
  EXPECT_GT(stability.resamples, 280);
  EXPECT_LT(stability.resamples, 390);
  EXPECT_THAT(stability.share, ElementsAre(1, 0, 0));
}

TEST(ClusteringTest, UnknownLinkageNamesThoseThereAre) {
  const auto linkage = LinkageOf("centroid");
  ASSERT_FALSE(linkage.ok());
  EXPECT_THAT(linkage.error().hint, ::testing::HasSubstr("ward"));
}

}  // namespace
}  // namespace xsp::suite::similarity
