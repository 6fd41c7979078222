// Imports traces of OpenTelemetry: OTLP as JSON or protobuf (README.md states what becomes what).

#include "ingest/importers/otlp/otlp_importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/otlp/diagnostics.h"
#include "ingest/importers/otlp/json_batch.h"
#include "ingest/importers/otlp/protobuf_batch.h"
#include "ingest/importers/otlp/trace_builder.h"

namespace xsp::importers::otlp {
namespace {

/// Of a protobuf file, which is read whole: the size of a message is limited to this anyway.
constexpr std::size_t kMostProtobufBytes = (std::size_t{1} << 31) - 1;

bool IsOtlpJson(std::string_view prefix) {
  constexpr std::string_view kSpace = " \t\r\n", kKey = "\"resourceSpans\"";
  prefix.remove_prefix(std::min(prefix.find_first_not_of(kSpace), prefix.size()));
  if (!prefix.starts_with('{')) return false;
  prefix.remove_prefix(1);
  prefix.remove_prefix(std::min(prefix.find_first_not_of(kSpace), prefix.size()));
  return prefix.starts_with(kKey);
}

Error NotOtlp(const std::string& file) {
  return {ErrorKind::kBadInput, fmt::format("the file holds no spans of OTLP: {}", file),
          "OTLP/JSON begins with {\"resourceSpans\": [...]}; OTLP protobuf is an "
          "ExportTraceServiceRequest."};
}

/// What is left of a stream.
std::string ReadRest(ByteStream& stream, std::size_t chunk_bytes) {
  std::string text;
  while (text.size() < kMostProtobufBytes) {
    const std::size_t before = text.size();
    text.resize(before + chunk_bytes);
    const std::size_t got = stream.Read(text.data() + before, chunk_bytes);
    text.resize(before + got);
    if (got == 0) break;
  }
  return text;
}

Status Finish(ByteStream& stream, bool is_otlp, const std::string& file, TraceBuilder& builder) {
  if (!is_otlp) return NotOtlp(file);
  if (!stream.damage().empty()) builder.OnFlaw(Flaw::kDamaged, stream.damage());
  builder.Finish();
  return Ok{};
}

Status ReadJson(ByteStream stream, std::size_t chunk_bytes, const std::string& file,
                trace::SourceWriter& writer) {
  TraceBuilder builder(writer);
  const bool is_otlp = ReadJsonBatches(stream, chunk_bytes, builder);
  return Finish(stream, is_otlp, file, builder);
}

Status ReadProtobuf(ByteStream stream, std::size_t chunk_bytes, const std::string& file,
                    trace::SourceWriter& writer) {
  TraceBuilder builder(writer);
  const std::string message = ReadRest(stream, chunk_bytes);
  const bool is_otlp = BeginsAsProtobuf(message) && ReadProtobufBatches(message, builder);
  return Finish(stream, is_otlp, file, builder);
}

Status Import(const SourceFile& file, trace::SourceWriter& writer) {
  XSP_TRY(const std::string prefix, ReadPrefix(file.path, kSniffBytes));
  XSP_TRY(ByteStream stream, ByteStream::Open(file.path));
  const auto read = IsOtlpJson(prefix) ? ReadJson : ReadProtobuf;
  return read(std::move(stream), file.chunk_bytes, file.path.string(), writer);
}

Sniff SniffOtlp(const SniffInput& input) {
  const std::string_view prefix = input.first_bytes();
  return IsOtlpJson(prefix) || BeginsAsProtobuf(prefix) ? Sniff::kCertain : Sniff::kNo;
}

}  // namespace

Status ImportOtlpText(std::string text, trace::SourceWriter& writer, std::size_t chunk_bytes) {
  const auto read = IsOtlpJson(text) ? ReadJson : ReadProtobuf;
  return read(ByteStream::OfText(std::move(text)), chunk_bytes, "text", writer);
}

extern const ImporterSpec kSpec;
constinit const ImporterSpec kSpec = {
    .name = "otlp",
    .summary = "Traces of OpenTelemetry (OTLP as JSON or protobuf), also those that XSP exported",
    .clock = ClockDomain::kEpoch,  // The specification's.
    .role = Role::kTimeline,
    .priority = 30,  // As span lists: formats of profilers say more of their spans.
    .diagnostics = kDiagnosticsOfOtlp,
    .sniff = SniffOtlp,
    .import = Import,
};

}  // namespace xsp::importers::otlp
