#include "answer/suite/similarity/study_answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/counted.h"

namespace xsp::suite::similarity {
namespace {

using store::Cell;

constexpr std::size_t kMostPaired = 100;
constexpr std::size_t kMostNamed = 40;

Cell Whole(std::size_t number) { return static_cast<std::int64_t>(number); }

std::string Component(std::size_t k) { return fmt::format("PC{}", k + 1); }

std::vector<std::size_t> MembersOf(const Study& study, std::size_t cluster) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < study.clusters.size(); ++i)
    if (study.clusters[i] == cluster) members.push_back(i);
  return members;
}

std::vector<std::string> Labels(const Study& study, const std::vector<std::size_t>& workloads) {
  std::vector<std::string> labels;
  for (const std::size_t i : workloads) labels.push_back(study.frame.labels[i]);
  return labels;
}

/// Mean share of resamples that hold the pairs of `members` together; NaN without any.
double Firmness(const Study& study, const std::vector<std::size_t>& members) {
  double sum = 0;
  double pairs = 0;
  for (std::size_t a = 0; a < members.size() && study.stability.resamples > 0; ++a) {
    for (std::size_t b = a + 1; b < members.size(); ++b) {
      const double share =
          study.stability.share[PairIndex(study.frame.rows(), members[a], members[b])];
      if (!std::isnan(share)) sum += share, ++pairs;
    }
  }
  return pairs > 0 ? sum / pairs : kMissing;
}

/// The same of one workload with the others of its cluster.
double FirmnessOf(const Study& study, std::size_t workload) {
  double sum = 0;
  double pairs = 0;
  for (const std::size_t other : MembersOf(study, study.clusters[workload])) {
    if (other == workload || study.stability.resamples == 0) continue;
    const double share = study.stability.share[PairIndex(study.frame.rows(), workload, other)];
    if (!std::isnan(share)) sum += share, ++pairs;
  }
  return pairs > 0 ? sum / pairs : kMissing;
}

Table ClustersTable(const Study& study) {
  Table table = EmptyTable(
      "clusters", "Clusters",
      {{"cluster", "", "Numbered in the order of their first workload", "analytic"},
       {"workload", "", "The workload", ""},
       {"suite", "", "Suite of the workload", ""},
       {"representative", "", "The workload nearest to the centre of its cluster", "analytic"},
       {"together_share", "1",
        "Of the resamples, those that hold it together with another of its cluster (mean over "
        "these); empty: alone, or no resamples",
        "analytic"}});
  for (std::size_t cluster = 1; cluster <= study.count; ++cluster)
    for (const std::size_t i : MembersOf(study, cluster))
      table.rows.rows.push_back({Whole(cluster), study.frame.labels[i], study.frame.groups[i],
                                 study.representatives[cluster - 1] == i,
                                 NumberCell(FirmnessOf(study, i))});
  return table;
}

Table CoverageTable(const Study& study) {
  Table table = EmptyTable(
      "coverage", "Range of each metric that few workloads cover",
      {{"choice", "", "Which workloads", ""},
       {"metric", "", "The metric", ""},
       {"from_percent", "%", "Where their lowest lies from lowest to highest", "analytic"},
       {"to_percent", "%", "Where their highest lies", "analytic"},
       {"coverage_percent", "%", "What they cover of the range", "analytic"},
       {"lowest", "", "Over all workloads", ""},
       {"highest", "", "Over all workloads", ""},
       {"unit", "", "Of lowest and highest", ""},
       {"workloads", "", "Their names", ""}});
  for (const Choice& choice : study.choices) {
    const std::string names = fmt::format("{}", fmt::join(Labels(study, choice.workloads), ", "));
    for (std::size_t m = 0; m < choice.coverage.size(); ++m) {
      const Coverage& coverage = choice.coverage[m];
      table.rows.rows.push_back({choice.name, study.frame.metrics[m].name, coverage.from_percent,
                                 coverage.to_percent, coverage.Percent(), coverage.low,
                                 coverage.high, study.frame.metrics[m].unit, names});
    }
  }
  return table;
}

Table ComponentsTable(const Study& study) {
  Table table =
      EmptyTable("components", "Principal components",
                 {{"component", "", "The component", ""},
                  {"variance", "", "Of the scores, divisor n - 1", "analytic"},
                  {"share", "1", "Of the whole variance", "analytic"},
                  {"accumulated_share", "1", "Of this and those before", "analytic"},
                  {"dominant_metric", "", "The metric of the largest weight", "analytic"},
                  {"dominant_weight", "", "Its weight, positive by convention", "analytic"}});
  double sum = 0;
  const Components& c = study.components;
  for (std::size_t k = 0; k < c.share.size(); ++k) {
    sum += c.share[k];
    table.rows.rows.push_back({Component(k), c.variance[k], c.share[k], sum,
                               study.frame.metrics[c.dominant[k]].name,
                               c.weights[k][c.dominant[k]]});
  }
  return table;
}

