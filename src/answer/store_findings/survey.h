#ifndef XSP_ANSWER_STORE_FINDINGS_SURVEY_H_
#define XSP_ANSWER_STORE_FINDINGS_SURVEY_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "answer/findings/rule.h"
#include "answer/store_findings/experiment_findings.h"
#include "answer/store_findings/findings_cache.h"
#include "core/progress.h"
#include "core/result.h"
#include "store/catalogue.h"

namespace xsp::store_findings {

/// One experiment of a survey: its findings are known, not known yet, or it cannot be read.
struct SurveyedExperiment {
  store::CatalogueEntry stored;
  std::string fingerprint;                     ///< When the survey began.
  std::optional<ExperimentFindings> findings;  ///< Nothing: not known, or not readable.
  std::string unreadable;                      ///< Why; empty: it may be readable.

  bool is_missing() const { return !findings && unreadable.empty(); }
};

/// What the cache knows of these experiments, in their order. Evaluates nothing: milliseconds for
/// thousands.
std::vector<SurveyedExperiment> KnownFindings(std::vector<store::CatalogueEntry> experiments,
                                              const FindingsCache& cache);

/// Evaluates the experiments that are missing, in their order, on as many threads as this process
/// may use processors, and keeps each answer in the cache at once: after an interruption the next
/// call continues. An experiment that fails becomes unreadable. Begins no more experiments once
/// `stop` returns true. Where the cache cannot be written, `progress` notes it once. `progress` is
/// called from several threads, one at a time.
void EvaluateMissing(std::vector<SurveyedExperiment>& experiments,
                     const std::vector<findings::Rule>& rules, const FindingsCache& cache,
                     core::Progress& progress, const std::function<bool()>& stop);

}  // namespace xsp::store_findings

#endif  // XSP_ANSWER_STORE_FINDINGS_SURVEY_H_
