#ifndef XSP_API_OPERATIONS_REPORT_FILE_H_
#define XSP_API_OPERATIONS_REPORT_FILE_H_

#include <filesystem>

#include "api/operation.h"
#include "core/result.h"

namespace xsp::api {

/// Writes the page of the experiment in `folder` to `file` (empty: report.html in the experiment)
/// and returns its path. Errors: those of LoadAnalyses and report::WriteReport.
Result<std::filesystem::path> WriteReport(const Context& context,
                                          const std::filesystem::path& folder,
                                          const std::filesystem::path& file);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_REPORT_FILE_H_
