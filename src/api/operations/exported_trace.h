#ifndef XSP_API_OPERATIONS_EXPORTED_TRACE_H_
#define XSP_API_OPERATIONS_EXPORTED_TRACE_H_

#include <filesystem>

#include "answer/trace_formats/trace_format.h"
#include "api/operation.h"
#include "core/result.h"

namespace xsp::api {

/// Writes one run in a format of other programs. `folder`: the run, or an experiment, of which the
/// run is taken that has most levels; of those, the one with most spans. Failed runs and those of
/// the rung `details`, whose times are discarded, are taken only if there is no other. `output`: a
/// file; a folder, in which the file is named after the run; or empty: that name in the working
/// folder. Errors: kBadInput (no run, a damaged file), kEnvironment (disk full), kInterrupted; they
/// leave no file.
Result<Document> ExportTrace(const Context& context, const std::filesystem::path& folder,
                             const trace_formats::TraceFormatSpec& format,
                             const std::filesystem::path& output);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_EXPORTED_TRACE_H_
