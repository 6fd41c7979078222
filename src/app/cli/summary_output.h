#ifndef XSP_APP_CLI_SUMMARY_OUTPUT_H_
#define XSP_APP_CLI_SUMMARY_OUTPUT_H_

#include "core/result.h"
#include "store/database.h"

namespace xsp::cli {

/// Prints what the report's page opens with: badges, sentences, batch sizes and the ladder of
/// rungs.
Status PrintSummary(const store::Database& database);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_SUMMARY_OUTPUT_H_