Table LoadingsTable(const Study& study) {
  Table table = EmptyTable(
      "loadings", "Weights of the metrics in the components",
      {{"component", "", "The component", ""},
       {"metric", "", "The metric", ""},
       {"weight", "", "Of the standardised metric; the squares of a component add up to 1",
        "analytic"},
       {"correlation", "", "Of the metric with the component's scores", "analytic"}});
  for (std::size_t k = 0; k < study.components.share.size(); ++k)
    for (std::size_t m = 0; m < study.frame.metrics.size(); ++m)
      table.rows.rows.push_back({Component(k), study.frame.metrics[m].name,
                                 study.components.weights[k][m],
                                 study.components.correlations[k][m]});
  return table;
}

Table ScoresTable(const Study& study) {
  Table table = EmptyTable("scores", "Workloads on the components",
                           {{"workload", "", "The workload", ""},
                            {"suite", "", "Suite of the workload", ""},
                            {"cluster", "", "Its cluster", "analytic"}});
  for (std::size_t k = 0; k < study.components.share.size(); ++k) {
    table.columns.push_back({Component(k), "", "Score, in standard deviations", "analytic"});
    table.rows.columns.push_back(Component(k));
  }
  for (std::size_t i = 0; i < study.frame.rows(); ++i) {
    std::vector<Cell>& row = table.rows.rows.emplace_back(
        std::vector<Cell>{study.frame.labels[i], study.frame.groups[i], Whole(study.clusters[i])});
    for (const double score : study.components.scores[i]) row.emplace_back(score);
  }
  return table;
}

Table MergesTable(const Study& study) {
  const std::size_t n = study.frame.rows();
  Table table = EmptyTable(
      "merges", "Merges of clusters by distance",
      {{"first", "",
        "Cluster: workload from 0 in the order of scores, then merge from their number on", ""},
       {"second", "", "The cluster that it is joined with", ""},
       {"height", "", "Their distance, in standard deviations", "analytic"},
       {"size", "1", "Workloads in both", "analytic"},
       {"of", "", "Names; of clusters the number of their workloads", ""}});
  const auto name = [&](std::size_t id) {
    return id < n ? study.frame.labels[id]
                  : fmt::format("cluster {} ({})", id, study.merges[id - n].size);
  };
  for (const Merge& merge : study.merges)
    table.rows.rows.push_back({Whole(merge.first), Whole(merge.second), merge.height,
                               Whole(merge.size), name(merge.first) + ", " + name(merge.second)});
  return table;
}

Table PairsTable(const Study& study) {
  const std::size_t n = study.frame.rows();
  Table table =
      EmptyTable("pairs", "Pairs of workloads",
                 {{"first", "", "A workload", ""},
                  {"second", "", "Another", ""},
                  {"distance", "", "Between them, in standard deviations", "analytic"},
                  {"cophenetic_distance", "", "At which they are first in one cluster", "analytic"},
                  {"one_cluster", "", "They are in one cluster", "analytic"},
                  {"together_share", "1",
                   "Of the resamples that hold both, those with both in one cluster", "analytic"}});
  const std::vector<double> heights = CopheneticDistances(study.merges);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      const std::size_t pair = PairIndex(n, a, b);
      const double share = study.stability.resamples > 0 ? study.stability.share[pair] : kMissing;
      table.rows.rows.push_back({study.frame.labels[a], study.frame.labels[b],
                                 study.distances[pair], heights[pair],
                                 study.clusters[a] == study.clusters[b], NumberCell(share)});
    }
  }
  return table;
}

/// Pearson's correlation of distances and cophenetic distances: how well the tree tells them.
double CopheneticCorrelation(const Study& study) {
  const std::vector<double> heights = CopheneticDistances(study.merges);
  const auto n = static_cast<double>(heights.size());
  double mean_d = 0;
  double mean_h = 0;
  for (std::size_t i = 0; i < heights.size(); ++i)
    mean_d += study.distances[i] / n, mean_h += heights[i] / n;
  double both = 0;
  double dd = 0;
  double hh = 0;
  for (std::size_t i = 0; i < heights.size(); ++i) {
    both += (study.distances[i] - mean_d) * (heights[i] - mean_h);
    dd += (study.distances[i] - mean_d) * (study.distances[i] - mean_d);
    hh += (heights[i] - mean_h) * (heights[i] - mean_h);
  }
  return dd > 0 && hh > 0 ? both / std::sqrt(dd * hh) : kMissing;
}

const char* NameOf(Linkage linkage) {
  switch (linkage) {
    case Linkage::kSingle:
      return "single";
    case Linkage::kComplete:
      return "complete";
    case Linkage::kAverage:
      return "average";
    case Linkage::kWard:
      break;
  }
  return "Ward";
}

