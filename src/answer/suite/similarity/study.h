#ifndef XSP_ANSWER_SUITE_SIMILARITY_STUDY_H_
#define XSP_ANSWER_SUITE_SIMILARITY_STUDY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "answer/suite/data_frame.h"
#include "answer/suite/similarity/clustering.h"
#include "answer/suite/similarity/components.h"
#include "answer/suite/similarity/representatives.h"
#include "core/progress.h"
#include "core/result.h"

namespace xsp::suite::similarity {

/// What is asked of a study. Numbers that are 0 (or negative, for the height) are not asked for.
struct Settings {
  MissingRule missing = MissingRule::kDropRows;
  Linkage linkage = Linkage::kWard;
  bool on_components = false;       ///< Distances of scores, not of standardised metrics.
  double share = 0.9;               ///< With on_components: the variance that those used explain.
  std::size_t clusters = 0;         ///< Cut into so many.
  double cut = -1;                  ///< Cut at this height.
  std::vector<std::string> subset;  ///< Names of workloads whose coverage is asked for.
  int resamples = 1000;             ///< Of the bootstrap; 0: none.
  std::uint64_t seed = 1;
};

/// A few workloads, and what of each metric's range they cover.
struct Choice {
  std::string name;                    ///< "representatives", "asked" or "best of K"
  std::vector<std::size_t> workloads;  ///< In the order of the frame.
  std::vector<Coverage> coverage;      ///< One a metric.
};

/// Everything that is computed of a frame; indices are its rows and metrics.
struct Study {
  DataFrame frame;  ///< Complete, without constant metrics.
  Settings settings;
  Components components;
  std::size_t used_components = 0;  ///< That distances rest on; 0: on metrics.
  std::vector<double> distances;
  std::vector<Merge> merges;
  std::vector<std::size_t> clusters;         ///< Of each workload, numbered from 1.
  std::size_t count = 0;                     ///< Of clusters.
  double cut_height = 0;                     ///< Where the dendrogram is cut.
  std::vector<std::size_t> representatives;  ///< One a cluster.
  std::vector<Choice> choices;
  Stability stability;  ///< No resamples: none was asked for, or there is one cluster.
};

/// More workloads are refused: their pairs are held in memory.
inline constexpr std::size_t kMostWorkloads = 3000;

/// Studies `frame`. What is done with incomplete values, constant metrics and the like is appended
/// to `*treatments` (not null). Errors: kBadInput (fewer than two workloads or no metric left, too
/// many workloads, a subset's name that is unknown or fits several); kUsage (more clusters than
/// workloads).
Result<Study> StudyOf(const DataFrame& frame, const Settings& settings, core::Progress& progress,
                      std::vector<std::string>* treatments);

/// The workload that `name` means: the one of that label, else the only one whose label holds it.
/// Error: kBadInput, naming the candidates.
Result<std::size_t> WorkloadOf(const DataFrame& frame, const std::string& name);

}  // namespace xsp::suite::similarity

#endif  // XSP_ANSWER_SUITE_SIMILARITY_STUDY_H_
