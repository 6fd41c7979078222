#ifndef XSP_APP_CLI_SUMMARY_OUTPUT_H_
#define XSP_APP_CLI_SUMMARY_OUTPUT_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "store/database.h"

namespace xsp::cli {

/// `text` without backticks, which mark code on the page.
std::string WithoutCodeMarks(std::string text);

/// Prints what the report's page opens with: badges, sentences, batch sizes and the ladder of
/// rungs.
/// The sentences are those of the rules in `rule_folders`.
Status PrintSummary(const std::vector<std::filesystem::path>& rule_folders,
                    const store::Database& database);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_SUMMARY_OUTPUT_H_
