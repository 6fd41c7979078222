#ifndef XSP_INGEST_IMPORTERS_IMPORTER_TESTING_H_
#define XSP_INGEST_IMPORTERS_IMPORTER_TESTING_H_

#include <vector>

#include "ingest/importers/importer.h"
#include "trace/source_writer.h"
#include "trace/trace.h"

namespace xsp::importers {

/// Reads files of one execution into `trace`, each through a writer of its own, and leaves every
/// file on its own clock: putting them on one is tested in ingest/align and ingest/trace_files.
/// Stops at the first error.
inline Status ImportAll(const ImporterSpec& spec, const std::vector<SourceFile>& files,
                        trace::Trace& trace) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    trace::SourceWriter writer(trace, nullptr, {i, i, files.size()}, spec.clock, spec.role);
    XSP_RETURN_IF_ERROR(spec.import(files[i], writer));
    writer.Close();
  }
  if (spec.complete != nullptr) {
    trace::TraceWriter writer(trace);
    spec.complete(writer);
  }
  return Ok{};
}

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_IMPORTER_TESTING_H_
