#ifndef XSP_ANSWER_PUBLISH_EXPERIMENT_DOCUMENT_H_
#define XSP_ANSWER_PUBLISH_EXPERIMENT_DOCUMENT_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/result.h"
#include "store/catalogue.h"
#include "store/table.h"

namespace xsp::publish {

/// Experiment tables by name; those without rows are left out.
using TablesByName = std::map<std::string, store::Table>;

/// What a site shows of one experiment, as web/src/site/site_data.ts describes it.
struct ExperimentDocument {
  /// ExperimentEntry: what lists and leaderboards show, without `folder`, `report` and `findings`.
  nlohmann::json entry;
  /// SiteExperiment without `files`: what the experiment's page and comparisons show.
  nlohmann::json document;
};

/// Reads experiment.json and the run.json of the deepest run in `experiment.path`; the rest is in
/// `tables`. Errors: kBadInput (experiment.json cannot be read).
Result<ExperimentDocument> DocumentOf(const store::CatalogueEntry& experiment,
                                      const TablesByName& tables);

}  // namespace xsp::publish

#endif  // XSP_ANSWER_PUBLISH_EXPERIMENT_DOCUMENT_H_
