#ifndef XSP_API_OPERATIONS_STORE_SURVEY_H_
#define XSP_API_OPERATIONS_STORE_SURVEY_H_

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"
#include "derive/history/experiment_filter.h"

namespace xsp::api {

/// The request of store/findings and of store/known.
struct SurveyRequest {
  history::ExperimentFilter filter;
  std::vector<std::string> rules, severities;
  std::optional<int> rows;
  int offset = 0;
};

/// JSON Schema of the document of both.
inline constexpr char kSurveySchema[] = R"({"type": "object",
    "required": ["experiments", "known", "not_known", "unreadable", "rules"], "properties": {
      "experiments": {"type": "integer", "description": "That fit the request"},
      "known": {"type": "integer", "description": "Of them, whose findings are in this document"},
      "not_known": {"type": "integer",
        "description": "Of them, not evaluated yet: store/findings evaluates them"},
      "unreadable": {"type": "array", "items": {"type": "object", "properties": {
        "experiment": {"type": "string"}, "reason": {"type": "string"}}}},
      "rules": {"type": "array",
        "description": "Those that at least one experiment has, the most frequent first",
        "items": {"type": "object", "properties": {
          "id": {"type": "string"}, "title": {"type": "string"},
          "severity": {"enum": ["info", "notice", "warning"]},
          "see": {"type": "string", "description": "Section of an experiment's report"},
          "experiments": {"type": "integer", "description": "That have the finding"},
          "abstained": {"type": "integer",
            "description": "Experiments about which the rule says nothing, as they lack data"},
          "models": {"type": "array", "description": "Of the experiments that have it",
            "items": {"type": "string"}},
          "gain": {"type": ["object", "null"], "description": "null: no gain is known",
            "properties": {
              "experiments": {"type": "integer", "description": "Whose gain is known"},
              "largest_share": {"type": "number",
                "description": "Expected gain divided by its whole: as gain_share of a row"},
              "largest_experiment": {"type": "string"},
              "median_share": {"type": "number"},
              "total_ns": {"type": "number",
                "description": "Sum of the expected gains of one call or step of each experiment"},
              "total_once_ns": {"type": "number",
                "description": "Sum of the expected gains of whole recordings and programs"}}},
          "rows": {"type": "array", "description": "Experiments, the largest gain first",
            "items": {"type": "object", "properties": {
              "experiment": {"type": "string"}, "created": {"type": "string"},
              "model": {"type": "string"}, "backend": {"type": "string"},
              "point_id": {"type": "integer",
                "description": "The point that the finding is about; 0: there is none"},
              "point": {"type": "string"},
              "sentence": {"type": "string"},
              "gain_ns": {"type": ["array", "null"], "items": {"type": "number"},
                "description": "Low, expected and high gain; null: not known"},
              "gain_share": {"type": ["number", "null"],
                "description": "Expected gain divided by gain.whole_ns"},
              "gain": {"type": ["object", "null"], "properties": {
                "whole": {"enum": ["call", "step", "recording", "program"],
                  "description": "What the gain is a part of"},
                "whole_ns": {"type": "number"}}}}}}}}}}})";

/// Adds the fields of `request`, which outlives the visit.
void AddSurveyFields(core::RequestFields& fields, SurveyRequest* request);

/// The findings of the selected experiments, as store_findings::SurveyDocument() has them.
/// `evaluates`: experiments whose findings are not known are evaluated first, until an
/// interruption; else the document states how many they are. Errors: kUsage (no such rule, no
/// date), kBadInput (a broken rule), kEnvironment (the store cannot be read).
Result<Document> Survey(const Context& context, const SurveyRequest& request, bool evaluates);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_STORE_SURVEY_H_
