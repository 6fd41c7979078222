// POST /v1/traces: a receiver of OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp).

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/serve/routes.h"
#include "core/json_text.h"
#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/importers/otlp/json_batch.h"
#include "ingest/importers/otlp/protobuf_batch.h"
#include "ingest/importers/otlp/span_record.h"

namespace xsp::serve {
namespace {

namespace otlp = importers::otlp;

constexpr std::size_t kLargestBatch = std::size_t{16} << 20;  // After decompression.
constexpr const char* kProtobuf = "application/x-protobuf";
constexpr const char* kJson = "application/json";

/// What a batch holds: counts, and the service that sent it.
class BatchSummary final : public otlp::BatchVisitor {
 public:
  void OnResource(const otlp::Attributes& attributes) override {
    const otlp::AnyValue* name = otlp::Find(attributes, "service.name");
    if (service_.empty() && name != nullptr) service_ = name->text;
  }
  void OnScope(std::string_view, std::string_view) override {}
  void OnSpan(otlp::SpanRecord) override { ++accepted_; }
  void OnFlaw(otlp::Flaw flaw, std::string_view) override {
    if (flaw == otlp::Flaw::kDamaged) {
      is_damaged_ = true;
    } else {
      ++rejected_;
    }
  }

  const std::string& service() const { return service_; }
  std::int64_t accepted() const { return accepted_; }
  std::int64_t rejected() const { return rejected_; }
  bool is_damaged() const { return is_damaged_; }

 private:
  std::string service_;
  std::int64_t accepted_ = 0, rejected_ = 0;
  bool is_damaged_ = false;
};

void PutVarint(std::uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) *out += static_cast<char>((value & 0x7f) | 0x80);
  *out += static_cast<char>(value);
}
void PutBytes(char tag, std::string_view bytes, std::string* out) {
  *out += tag;
  PutVarint(bytes.size(), out);
  *out += bytes;
}

constexpr char kTag1Varint = 0x08, kTag1Bytes = 0x0a, kTag2Bytes = 0x12;

/// An error as the specification wants it: a google.rpc.Status in the encoding of the request.
Reply StatusReply(int status, bool is_json, std::string_view message) {
  Reply reply{.status = status, .content_type = is_json ? kJson : kProtobuf};
  if (is_json) {
    reply.body = core::JsonText(nlohmann::json{{"message", message}});
  } else {
    PutBytes(kTag2Bytes, message, &reply.body);
  }
  constexpr int kTooMany = 503;
  if (status == kTooMany) reply.headers.emplace_back("Retry-After", "30");
  return reply;
}

/// An ExportTraceServiceResponse. Without rejected spans it is empty.
Reply ResponseReply(bool is_json, std::int64_t rejected) {
  Reply reply{.content_type = is_json ? kJson : kProtobuf};
  const std::string_view why =
      "spans without a trace id of 16 bytes, a span id of 8 bytes or a start after 1970";
  if (is_json) {
    reply.body = "{}";
    if (rejected > 0)
      reply.body = core::JsonText(nlohmann::json{
          {"partialSuccess",
           {{"rejectedSpans", fmt::format("{}", rejected)}, {"errorMessage", why}}}});
  } else if (rejected > 0) {
    std::string partial(1, kTag1Varint);
    PutVarint(static_cast<std::uint64_t>(rejected), &partial);
    PutBytes(kTag2Bytes, why, &partial);
    PutBytes(kTag1Bytes, partial, &reply.body);
  }
  return reply;
}

/// Whether the body arrived whole and is short enough; else the reply.
std::optional<Reply> ReadBatch(const Request& request, bool is_json, std::string* batch) {
  bool is_too_large = false;
  const bool is_whole = request.read_body([&](std::string_view piece) {
    is_too_large = batch->size() + piece.size() > kLargestBatch;
    if (!is_too_large) batch->append(piece);
    return !is_too_large;
  });
  if (is_too_large)
    return StatusReply(
        413, is_json,
        fmt::format("the batch is longer than {} bytes: send fewer spans at once", kLargestBatch));
  if (!is_whole) return StatusReply(400, is_json, "the body did not arrive whole");
  return std::nullopt;
}

/// Whether the batch is one. An object without resourceSpans is one without spans, whatever else it
/// has (receivers ignore fields that they do not know), as no bytes are of the other encoding.
bool Summarise(const std::string& batch, bool is_json, BatchSummary* summary) {
  if (!is_json) return otlp::ReadProtobufBatches(batch, *summary) && !summary->is_damaged();
  importers::ByteStream stream = importers::ByteStream::OfText(batch);
  if (otlp::ReadJsonBatches(stream, importers::kReadBytes, *summary)) return !summary->is_damaged();
  const std::size_t first = batch.find_first_not_of(" \t\r\n");
  return first != std::string::npos && batch[first] == '{' && core::IsJson(batch);
}

Reply ReceiveSpans(const ServiceParts& parts, const Request& request) {
  const std::string_view type = request.Header("content-type");
  const bool is_json = type.starts_with(kJson);
  if (!is_json && !type.starts_with(kProtobuf))
    return StatusReply(415, true,
                       "Content-Type is neither application/x-protobuf nor application/json");
  const std::string_view encoding = request.Header("content-encoding");
  if (!encoding.empty() && encoding != "gzip" && encoding != "identity")
    return StatusReply(415, is_json, "Content-Encoding is neither gzip nor identity");
  std::string batch;
  if (auto refused = ReadBatch(request, is_json, &batch)) return *refused;
  BatchSummary summary;
  if (!Summarise(batch, is_json, &summary))
    return StatusReply(400, is_json, "the body is no ExportTraceServiceRequest");
  if (summary.accepted() > 0) {
    const Status stored = parts.otlp.Add(summary.service(), is_json ? "json" : "pb", batch);
    if (!stored.ok()) return StatusReply(503, is_json, stored.error().what);
  }
  return ResponseReply(is_json, summary.rejected());
}

/// Whoever may not send spans.
Reply RefuseSpans(const Request& request, int status, std::string_view what) {
  return StatusReply(status, request.Header("content-type").starts_with(kJson), what);
}

}  // namespace

void AddOtlpRoutes(const ServiceParts& parts, Router* router) {
  router->Add({.method = "POST",
               .pattern = "/v1/traces",
               .role = Role::kMeasure,
               .answer = [&parts](const Request& request) { return ReceiveSpans(parts, request); },
               .refuse = RefuseSpans,
               .reads_body_itself = true});
}

}  // namespace xsp::serve
