#include "ingest/trace_files/load_trace.h"

#include <fmt/format.h>

#include <set>

#include "core/step_times.h"
#include "ingest/correlate/correlate.h"
#include "ingest/importers/importer.h"

namespace xsp::trace_files {

namespace {

const ImporterSpec* FindImporter(std::string_view name) {
  for (const ImporterSpec* spec : importers::AllImporters())
    if (spec->name == name) return spec;
  return nullptr;
}

}  // namespace

Result<trace::Trace> LoadTrace(const std::vector<RecognisedFile>& files,
                               trace::ArgumentSink* arguments,
                               const correlate::ReplayOptions& replays) {
  trace::Trace trace;
  trace::TraceWriter writer(trace, arguments);
  std::set<std::string> read;
  for (const RecognisedFile& first : files) {
    if (!read.insert(first.format).second) continue;
    const ImporterSpec* importer = FindImporter(first.format);
    if (importer == nullptr)
      return Error{ErrorKind::kBadInput, fmt::format("no such format: {}", first.format), ""};
    importers::Source source;
    for (const RecognisedFile& file : files)
      if (file.format == first.format) source.files.push_back(file.file);
    const core::StepTimer timer("read");
    XSP_RETURN_IF_ERROR(importer->import(source, writer));
  }
  if (arguments != nullptr) arguments->End();
  const core::StepTimer timer("correlate");
  XSP_RETURN_IF_ERROR(correlate::Correlate(trace, replays));
  return trace;
}

std::string HintOf(std::string_view diagnostic, const trace::Diagnostic& counted) {
  if (!counted.hint.empty()) return counted.hint;
  for (const ImporterSpec* spec : importers::AllImporters())
    for (const importers::DiagnosticSpec& declared : spec->diagnostics)
      if (declared.name == diagnostic) return std::string(declared.help);
  return "";
}

}  // namespace xsp::trace_files
