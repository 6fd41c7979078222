#ifndef XSP_INGEST_TRACE_FILES_LOAD_TRACE_H_
#define XSP_INGEST_TRACE_FILES_LOAD_TRACE_H_

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "ingest/correlate/graph_replay.h"
#include "ingest/trace_files/recognise.h"
#include "trace/trace.h"

namespace xsp::trace_files {

/// Reads the files of one execution into one trace and correlates it. With `arguments`, these go
/// there and not into the trace, and its End() is called after the last. Errors: kBadInput.
Result<trace::Trace> LoadTrace(const std::vector<RecognisedFile>& files,
                               trace::ArgumentSink* arguments = nullptr,
                               const correlate::ReplayOptions& replays = {});

/// What a counted diagnostic means and what to do: its own hint, else the one that the importer
/// which declares it gives; empty: there is none.
std::string HintOf(std::string_view diagnostic, const trace::Diagnostic& counted);

}  // namespace xsp::trace_files

#endif  // XSP_INGEST_TRACE_FILES_LOAD_TRACE_H_
