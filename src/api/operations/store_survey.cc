#include "api/operations/store_survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "answer/findings/rule.h"
#include "answer/store_findings/survey.h"
#include "answer/store_findings/survey_document.h"
#include "api/operations/experiment_filter_fields.h"
#include "core/nearest_word.h"

namespace xsp::api {
namespace {

using store_findings::SurveyedExperiment;

/// Of a rule that is asked for by name.
constexpr int kRowsOfNamedRules = 50;
constexpr int kMaxRows = 10'000;

Status CheckRules(const std::vector<std::string>& wanted,
                  const std::vector<findings::Rule>& rules) {
  std::vector<std::string_view> known;
  for (const findings::Rule& rule : rules) known.emplace_back(rule.id);
  for (const std::string& id : wanted) {
    if (std::ranges::find(known, id) != known.end()) continue;
    const std::string_view nearest = core::NearestWord(id, known);
    return Error{.kind = ErrorKind::kUsage,
                 .what = "no such rule: " + id,
                 .hint = nearest.empty() ? "The folders in findings/ are the rules."
                                         : fmt::format("Did you mean {}?", nearest),
                 .field = "rule"};
  }
  return Ok{};
}

store_findings::ShownPart PartOf(const SurveyRequest& request) {
  const int rows = request.rows.value_or(request.rules.empty() ? 0 : kRowsOfNamedRules);
  return {.rules = request.rules,
          .severities = request.severities,
          .rows = static_cast<std::size_t>(rows),
          .offset = static_cast<std::size_t>(request.offset)};
}

std::string Experiments(std::size_t count) {
  return fmt::format("{} experiment{}", count, count == 1 ? "" : "s");
}

/// What people should know of a document beside its rules.
void AddNotes(const std::vector<SurveyedExperiment>& experiments, bool was_interrupted,
              Document* document) {
  const auto missing =
      static_cast<std::size_t>(std::ranges::count_if(experiments, &SurveyedExperiment::is_missing));
  const auto unreadable = static_cast<std::size_t>(std::ranges::count_if(
      experiments, [](const auto& experiment) { return !experiment.unreadable.empty(); }));
  if (missing > 0)
    document->notes.push_back(
        fmt::format("{}the findings of {} are not known yet: `xsp store findings` evaluates them",
                    was_interrupted ? "interrupted: " : "", Experiments(missing)));
  if (unreadable > 0)
    document->notes.push_back(Experiments(unreadable) +
                              " cannot be read and left out; --format json says why");
  if (experiments.empty()) document->notes.push_back("no experiment of the store fits the request");
}

}  // namespace

void AddSurveyFields(core::RequestFields& fields, SurveyRequest* request) {
  AddFilterFields(fields, &request->filter);
  fields.Add("rule", &request->rules,
             {.help = "Only these rules, with their experiments",
              .value_name = "ID,...",
              .list = core::ListStyle::kCommas});
  fields.Add("severity", &request->severities,
             {.help = "Only rules of these severities",
              .value_name = "SEVERITY,...",
              .allowed = {"info", "notice", "warning"},
              .list = core::ListStyle::kCommas});
  fields.Add("rows", &request->rows,
             {.help = "Show at most this many experiments of each rule",
              .value_name = "N",
              .range = core::Between(0, kMaxRows),
              .or_default = "50 with rule, else 0"});
  fields.Add("offset", &request->offset,
             {.help = "Leave out this many experiments of each rule first",
              .value_name = "N",
              .range = core::Between(0, 1e9)});
}

Result<Document> Survey(const Context& context, const SurveyRequest& request, bool evaluates) {
  XSP_TRY(const std::vector<findings::Rule> rules, findings::LoadRules(context.findings));
  XSP_RETURN_IF_ERROR(CheckRules(request.rules, rules));
  XSP_TRY(std::vector<store::CatalogueEntry> selected,
          ChosenExperiments(context.store, request.filter));
  std::ranges::reverse(selected);  // The newest first.
  const store_findings::FindingsCache cache(rules);
  std::vector<SurveyedExperiment> experiments =
      store_findings::KnownFindings(std::move(selected), cache);
  bool was_interrupted = false;
  if (evaluates) {
    os::Interrupts& interrupts = context.interrupts();
    store_findings::EvaluateMissing(experiments, rules, cache, *context.progress,
                                    [&] { return interrupts.stop(); });
    was_interrupted = std::ranges::any_of(experiments, &SurveyedExperiment::is_missing);
  }
  Document document{.content = store_findings::SurveyDocument(experiments, rules, PartOf(request))};
  AddNotes(experiments, was_interrupted, &document);
  if (was_interrupted) document.exit_status = static_cast<int>(ErrorKind::kInterrupted);
  return document;
}

}  // namespace xsp::api
