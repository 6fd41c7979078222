#ifndef XSP_APP_CLI_SURVEY_OUTPUT_H_
#define XSP_APP_CLI_SURVEY_OUTPUT_H_

#include "api/operation.h"
#include "app/cli/output.h"
#include "core/result.h"

namespace xsp::cli {

/// Shows a document of store/findings or store/known, in words or as CSV. Returns its exit status.
Result<int> ShowSurvey(const api::Document& document, Format format);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_SURVEY_OUTPUT_H_
