#ifndef XSP_ANSWER_SUITE_VECTORS_CACHE_H_
#define XSP_ANSWER_SUITE_VECTORS_CACHE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "answer/analyze/analysis.h"
#include "core/result.h"
#include "store/table.h"

namespace xsp::suite {

/// What the analysis `workload_vector` says of one experiment.
struct ExperimentVectors {
  std::vector<std::string> provenance;  ///< Of each column.
  store::Table table;                   ///< A row for each point.
};

/// Answers of one analysis about experiments, in files:
/// os::CacheFolder()/vectors/ANALYSIS/FINGERPRINT.json. ANALYSIS stands for the analysis and the
/// version of XSP, FINGERPRINT for the state of the experiment (store::FingerprintOf()), so that an
/// answer is found only where it is still right. Programs may share the folder; it can be removed
/// at any time. Threading: any thread.
class VectorsCache {
 public:
  explicit VectorsCache(const analyze::Analysis& analysis);

  /// Nothing: not known, or its file is damaged.
  std::optional<ExperimentVectors> Find(const std::string& fingerprint) const;

  /// Keeps nothing where a number is not finite, which JSON cannot hold. Errors: kEnvironment (no
  /// space, no permission).
  Status Keep(const std::string& fingerprint, const ExperimentVectors& vectors) const;

 private:
  std::filesystem::path FileOf(const std::string& fingerprint) const;

  std::filesystem::path folder_;
  std::vector<std::string> columns_;
};

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_VECTORS_CACHE_H_
