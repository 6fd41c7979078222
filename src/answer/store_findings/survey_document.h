#ifndef XSP_ANSWER_STORE_FINDINGS_SURVEY_DOCUMENT_H_
#define XSP_ANSWER_STORE_FINDINGS_SURVEY_DOCUMENT_H_

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answer/findings/rule.h"
#include "answer/store_findings/survey.h"

namespace xsp::store_findings {

/// Which part of a survey is shown.
struct ShownPart {
  std::vector<std::string> rules;       ///< Ids; empty: all.
  std::vector<std::string> severities;  ///< As findings::NameOf(); empty: all.
  std::size_t rows = 0;                 ///< Experiments of each rule, at most.
  std::size_t offset = 0;               ///< Experiments of each rule that are left out first.
};

/// The counts of a survey, and one object for each rule that at least one experiment has: what most
/// experiments have first, of equal numbers the largest gain. The rows of a rule have the largest
/// gain first; gains that are not known come last, the newest experiment first. The members are
/// described by the schema of the operation store/findings.
nlohmann::json SurveyDocument(const std::vector<SurveyedExperiment>& experiments,
                              const std::vector<findings::Rule>& rules, const ShownPart& part);

}  // namespace xsp::store_findings

#endif  // XSP_ANSWER_STORE_FINDINGS_SURVEY_DOCUMENT_H_
