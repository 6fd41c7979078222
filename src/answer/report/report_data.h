#ifndef XSP_ANSWER_REPORT_REPORT_DATA_H_
#define XSP_ANSWER_REPORT_REPORT_DATA_H_

#include <filesystem>
#include <string>
#include <vector>

#include "answer/analyze/analysis.h"
#include "answer/findings/rule.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::report {

/// The document that the page reads (web/src/report_data.ts), for one experiment, as JSON text.
///
/// `experiment` is the folder that `database` was opened on: experiment.json and each run.json are
/// read from it. `analyses` are run here, in their order; `rules` make its findings. Large tables
/// are cut, and the cut is reported in the document. Errors: kBadInput (unreadable experiment).
Result<std::string> ReportData(const std::filesystem::path& experiment,
                               const store::Database& database,
                               const std::vector<analyze::Analysis>& analyses,
                               const std::vector<findings::Rule>& rules);

/// Writes the self-contained page of one experiment to `file`. Errors: those of ReportData;
/// kNotPossible when the page was not built; kEnvironment when the file cannot be written.
Status WriteReport(const std::filesystem::path& experiment, const store::Database& database,
                   const std::vector<analyze::Analysis>& analyses,
                   const std::vector<findings::Rule>& rules, const std::filesystem::path& file);

}  // namespace xsp::report

#endif  // XSP_ANSWER_REPORT_REPORT_DATA_H_
