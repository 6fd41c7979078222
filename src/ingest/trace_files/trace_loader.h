#ifndef XSP_INGEST_TRACE_FILES_TRACE_LOADER_H_
#define XSP_INGEST_TRACE_FILES_TRACE_LOADER_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "ingest/correlate/graph_replay.h"
#include "ingest/trace_files/recognised_file.h"
#include "trace/trace.h"

namespace xsp::trace_files {

/// Reads the files of one execution, format by format in the order of their priorities, puts them
/// on one clock (ingest/align) and correlates the trace. Of several files of a format that cannot
/// all be read the others are kept, if the format counts what is missing. With `arguments`, these
/// go there and not into the trace, and its End() is called after the last. Errors: kBadInput.
Result<trace::Trace> LoadTrace(const std::vector<RecognisedFile>& files,
                               trace::ArgumentSink* arguments = nullptr,
                               const correlate::ReplayOptions& replays = {});

/// What a counted diagnostic means and what to do: its own hint, else the one that the importer
/// which declares it gives; empty: there is none.
std::string HintOf(std::string_view diagnostic, const trace::Diagnostic& counted);

}  // namespace xsp::trace_files

#endif  // XSP_INGEST_TRACE_FILES_TRACE_LOADER_H_
