// Imports recordings of XSP itself: what src/capture/wire writes inside a measured process. Several
// files are the processes of one execution.

#include <memory>
#include <string>
#include <utility>

#include "capture/wire/reader.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/xsp_recording/diagnostics.h"
#include "ingest/importers/xsp_recording/trace_builder.h"

namespace xsp::importers::xsp_recording {
namespace {

using wire::Reader;
using wire::ReadError;

Sniff SniffRecording(const SniffInput& input) {
  const std::string_view magic(wire::kMagic, sizeof wire::kMagic);
  return input.first_bytes().starts_with(magic) ? Sniff::kCertain : Sniff::kNo;
}

Error ToError(ReadError error) {
  return {ErrorKind::kBadInput, std::move(error.what), std::move(error.hint)};
}

std::int64_t Magnitude(std::int64_t value) {
  return value >= 0 ? value : value == INT64_MIN ? INT64_MAX : -value;
}

void ReportLosses(const Reader& reader, const std::string& file, trace::TraceWriter& writer) {
  const wire::Losses& losses = reader.losses();
  const auto report = [&](const DiagnosticSpec& diagnostic, std::uint64_t count,
                          const std::string& where = {}) {
    if (count == 0) return;
    writer.Count(diagnostic, where.empty() ? file : file + ": " + where,
                 static_cast<std::int64_t>(count));
  };
  report(kUnclosed, losses.is_unclosed ? 1 : 0);
  report(kDropped, losses.dropped);
  report(kTruncated, losses.missing_bytes);
  report(kDamagedBlock, losses.damaged_blocks, losses.first_damage);
  report(kTornRecord, losses.torn_records);
  report(kUnknownRecord, losses.unknown_records);
  report(kUnknownText, losses.unknown_texts);
  report(kLostTrack, losses.unknown_tracks);
  report(kCutText, losses.cut_texts);
  report(kBadTime, losses.bad_times);
  // Slewing by NTP stays far below a millisecond in any run that we measure.
  constexpr std::int64_t kStepNs = 1'000'000;
  const std::int64_t step_ns = Magnitude(losses.realtime_step_ns);
  if (step_ns >= kStepNs) report(kClockMoved, static_cast<std::uint64_t>(step_ns / 1000));
}

Status Import(const SourceFile& file, trace::SourceWriter& writer) {
  ReadError error;
  const std::unique_ptr<Reader> reader = Reader::Open(file.path.string(), &error);
  if (reader == nullptr) return ToError(std::move(error));
  const std::int64_t offset_ns = reader->info().realtime_offset_ns;
  TraceBuilder builder(*reader, writer, offset_ns);
  reader->Read(builder);
  builder.Finish();
  ReportLosses(*reader, file.path.filename().string(), writer);
  writer.SetBoot(reader->info().boot_id, offset_ns);
  // Kernels were replayed for their metrics.
  if (writer.trace().facts.contains("cuda.metrics.asked")) writer.SetRole(Role::kKernelMetrics);
  return Ok{};
}

}  // namespace

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "xsp_recording",
    .summary = "Recordings of XSP's own recorder and workers (.xspr)",
    .clock = ClockDomain::kEpoch,  // The time-stamp counter, by way of CLOCK_MONOTONIC.
    .role = Role::kTimeline,
    .priority = 10,  // First: what the other files are about.
    .diagnostics = kDiagnostics,
    .unreadable_file = &kSkippedFile,
    .sniff = SniffRecording,
    .import = Import,
};

}  // namespace xsp::importers::xsp_recording
