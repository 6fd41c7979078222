// Imports traces of PyTorch's profiler (Kineto): Chrome JSON with Kineto's categories, of every
// era, plain or gzip. Several files are the ranks of one execution. What becomes of what:
// README.md.

#include <fmt/format.h>

#include <string>
#include <utility>

#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/kineto/diagnostics.h"
#include "ingest/importers/kineto/hints.h"
#include "ingest/importers/kineto/kineto_importer.h"
#include "ingest/importers/kineto/trace_builder.h"
#include "ingest/importers/trace_event_file.h"

namespace xsp::importers::kineto {
namespace {

constexpr TraceEventDiagnostics kOfTheFile = {kDamagedFile, kCut, kBadText, kTooLarge};

/// Reads one file. Errors: kBadInput when it holds no events.
Status ReadFile(ByteStream& stream, const std::string& file, std::size_t chunk_bytes,
                trace::SourceWriter& writer) {
  const bool several = writer.is_one_of_several();
  TraceBuilder builder(writer, several ? fmt::format("file {} ", writer.file_index()) : "");
  TraceEventReader reader(stream, chunk_bytes, builder, writer, kOfTheFile,
                          several ? fmt::format("file.{}.", writer.file_index()) : "");
  const bool has_events = reader.Read();
  if (reader.header().is_own_export) return OwnExportError(file);
  if (!has_events)
    return Error{ErrorKind::kBadInput, fmt::format("no array of trace events in: {}", file),
                 "A Kineto trace holds \"traceEvents\"."};
  const TraceEventHeader& header = reader.header();
  // Two files that say nothing are two ranks all the same.
  const bool counted = header.rank < 0 && several;
  builder.Finish(counted ? static_cast<std::int64_t>(writer.file_index()) : header.rank);
  // Without a base the times themselves show what they count from (ingest/align).
  if (header.base_ns != 0) writer.SetClock(ClockDomain::kEpoch);
  if (builder.counts_kernels()) writer.SetRole(Role::kKernelMetrics);
  if (header.base_ns != 0 || builder.first_ns())
    writer.SetFirstTime(builder.first_ns().value_or(0));
  writer.Shift(header.base_ns);
  writer.SetFact("framework.name", "PyTorch");
  return Ok{};
}

/// Operators, and no trace of a device: neither work, nor calls to its library, nor its properties.
bool RanOnCpu(const trace::Trace& trace) {
  for (const auto& [fact, value] : trace.facts)
    if (fact.find("deviceProperties.") != std::string::npos) return false;
  for (const trace::Track& track : trace.tracks)
    if (track.kind == trace::TrackKind::kStream || track.kind == trace::TrackKind::kDevice)
      return false;
  bool operators = false;
  for (const trace::Level level : trace.spans.level) {
    if (level == trace::Level::kLibrary || level == trace::Level::kKernel) return false;
    operators = operators || level == trace::Level::kLayer;
  }
  return operators;
}

void Complete(trace::TraceWriter& writer) {
  if (RanOnCpu(writer.trace())) writer.SetFact(trace::fact::kOperatorsRanOn, "cpu");
}

Sniff SniffKineto(const SniffInput& input) {
  const std::string_view prefix = input.first_bytes();
  if (!LooksLikeTraceEvents(prefix)) return Sniff::kNo;
  // Categories of every era, and what its files say of themselves.
  return Holds(prefix, {"\"schemaVersion\"",
                        "\"deviceProperties\"",
                        "\"computeProperties\"",
                        "\"distributedInfo\"",
                        "\"baseTimeNanoseconds\"",
                        "\"cpu_op\"",
                        "\"cuda_runtime\"",
                        "\"python_function\"",
                        "\"user_annotation\"",
                        "\"cpu_instant_event\"",
                        "\"gpu_memcpy\"",
                        "\"hip_runtime\"",
                        "PyTorch Profiler",
                        "\"computeMajor\"",
                        "\"aten::",
                        "ProfilerStep#",
                        "\"cuda_profiler_range\"",
                        "\"cuda_sync\"",
                        "\"ac2g\"",
                        "\"cat\": \"kernel\"",
                        "\"cat\":\"kernel\"",
                        "\"cat\": \"Kernel\"",
                        "\"cat\": \"Operator\""})
             ? Sniff::kCertain
             : Sniff::kNo;
}

Status Import(const SourceFile& file, trace::SourceWriter& writer) {
  XSP_TRY(ByteStream stream, ByteStream::Open(file.path));
  return ReadFile(stream, file.path.string(), file.chunk_bytes, writer);
}

}  // namespace

Status ImportKinetoText(std::string text, trace::SourceWriter& writer, std::size_t chunk_bytes) {
  ByteStream stream = ByteStream::OfText(std::move(text));
  return ReadFile(stream, "text", chunk_bytes, writer);
}

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "kineto",
    .summary = "PyTorch profiler (Kineto) trace, JSON or gzip; several files: ranks",
    .clock = ClockDomain::kSession,  // kEpoch with baseTimeNanoseconds.
    .role = Role::kTimeline,
    .priority = 20,  // After XSP's own recordings, which know more of the process.
    .diagnostics = kDiagnostics,
    .unreadable_file = &kDamagedFile,
    .assumed_start = &kUnalignedRank,
    .sniff = SniffKineto,
    .import = Import,
    .complete = Complete,
    .hints = kHints,
};

}  // namespace xsp::importers::kineto
