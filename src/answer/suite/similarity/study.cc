#include "answer/suite/similarity/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/counted.h"

namespace xsp::suite::similarity {
namespace {

/// Resampled pairs that are computed at most: about ten seconds.
constexpr double kMostResampledPairs = 4e8;

/// `frame` without the metrics that are alike in all workloads: they tell nothing apart.
Result<DataFrame> Varying(DataFrame frame, std::vector<std::string>* treatments) {
  const std::vector<bool> constant = ConstantColumns(frame.values);
  std::vector<std::string> names;
  DataFrame kept = frame;
  kept.metrics.clear();
  for (auto& row : kept.values) row.clear();
  for (std::size_t m = 0; m < frame.metrics.size(); ++m) {
    if (constant[m]) {
      names.push_back(frame.metrics[m].name);
      continue;
    }
    kept.metrics.push_back(frame.metrics[m]);
    for (std::size_t r = 0; r < frame.rows(); ++r) kept.values[r].push_back(frame.values[r][m]);
  }
  if (kept.metrics.empty())
    return Error{ErrorKind::kBadInput,
                 fmt::format("every metric is the same in all {} workloads: {}", frame.rows(),
                             fmt::join(names, ", ")),
                 "choose metrics that tell the workloads apart by --metrics"};
  if (!names.empty())
    treatments->push_back(fmt::format(
        "Metrics with the same value in all workloads are excluded: {}.", fmt::join(names, ", ")));
  return kept;
}

/// Coverage is a share of the range, which must be a number.
Status CheckRanges(const DataFrame& frame) {
  for (std::size_t m = 0; m < frame.metrics.size(); ++m) {
    const auto of = [m](const auto& row) { return row[m]; };
    const auto [low, high] = std::ranges::minmax(frame.values, {}, of);
    if (!std::isfinite(high[m] - low[m]))
      return Error{ErrorKind::kBadInput,
                   fmt::format("the range of {} is too wide for a number: {:g} to {:g}",
                               frame.metrics[m].name, low[m], high[m]),
                   "exclude it by --metrics, or the workload by --where"};
  }
  return Ok{};
}

Result<DataFrame> Prepared(const DataFrame& frame, const Settings& settings,
                           std::vector<std::string>* treatments) {
  XSP_TRY(DataFrame complete, Completed(frame, settings.missing, treatments));
  if (complete.rows() < 2)
    return frame.rows() < 2
               ? Error{ErrorKind::kBadInput, "there is only one workload: " + complete.labels[0],
                       "at least two are needed"}
               : Error{ErrorKind::kBadInput,
                       fmt::format("only one of {} workloads has a value of every metric: {}",
                                   frame.rows(), complete.labels[0]),
                       "at least two are needed; --missing metrics keeps workloads that lack "
                       "values"};
  if (complete.rows() > kMostWorkloads)
    return Error{ErrorKind::kBadInput,
                 fmt::format("too many workloads: {}, at most {}", complete.rows(), kMostWorkloads),
                 "keep fewer by --where"};
  XSP_TRY(DataFrame varying, Varying(std::move(complete), treatments));
  XSP_RETURN_IF_ERROR(CheckRanges(varying));
  if (varying.rows() <= varying.metrics.size())
    treatments->push_back(
        fmt::format("There are no more workloads ({}) than metrics ({}): at most {}, whose {} on "
                    "few workloads.",
                    varying.rows(), varying.metrics.size(),
                    varying.rows() == 2 ? "one component exists"
                                        : fmt::format("{} components exist", varying.rows() - 1),
                    core::ByNumber(varying.rows() - 1, "direction rests", "directions rest")));
  return varying;
}

/// How BestNumberOfClusters() came to its number for `n` workloads.
std::string WhySoMany(std::size_t n) {
  const std::string begin = "No number of clusters was given: ";
  if (n < 3) return begin + "two workloads are two clusters.";
  if (n == 3) return begin + "with 2 alone three workloads have a silhouette (Rousseeuw 1987).";
  return fmt::format("{}of 2 to {} it is the one of the greatest mean silhouette (Rousseeuw 1987).",
                     begin, std::min<std::size_t>(n - 1, 10));
}

/// Cuts the dendrogram as asked, else where the mean silhouette is greatest.
Status Cut(Study* study, std::vector<std::string>* treatments) {
  const Settings& settings = study->settings;
  const std::size_t n = study->frame.rows();
  if (settings.cut >= 0) {
    study->clusters = CutAt(study->merges, settings.cut);
  } else {
    if (settings.clusters > n)
      return Error{ErrorKind::kUsage,
                   fmt::format("more clusters than workloads: {} of {}", settings.clusters, n),
                   "use fewer by --clusters or --representatives"};
    std::size_t count = settings.clusters;
    if (count == 0) {
      count = BestNumberOfClusters(study->distances, study->merges);
      treatments->push_back(WhySoMany(n));
    }
    study->clusters = CutInto(study->merges, count);
  }
  study->count = *std::ranges::max_element(study->clusters);
  const std::size_t made = n - study->count;
  const double below = made == 0 ? 0 : study->merges[made - 1].height;
  const double above = made == study->merges.size() ? below * 1.05 : study->merges[made].height;
  study->cut_height = settings.cut >= 0 ? settings.cut : (below + above) / 2;
  return Ok{};
}

void AddChoice(Study* study, std::string name, std::vector<std::size_t> workloads) {
  std::ranges::sort(workloads);
  auto coverage = CoverageOf(study->frame.values, workloads);
  study->choices.push_back({std::move(name), std::move(workloads), std::move(coverage)});
}

Status Choose(Study* study, std::vector<std::string>* treatments) {
  std::set<std::size_t> sizes = {study->count};
  AddChoice(study, "representatives", study->representatives);
  if (!study->settings.subset.empty()) {
    std::set<std::size_t> asked;
    for (const std::string& name : study->settings.subset) {
      XSP_TRY(const std::size_t workload, WorkloadOf(study->frame, name));
      if (!asked.insert(workload).second)
        return Error{ErrorKind::kUsage, "the subset names a workload twice: " + name,
                     "name each once"};
    }
    sizes.insert(asked.size());
    AddChoice(study, "asked", {asked.begin(), asked.end()});
  }
  for (const std::size_t size : sizes) {
    if (const auto best = BestSubset(study->frame.values, size)) {
      AddChoice(study, fmt::format("best of {}", size), *best);
    } else {
      treatments->push_back(
          fmt::format("There are too many subsets of {} to try them all: the best is not known.",
                      core::Counted(size, "workload")));
    }
  }
  return Ok{};
}

void Resample(Study* study, core::Progress& progress, std::vector<std::string>* treatments) {
  const std::size_t n = study->frame.rows();
  if (study->settings.resamples <= 0 || study->count < 2 || study->count == n) return;
  const double pairs = static_cast<double>(n) * static_cast<double>(n);
  const int feasible = std::max(20, static_cast<int>(kMostResampledPairs / pairs));
  const int resamples = std::min(study->settings.resamples, feasible);
  progress.Step(
      fmt::format("clustering {} of {} workloads", core::Counted(resamples, "resample"), n), -1,
      -1);
  study->stability = Bootstrap(study->distances, study->clusters, study->settings.linkage,
                               resamples, study->settings.seed);
  treatments->push_back(fmt::format(
      "Stability: {} of the workloads (seed {}{}), each cut into as many clusters as it holds of "
      "the {}; distances are those of all workloads.",
      core::Counted(study->stability.resamples, "bootstrap resample"), study->settings.seed,
      resamples < study->settings.resamples
          ? "; fewer than requested, because there are many workloads"
          : "",
      study->count));
}

}  // namespace

Result<std::size_t> WorkloadOf(const DataFrame& frame, const std::string& name) {
  std::vector<std::size_t> holding;
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < frame.rows(); ++i) {
    if (frame.labels[i] == name) return i;
    if (frame.labels[i].find(name) == std::string::npos) continue;
    holding.push_back(i);
    labels.push_back(frame.labels[i]);
  }
  if (holding.size() == 1) return holding.front();
  if (holding.empty())
    return Error{ErrorKind::kBadInput, "no such workload: " + name,
                 fmt::format("there are: {}", fmt::join(frame.labels, ", "))};
  return Error{ErrorKind::kBadInput, "a name fits several workloads: " + name,
               fmt::format("it fits: {}", fmt::join(labels, ", "))};
}

Result<Study> StudyOf(const DataFrame& frame, const Settings& settings, core::Progress& progress,
                      std::vector<std::string>* treatments) {
  Study study;
  study.settings = settings;
  XSP_TRY(study.frame, Prepared(frame, settings, treatments));
  Matrix points = Standardised(study.frame.values);
  study.components = PrincipalComponents(points);
  if (settings.on_components) {
    study.used_components = ComponentsFor(study.components, settings.share);
    points = study.components.scores;
    for (auto& row : points) row.resize(study.used_components);
  }
  study.distances = Distances(points);
  study.merges = Cluster(study.distances, study.frame.rows(), settings.linkage);
  XSP_RETURN_IF_ERROR(Cut(&study, treatments));
  study.representatives = Representatives(points, study.clusters);
  XSP_RETURN_IF_ERROR(Choose(&study, treatments));
  Resample(&study, progress, treatments);
  return study;
}

}  // namespace xsp::suite::similarity
