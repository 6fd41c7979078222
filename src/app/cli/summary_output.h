#ifndef XSP_APP_CLI_SUMMARY_OUTPUT_H_
#define XSP_APP_CLI_SUMMARY_OUTPUT_H_

#include <nlohmann/json.hpp>
#include <string>

#include "core/result.h"
#include "store/database.h"

namespace xsp::cli {

/// `text` without backticks, which mark code on the page.
std::string WithoutCodeMarks(std::string text);

/// Prints what the report's page opens with: badges and findings, which `summary` has as
/// report::SummaryDocument makes it, batch sizes and the ladder of rungs.
Status PrintSummary(const nlohmann::json& summary, const store::Database& database);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_SUMMARY_OUTPUT_H_
