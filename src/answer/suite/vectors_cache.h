#ifndef XSP_ANSWER_SUITE_VECTORS_CACHE_H_
#define XSP_ANSWER_SUITE_VECTORS_CACHE_H_

#include <optional>
#include <string>
#include <vector>

#include "answer/analyze/analysis.h"
#include "core/result.h"
#include "store/kept_answers.h"
#include "store/table.h"

namespace xsp::suite {

/// What the analysis `workload_vector` says of one experiment.
struct ExperimentVectors {
  std::vector<std::string> provenance;  ///< Of each column.
  store::Table table;                   ///< A row for each point.
};

/// What one analysis says of experiments, kept from one call to the next (store::KeptAnswers).
/// Threading: any thread.
class VectorsCache {
 public:
  explicit VectorsCache(const analyze::Analysis& analysis);

  /// Nothing: not known, or its file is damaged.
  std::optional<ExperimentVectors> Find(const std::string& fingerprint) const;

  /// Keeps nothing where a number is not finite, which JSON cannot hold. Errors: kEnvironment (no
  /// space, no permission).
  Status Keep(const std::string& fingerprint, const ExperimentVectors& vectors) const;

 private:
  store::KeptAnswers kept_;
  std::vector<std::string> columns_;
};

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_VECTORS_CACHE_H_
