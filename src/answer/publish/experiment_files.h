#ifndef XSP_ANSWER_PUBLISH_EXPERIMENT_FILES_H_
#define XSP_ANSWER_PUBLISH_EXPERIMENT_FILES_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/analyze/analysis.h"
#include "answer/findings/rule.h"
#include "answer/publish/site_folder.h"
#include "core/result.h"
#include "store/catalogue.h"

namespace xsp::publish {

/// An experiment that a site is to show.
struct SiteExperiment {
  store::CatalogueEntry stored;
  std::string fingerprint;  ///< As store::FingerprintOf().
  std::string folder;       ///< Below experiments/.
};

/// Writes experiments/FOLDER/ of each of `experiments`: experiment.js, and each table that has rows
/// as Parquet, CSV and JSON. Returns the entry of each in the manifest; nothing for one that cannot
/// be read (it may be removed meanwhile). Any thread. Errors: as SiteFolder::Write().
Result<std::vector<std::optional<nlohmann::json>>> WriteExperiments(
    const SiteFolder& site, std::span<const SiteExperiment> experiments);

/// Writes the report of an experiment, experiments/FOLDER/report.js, and findings.js. Returns the
/// number of findings. Any thread. Errors: as report::ReportData() and SiteFolder::Write().
Result<std::size_t> WriteReportFiles(const SiteFolder& site, const SiteExperiment& experiment,
                                     const std::vector<analyze::Analysis>& analyses,
                                     const std::vector<findings::Rule>& rules);

}  // namespace xsp::publish

#endif  // XSP_ANSWER_PUBLISH_EXPERIMENT_FILES_H_
