// Imports recordings of XSP itself: what src/capture/wire writes inside a measured process. Several
// files are the processes of one execution.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "capture/wire/reader.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/xsp_recording/diagnostics.h"
#include "ingest/importers/xsp_recording/trace_builder.h"

namespace xsp::importers::xsp_recording {
namespace {

using wire::Reader;
using wire::ReadError;

Sniff SniffRecording(std::string_view prefix) {
  const std::string_view magic(wire::kMagic, sizeof wire::kMagic);
  return prefix.starts_with(magic) ? Sniff::kCertain : Sniff::kNo;
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
    writer.Count(diagnostic.name, where.empty() ? file : file + ": " + where, diagnostic.help,
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

Status Import(const Source& source, trace::TraceWriter& writer) {
  // Processes of one boot share CLOCK_MONOTONIC: one offset keeps them aligned to the ns.
  std::map<std::string, std::int64_t> offset_of_boot;
  ReadError first_error;
  std::size_t read = 0;
  for (const auto& path : source.files) {
    ReadError error;
    const std::unique_ptr<Reader> reader = Reader::Open(path.string(), &error);
    if (reader == nullptr) {
      if (source.files.size() == 1) return ToError(std::move(error));
      writer.Count(kSkippedFile.name, error.what, kSkippedFile.help);
      if (first_error.kind == ReadError::Kind::kNone) first_error = std::move(error);
      continue;
    }
    const std::int64_t own_offset_ns = reader->info().realtime_offset_ns;
    const std::int64_t offset_ns =
        reader->info().boot_id.empty()
            ? own_offset_ns
            : offset_of_boot.try_emplace(reader->info().boot_id, own_offset_ns).first->second;
    TraceBuilder builder(*reader, writer, offset_ns);
    reader->Read(builder);
    builder.Finish();
    ReportLosses(*reader, path.filename().string(), writer);
    ++read;
  }
  if (read == 0) return ToError(std::move(first_error));
  writer.SetClockOrigin(trace::ClockOrigin::kEpoch);
  return Ok{};
}

}  // namespace

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "xsp_recording",
    .summary = "Recordings of XSP's own recorder and workers (.xspr)",
    .clock = "CPU time-stamp counter calibrated to CLOCK_MONOTONIC, as ns since 1970",
    .diagnostics = kDiagnostics,
    .sniff = SniffRecording,
    .import = Import,
};

}  // namespace xsp::importers::xsp_recording
