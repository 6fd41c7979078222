#ifndef XSP_ANSWER_STORE_FINDINGS_FINDINGS_CACHE_H_
#define XSP_ANSWER_STORE_FINDINGS_FINDINGS_CACHE_H_

#include <optional>
#include <string>
#include <vector>

#include "answer/findings/rule.h"
#include "answer/store_findings/experiment_findings.h"
#include "core/result.h"
#include "store/kept_answers.h"

namespace xsp::store_findings {

/// What rules said about experiments, kept from one call to the next (store::KeptAnswers).
/// Threading: any thread.
class FindingsCache {
 public:
  explicit FindingsCache(const std::vector<findings::Rule>& rules);

  /// Nothing: not known, or its file is damaged.
  std::optional<ExperimentFindings> Find(const std::string& fingerprint) const;

  /// Errors: kEnvironment (no space, no permission).
  Status Keep(const std::string& fingerprint, const ExperimentFindings& findings) const;

 private:
  store::KeptAnswers kept_;
};

}  // namespace xsp::store_findings

#endif  // XSP_ANSWER_STORE_FINDINGS_FINDINGS_CACHE_H_
