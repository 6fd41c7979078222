#ifndef XSP_ANSWER_STORE_FINDINGS_FINDINGS_CACHE_H_
#define XSP_ANSWER_STORE_FINDINGS_FINDINGS_CACHE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "answer/findings/rule.h"
#include "answer/store_findings/experiment_findings.h"
#include "core/result.h"

namespace xsp::store_findings {

/// What rules said about experiments, in files: os::CacheFolder()/findings/RULES/FINGERPRINT.json.
/// RULES stands for the rules and the version of XSP, FINGERPRINT for the state of the experiment
/// (store::FingerprintOf()), so that an answer is found only where it is still right. Programs may
/// share the folder; it can be removed at any time. Threading: any thread.
class FindingsCache {
 public:
  explicit FindingsCache(const std::vector<findings::Rule>& rules);

  /// Nothing: not known, or its file is damaged.
  std::optional<ExperimentFindings> Find(const std::string& fingerprint) const;

  /// Errors: kEnvironment (no space, no permission).
  Status Keep(const std::string& fingerprint, const ExperimentFindings& findings) const;

 private:
  std::filesystem::path FileOf(const std::string& fingerprint) const;

  std::filesystem::path folder_;
};

}  // namespace xsp::store_findings

#endif  // XSP_ANSWER_STORE_FINDINGS_FINDINGS_CACHE_H_
