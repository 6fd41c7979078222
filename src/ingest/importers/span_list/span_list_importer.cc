// Imports a span list: the simplest file that any program can write to be seen in XSP.
//
//   #xsp-span_list 1
//   level,type,track,start_ns,duration_ns,name
//   layer,conv2d,main,1000,2500,the first convolution
//
// One span a line; the name is the rest of the line and may hold commas.

#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>

#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/line_reader.h"

namespace xsp::importers::span_list {
namespace {

using trace::Level;
using trace::NewSpan;

constexpr std::string_view kMagic = "#xsp-span_list 1\n";
constexpr DiagnosticSpec kBadLine = {
    "span_list_bad_line",
    "A line was not 'level,type,track,start_ns,duration_ns,name' with a known level and whole "
    "numbers; it was left out. Write one span a line, each ended by a line feed."};
constexpr std::array kDiagnostics = {kBadLine};
constexpr std::size_t kShown = 200;  // Of a line that cannot be read.

std::optional<std::string_view> TakeField(std::string_view& line) {
  const std::size_t comma = line.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const std::string_view field = line.substr(0, comma);
  line.remove_prefix(comma + 1);
  return field;
}

std::optional<std::int64_t> TakeNumber(std::string_view& line) {
  const auto field = TakeField(line);
  if (!field) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(field->data(), field->data() + field->size(), value);
  if (error != std::errc{} || end != field->data() + field->size()) return std::nullopt;
  return value;
}

std::optional<Level> TakeLevel(std::string_view& line) {
  const auto field = TakeField(line);
  for (int i = 0; field && i < trace::kLevelCount; ++i)
    if (ToString(static_cast<Level>(i)) == *field) return static_cast<Level>(i);
  return std::nullopt;
}

class SpanListImporter {
 public:
  explicit SpanListImporter(trace::TraceWriter& writer) : writer_(writer) {}

  void ImportLine(std::string_view line) {
    if (line.empty() || line.front() == '#' || line.starts_with("level,")) return;
    const std::string_view whole = line;
    const auto level = TakeLevel(line);
    const auto type = TakeField(line);
    const auto track = TakeField(line);
    const auto start_ns = TakeNumber(line);
    const auto duration_ns = TakeNumber(line);
    if (!level || !type || !track || !start_ns || !duration_ns || *duration_ns < 0 || line.empty())
      return writer_.Count(kBadLine, whole.substr(0, kShown));
    writer_.AddSpan({.level = *level,
                     .type = *type,
                     .name = line,
                     .track = TrackOf(*track),
                     .start_ns = *start_ns,
                     .duration_ns = *duration_ns});
  }

 private:
  trace::TrackId TrackOf(std::string_view name) {
    const auto [it, is_new] = tracks_.try_emplace(std::string(name), trace::TrackId{0});
    if (is_new)
      it->second = writer_.AddTrack({.kind = trace::TrackKind::kThread, .name = it->first});
    return it->second;
  }

  trace::TraceWriter& writer_;
  std::map<std::string, trace::TrackId, std::less<>> tracks_;
};

Status Import(const SourceFile& file, trace::SourceWriter& writer) {
  XSP_TRY(ByteStream stream, ByteStream::Open(file.path));
  LineReader lines(stream, file.chunk_bytes);
  SpanListImporter importer(writer);
  while (const auto line = lines.Next()) {
    if (lines.is_whole()) {
      importer.ImportLine(*line);
    } else {
      // Every whole line ends in a line feed, so a tail without one was cut off: count, do not
      // guess.
      writer.Count(kBadLine, line->substr(0, kShown));
    }
  }
  if (!stream.damage().empty()) writer.Count(kBadLine, stream.damage());
  return Ok{};
}

}  // namespace

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "span_list",
    .summary = "Span list, one span a line (text)",
    .clock = ClockDomain::kSession,  // Whatever the program that wrote it counts from.
    .role = Role::kTimeline,
    .priority = 30,  // After formats that say more of their spans.
    .diagnostics = kDiagnostics,
    .sniff =
        [](const SniffInput& input) {
          return input.first_bytes().starts_with(kMagic) ? Sniff::kCertain : Sniff::kNo;
        },
    .import = Import,
};

}  // namespace xsp::importers::span_list
