#include "ingest/trace_files/trace_loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <filesystem>

#include "core/step_times.h"
#include "ingest/align/align.h"
#include "ingest/correlate/correlate.h"
#include "ingest/importers/importer.h"
#include "trace/source_writer.h"

namespace xsp::trace_files {

namespace {

const ImporterSpec* FindImporter(std::string_view name) {
  for (const ImporterSpec* spec : importers::AllImporters())
    if (spec->name == name) return spec;
  return nullptr;
}

/// The files of one format, as they were named.
struct Format {
  const ImporterSpec* importer;
  std::vector<std::filesystem::path> files;
};

/// In the order in which they are read: by priority, then as they were named.
Result<std::vector<Format>> FormatsOf(const std::vector<RecognisedFile>& files) {
  std::vector<Format> formats;
  for (const RecognisedFile& file : files) {
    const ImporterSpec* importer = FindImporter(file.format);
    if (importer == nullptr)
      return Error{ErrorKind::kBadInput, fmt::format("no such format: {}", file.format), ""};
    auto format = std::find_if(formats.begin(), formats.end(),
                               [&](const Format& known) { return known.importer == importer; });
    if (format == formats.end()) format = formats.insert(format, Format{importer, {}});
    format->files.push_back(file.file);
  }
  std::stable_sort(formats.begin(), formats.end(), [](const Format& a, const Format& b) {
    return a.importer->priority < b.importer->priority;
  });
  return formats;
}

/// Reads files, each as a source of its own, into one trace.
class SourceReader {
 public:
  /// Both are borrowed.
  SourceReader(trace::Trace& trace, trace::ArgumentSink* arguments)
      : trace_(trace), arguments_(arguments) {}

  Status Read(const Format& format) {
    const ImporterSpec& importer = *format.importer;
    Status first_error = Ok{};
    const std::size_t before = sources_.size();
    for (std::size_t i = 0; i < format.files.size(); ++i) {
      const trace::SourceWriter::Place place = {next_source_++, i, format.files.size()};
      trace::SourceWriter& writer =
          writers_.emplace_back(trace_, arguments_, place, importer.clock, importer.role);
      const Status read = importer.import({format.files[i]}, writer);
      writer.Close();
      if (read.ok()) {
        sources_.push_back({&importer, &writer});
        continue;
      }
      if (importer.unreadable_file == nullptr) return read;
      if (format.files.size() > 1) writer.Count(*importer.unreadable_file, read.error().what);
      if (first_error.ok()) first_error = read;
    }
    if (sources_.size() == before) return first_error;
    if (importer.complete != nullptr) {
      trace::TraceWriter writer(trace_);
      importer.complete(writer);
    }
    return Ok{};
  }

  void Finish() {
    align::Align(sources_, trace_);
    trace_.role = CommonRole();
  }

 private:
  /// The files of one format are of one execution: what one of them states of its role holds for
  /// them all. Metrics beside a timeline do not change what its times mean.
  trace::Role CommonRole() const {
    for (const align::Source& source : sources_) {
      const bool is_of_metrics =
          std::any_of(sources_.begin(), sources_.end(), [&](const align::Source& other) {
            return other.importer == source.importer && IsOfMetrics(other.writer->role());
          });
      if (!is_of_metrics) return source.writer->role();
    }
    if (sources_.empty()) return trace::Role::kTimeline;
    const bool has_kernels = std::ranges::any_of(sources_, [](const align::Source& source) {
      return source.writer->role() == trace::Role::kKernelMetrics;
    });
    return has_kernels ? trace::Role::kKernelMetrics : trace::Role::kCounters;
  }

  trace::Trace& trace_;
  trace::ArgumentSink* arguments_;
  std::size_t next_source_ = 0;
  std::deque<trace::SourceWriter> writers_;  ///< Stay where they are.
  std::vector<align::Source> sources_;       ///< Those that could be read.
};

}  // namespace

Result<trace::Trace> LoadTrace(const std::vector<RecognisedFile>& files,
                               trace::ArgumentSink* arguments,
                               const correlate::ReplayOptions& replays) {
  XSP_TRY(const std::vector<Format> formats, FormatsOf(files));
  trace::Trace trace;
  {
    SourceReader reader(trace, arguments);
    for (const Format& format : formats) {
      const core::StepTimer timer("read");
      XSP_RETURN_IF_ERROR(reader.Read(format));
    }
    reader.Finish();
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
