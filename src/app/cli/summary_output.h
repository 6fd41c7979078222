#ifndef XSP_APP_CLI_SUMMARY_OUTPUT_H_
#define XSP_APP_CLI_SUMMARY_OUTPUT_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "app/cli/command.h"
#include "core/result.h"
#include "store/database.h"

namespace xsp::cli {

/// `text` without backticks, which mark code on the page.
std::string WithoutCodeMarks(std::string text);

/// Prints what the report's page opens with: badges, sentences, batch sizes and the ladder of
/// rungs.
Status PrintSummary(const Session& session, const store::Database& database);

/// What was measured, for programs: `points` (latency with its interval, throughput), `rungs` (what
/// each costs), `badges` and `findings` (the sentences), of the page's summary.
Result<nlohmann::json> SummaryDocument(const Session& session, const store::Database& database);

/// Writes the page of the experiment in `folder` to `file` (empty: report.html in the experiment)
/// and returns its path.
Result<std::filesystem::path> MakeReport(const Session& session,
                                         const std::filesystem::path& folder,
                                         const std::filesystem::path& file);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_SUMMARY_OUTPUT_H_
