// Imports traces of PyTorch's profiler (Kineto): Chrome JSON with Kineto's categories, of every
// era, plain or gzip. Several files are the ranks of one execution. What becomes of what:
// README.md.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/kineto/diagnostics.h"
#include "ingest/importers/kineto/kineto_importer.h"
#include "ingest/importers/kineto/trace_builder.h"
#include "ingest/importers/trace_event_file.h"

namespace xsp::importers::kineto {
namespace {

// Times since 1970 in microseconds are above this from 2001 on; a machine's uptime is below it for
// thirty years.
constexpr std::int64_t kEpochNs = 1'000'000'000'000'000'000;

constexpr TraceEventDiagnostics kOfTheFile = {kDamagedFile, kCut, kBadText, kTooLarge};

/// One file after it was read, before the files are put on one clock.
struct Rank {
  TraceBuilder builder;
  TraceEventHeader header;

  bool absolute() const {
    return header.base_ns != 0 || (builder.first_ns() && *builder.first_ns() >= kEpochNs);
  }
  std::int64_t start_ns() const { return builder.first_ns().value_or(0) + header.base_ns; }
};

/// Puts all files on one clock: those that know the time of day by it; the others start when the
/// first of these does (or, if none knows it, all together).
void Align(std::vector<Rank>& ranks, trace::TraceWriter& writer) {
  const Rank* first = nullptr;
  for (const Rank& rank : ranks)
    if (rank.absolute() && (first == nullptr || rank.start_ns() < first->start_ns())) first = &rank;
  writer.SetClockOrigin(first != nullptr ? trace::ClockOrigin::kEpoch
                                         : trace::ClockOrigin::kSource);
  for (Rank& rank : ranks) {
    if (rank.absolute() || ranks.size() == 1) {
      rank.builder.Shift(rank.header.base_ns);
      continue;
    }
    writer.Count(kUnalignedRank.name, {}, kUnalignedRank.help);
    rank.builder.Shift((first != nullptr ? first->start_ns() : 0) -
                       rank.builder.first_ns().value_or(0));
  }
}

/// Reads one of the files and adds it to `ranks`. Errors: kBadInput when it holds no events.
Status ReadRank(ByteStream& stream, const std::string& file, std::size_t index, bool several,
                std::size_t chunk_bytes, trace::TraceWriter& writer, std::vector<Rank>& ranks) {
  Rank rank{TraceBuilder(writer, index, several ? fmt::format("file {} ", index) : ""), {}};
  TraceEventReader reader(stream, chunk_bytes, rank.builder, writer, kOfTheFile,
                          several ? fmt::format("file.{}.", index) : "");
  if (!reader.Read())
    return Error{ErrorKind::kBadInput, fmt::format("no array of trace events in: {}", file),
                 "A Kineto trace holds \"traceEvents\"."};
  rank.header = reader.header();
  // Two files that say nothing are two ranks all the same.
  const bool counted = rank.header.rank < 0 && several;
  rank.builder.Finish(counted ? static_cast<std::int64_t>(index) : rank.header.rank);
  ranks.push_back(std::move(rank));
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

/// What is known only of all ranks together.
void Complete(std::vector<Rank>& ranks, trace::TraceWriter& writer) {
  Align(ranks, writer);
  if (RanOnCpu(writer.trace())) writer.SetFact(trace::fact::kOperatorsRanOn, "cpu");
}

Sniff SniffKineto(std::string_view prefix) {
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

Status Import(const Source& source, trace::TraceWriter& writer) {
  return ImportKineto(source, writer, kChunkBytes);
}

}  // namespace

Status ImportKineto(const Source& source, trace::TraceWriter& writer, std::size_t chunk_bytes) {
  const bool several = source.files.size() > 1;
  std::vector<Rank> ranks;
  ranks.reserve(source.files.size());
  Status last_error = Ok{};
  for (std::size_t i = 0; i < source.files.size(); ++i) {
    const std::string& file = source.files[i].string();
    auto stream = ByteStream::Open(file);
    Status read = stream.ok()
                      ? ReadRank(stream.value(), file, i, several, chunk_bytes, writer, ranks)
                      : Status(stream.error());
    if (read.ok()) continue;
    if (several) writer.Count(kDamagedFile.name, read.error().what, kDamagedFile.help);
    last_error = std::move(read);
  }
  if (ranks.empty()) return last_error;
  Complete(ranks, writer);
  return Ok{};
}

Status ImportKinetoText(std::string text, trace::TraceWriter& writer, std::size_t chunk_bytes) {
  ByteStream stream = ByteStream::OfText(std::move(text));
  std::vector<Rank> ranks;
  XSP_RETURN_IF_ERROR(ReadRank(stream, "text", 0, false, chunk_bytes, writer, ranks));
  Complete(ranks, writer);
  return Ok{};
}

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "kineto",
    .summary = "PyTorch profiler (Kineto) trace, JSON or gzip; several files: ranks",
    .clock = "time of day (baseTimeNanoseconds + ts, or ts), us with up to three decimals",
    .diagnostics = kDiagnostics,
    .sniff = SniffKineto,
    .import = Import,
};

}  // namespace xsp::importers::kineto