std::string ClusterSentence(const Study& study) {
  std::vector<std::string> parts;
  for (std::size_t cluster = 1; cluster <= study.count; ++cluster) {
    const auto members = MembersOf(study, cluster);
    parts.push_back(study.frame.rows() <= kMostNamed
                        ? fmt::format("{{{}}}", fmt::join(Labels(study, members), ", "))
                        : fmt::format("{} like {}", members.size(),
                                      study.frame.labels[study.representatives[cluster - 1]]));
  }
  return fmt::format("{} workloads fall into {}: {}.", study.frame.rows(),
                     core::Counted(study.count, "cluster"), fmt::join(parts, "; "));
}

std::string CoverageSentence(const Study& study, const Choice& choice) {
  std::size_t least = 0;
  for (std::size_t m = 1; m < choice.coverage.size(); ++m)
    if (choice.coverage[m].Percent() < choice.coverage[least].Percent()) least = m;
  const std::string what = choice.name == "representatives" ? "Representatives, one per cluster"
                           : choice.name == "asked"         ? "The asked"
                                                            : "The " + choice.name;
  const std::string who =
      fmt::format("{}: {}.", what, fmt::join(Labels(study, choice.workloads), ", "));
  constexpr double kWhole = 100 - 1e-9;
  if (choice.coverage[least].Percent() >= kWhole)
    return who + " They cover the whole range of every metric.";
  return fmt::format(
      "{} They cover {:.1f} % of the metrics' ranges in the mean, {} the least ({:.1f} to {:.1f} "
      "%).",
      who, MeanPercent(choice.coverage), study.frame.metrics[least].name,
      choice.coverage[least].from_percent, choice.coverage[least].to_percent);
}

std::string ComponentSentence(const Study& study) {
  std::vector<std::string> parts;
  const Components& c = study.components;
  for (std::size_t k = 0; k < std::min<std::size_t>(c.share.size(), 3); ++k)
    parts.push_back(fmt::format("{} {:.1f} % (most weight: {})", Component(k), 100 * c.share[k],
                                study.frame.metrics[c.dominant[k]].name));
  return fmt::format("Of the variance the components explain: {}; 90 % take {} of {}.",
                     fmt::join(parts, ", "), ComponentsFor(c, 0.9), c.share.size());
}

std::string StabilitySentence(const Study& study) {
  std::size_t least = 0;
  double of_least = 2;
  double sum = 0;
  double known = 0;
  for (std::size_t cluster = 1; cluster <= study.count; ++cluster) {
    const double share = Firmness(study, MembersOf(study, cluster));
    if (std::isnan(share)) continue;
    sum += share, ++known;
    if (share < of_least) of_least = share, least = cluster;
  }
  if (known == 0) return {};
  return fmt::format(
      "In resamples of the workloads, those of one cluster stay together in {:.0f} % (mean over "
      "clusters); cluster {} is the least stable with {:.0f} %.",
      100 * sum / known, least, 100 * of_least);
}

}  // namespace

std::vector<std::string> SentencesOf(const Study& study) {
  std::vector<std::string> sentences = {ClusterSentence(study)};
  for (const Choice& choice : study.choices) sentences.push_back(CoverageSentence(study, choice));
  sentences.push_back(ComponentSentence(study));
  if (std::string text = StabilitySentence(study); !text.empty())
    sentences.push_back(std::move(text));
  return sentences;
}

std::vector<std::string> MethodOf(const Study& study) {
  const Settings& settings = study.settings;
  std::vector<std::string> method;
  method.push_back(
      fmt::format("{}, each less its mean over its standard deviation (divisor n): {}.",
                  core::Counted(study.frame.metrics.size(), "metric"), [&] {
                    std::vector<std::string> names;
                    for (const Metric& metric : study.frame.metrics) names.push_back(metric.name);
                    return fmt::format("{}", fmt::join(names, ", "));
                  }()));
  method.push_back(
      "Components: singular values of the standardised metrics; the largest weight of each is "
      "positive.");
  const double correlation = CopheneticCorrelation(study);
  method.push_back(fmt::format(
      "Clusters: agglomerative, {} linkage, Euclidean distances of {}, cut at {:.4g}{}.",
      NameOf(settings.linkage),
      study.used_components > 0
          ? fmt::format("the first {} ({:.0f} % of the variance or more)",
                        core::Counted(study.used_components, "component"), 100 * settings.share)
          : "the standardised metrics",
      study.cut_height,
      std::isnan(correlation) ? "" : fmt::format("; cophenetic correlation {:.3f}", correlation)));
  method.push_back(
      "A representative is the workload nearest to its cluster's centre; coverage is the range of "
      "the chosen over the range of all, best the subset of the greatest mean coverage.");
  if (study.frame.rows() > kMostPaired)
    method.push_back(fmt::format("Single pairs are shown of at most {} workloads.", kMostPaired));
  return method;
}

std::vector<Table> TablesOf(const Study& study) {
  std::vector<Table> tables = {ClustersTable(study), CoverageTable(study), ComponentsTable(study),
                               LoadingsTable(study), ScoresTable(study),   MergesTable(study)};
  if (study.frame.rows() <= kMostPaired) tables.push_back(PairsTable(study));
  return tables;
}

}  // namespace xsp::suite::similarity
