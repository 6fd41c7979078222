// Imports trace events of programs that no other importer knows: Chrome JSON, plain or gzip. What
// becomes of what: README.md.

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/trace_event_file.h"
#include "ingest/importers/trace_event_tracks.h"

namespace xsp::importers::chrome {
namespace {

using trace::SpanId;
using trace::TrackId;

constexpr DiagnosticSpec kDamagedFile = {
    "chrome_damaged_file",
    "The file is compressed and its data is damaged or ends in the middle; events up to there are "
    "kept. Copy it again, or let the program that writes it end by itself."};
constexpr DiagnosticSpec kCut = {
    "chrome_cut",
    "The file ends inside an event or before its closing brackets: all whole events are kept. Let "
    "the program that writes it end by itself."};
constexpr DiagnosticSpec kBadText = {
    "chrome_bad_text",
    "Text that is not JSON was passed over to the next event; the example shows where it began."};
constexpr DiagnosticSpec kTooLarge = {
    "chrome_too_large",
    "An event or value of more than 64 MiB was passed over; it is hardly meant."};
constexpr DiagnosticSpec kBadEvent = {
    "chrome_bad_event",
    "An event lacks its phase, time or name, or one of them is of a wrong type; it was left out."};
constexpr DiagnosticSpec kUnmatchedEnd = {
    "chrome_unmatched_end",
    "An end event (phase E) has no begin event before it on its thread; it was left out."};
constexpr DiagnosticSpec kLeftOut = {
    "chrome_left_out",
    "Asynchronous, object and flow events were left out: ranges of threads, instants and counters "
    "are kept."};

constexpr std::array kDiagnostics = {kDamagedFile, kCut,     kBadText,     kTooLarge,
                                     kBadEvent,    kLeftOut, kUnmatchedEnd};
constexpr TraceEventDiagnostics kOfTheFile = {kDamagedFile, kCut, kBadText, kTooLarge};

/// "forward (/path/net.py:12)", as tracers of Python name functions.
bool IsPythonFunction(std::string_view name) {
  if (!name.ends_with(')')) return false;
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos || colon < 3) return false;
  const std::string_view line = name.substr(colon + 1, name.size() - colon - 2);
  return name.substr(0, colon).ends_with(".py") && !line.empty() &&
         line.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Makes ranges, marks and counters of the events of one file.
class Builder {
 public:
  Builder(trace::TraceWriter& writer, std::string prefix)
      : writer_(writer), tracks_(writer, std::move(prefix)) {}

  void Add(const Event& event) {
    const std::string_view phase = event.phase.text;
    if (phase == "M") {
      tracks_.Name(event);
      return;
    }
    const auto time_ns = MicrosecondsToNs(event.time);
    if (!time_ns || phase.size() != 1) return Count(kBadEvent, event.name.text);
    switch (phase.front()) {
      case 'X':
        return AddRange(event, *time_ns);
      case 'B':
        return Begin(event, *time_ns);
      case 'E':
        return End(event, *time_ns);
      case 'i':
      case 'I':
      case 'R':
        if (!event.name) return Count(kBadEvent, {});
        return writer_.AddMark(tracks_.Thread(event), *time_ns, Unescape(event.name, scratch_));
      case 'C':
        return AddCounters(event, *time_ns);
      default:
        return Count(kLeftOut, fmt::format("phase {}", phase));
    }
  }

  void Finish() { tracks_.Finish(-1); }

 private:
  void Count(const DiagnosticSpec& diagnostic, std::string_view example) {
    constexpr std::size_t kShown = 200;
    writer_.Count(diagnostic, example.substr(0, kShown));
  }

  SpanId AddSpan(const Event& event, std::int64_t start_ns, std::int64_t duration_ns) {
    const std::string_view name = Unescape(event.name, scratch_);
    const SpanId span = writer_.AddSpan(
        {.level = trace::Level::kApplication,
         .type = IsPythonFunction(name) ? trace::type::kPython : trace::type::kRange,
         .name = name,
         .track = tracks_.Thread(event),
         .start_ns = start_ns,
         .duration_ns = duration_ns});
    if (span != 0 && event.arguments.kind == Value::Kind::kObject &&
        event.arguments.text.size() > 2)
      writer_.AddArguments(span, event.arguments.text);
    return span;
  }

  void AddRange(const Event& event, std::int64_t time_ns) {
    const auto duration_ns = MicrosecondsToNs(event.duration);
    if (!event.name || (event.duration && (!duration_ns || *duration_ns < 0)))
      return Count(kBadEvent, event.name.text);
    AddSpan(event, time_ns, duration_ns.value_or(trace::kNeverEnded));
  }

  void Begin(const Event& event, std::int64_t time_ns) {
    if (!event.name) return Count(kBadEvent, {});
    open_[tracks_.Thread(event)].push_back(AddSpan(event, time_ns, trace::kNeverEnded));
  }

  void End(const Event& event, std::int64_t time_ns) {
    auto& open = open_[tracks_.Thread(event)];
    if (open.empty()) return Count(kUnmatchedEnd, event.name.text);
    if (open.back() != 0) writer_.EndSpan(open.back(), time_ns);
    open.pop_back();
  }

  void AddCounters(const Event& event, std::int64_t time_ns) {
    if (!event.name || event.arguments.kind != Value::Kind::kObject)
      return Count(kBadEvent, event.name.text);
    const TrackId track = tracks_.Thread(event);
    const std::string name(Unescape(event.name, scratch_));
    ForEachMember(event.arguments.text, [&](const Value& key, const Value& value) {
      if (const auto number = ToDouble(value))
        writer_.AddCounter(track, name + " " + std::string(key.text), time_ns, *number, "");
    });
  }

  trace::TraceWriter& writer_;
  Tracks tracks_;
  std::map<TrackId, std::vector<SpanId>> open_;  ///< Begun and not ended, the innermost last.
  std::string scratch_;
};

Sniff SniffChrome(const SniffInput& input) {
  return LooksLikeTraceEvents(input.first_bytes()) ? Sniff::kGeneric : Sniff::kNo;
}

Status Import(const SourceFile& file, trace::SourceWriter& writer) {
  XSP_TRY(ByteStream stream, ByteStream::Open(file.path));
  const bool several = writer.is_one_of_several();
  Builder builder(writer, several ? fmt::format("file {} ", writer.file_index()) : "");
  TraceEventReader reader(stream, file.chunk_bytes, builder, writer, kOfTheFile,
                          several ? fmt::format("file.{}.", writer.file_index()) : "");
  const bool has_events = reader.Read();
  if (reader.header().is_own_export) return OwnExportError(file.path.string());
  if (!has_events)
    return Error{ErrorKind::kBadInput,
                 fmt::format("no array of trace events in: {}", file.path.string()),
                 "Such a file is an array of events, or holds \"traceEvents\"."};
  builder.Finish();
  return Ok{};
}

}  // namespace

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "chrome",
    .summary = "Chrome trace events of any program, JSON or gzip: ranges by thread",
    .clock = ClockDomain::kMonotonic,  // VizTracer, Perfetto and Chrome count from the start.
    .role = Role::kRanges,
    .priority = 40,  // Ranges only: after the formats with layers and kernels.
    .diagnostics = kDiagnostics,
    .sniff = SniffChrome,
    .import = Import,
};

}  // namespace xsp::importers::chrome
