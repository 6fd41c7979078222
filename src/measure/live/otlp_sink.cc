#include "measure/live/otlp_sink.h"

#include <algorithm>

namespace xsp::live {
namespace {

/// About what a span takes in a request.
std::size_t SizeOf(const LiveSpan& span) {
  constexpr std::size_t kRest = 200;
  std::size_t bytes = kRest + span.name.size() + span.type.size();
  for (const LiveMetric& metric : span.metrics) bytes += metric.name.size() + 20;
  for (const LiveAttribute& attribute : span.attributes)
    bytes += attribute.key.size() + attribute.value.size() + 20;
  return bytes;
}

}  // namespace

void OtlpSink::Write(LiveBatch& batch) {
  encoder_.AddTracks(batch.tracks);
  counts_.late_details += static_cast<std::int64_t>(batch.late.size());
  const std::span<const LiveSpan> spans(batch.spans);
  for (std::size_t first = 0; first < spans.size();) {
    std::size_t count = 0, bytes = 0;
    while (first + count < spans.size() && count < kRequestSpans && bytes < kRequestBytes)
      bytes += SizeOf(spans[first + count++]);
    Send(spans.subspan(first, count));
    first += count;
  }
}

void OtlpSink::Send(std::span<const LiveSpan> spans) {
  if (!has_given_up_) {
    const OtlpSender::Reply reply = sender_.Send(encoder_.Encode(spans));
    if (!reply.problem.empty()) counts_.NoteProblem(reply.problem);
    if (reply.kind == OtlpSender::Reply::Kind::kAccepted) {
      const auto sent = static_cast<std::int64_t>(spans.size());
      const std::int64_t rejected = std::min(reply.rejected_spans, sent);
      counts_.delivered += sent - rejected;
      // Which ones the server does not say.
      if (rejected > 0) counts_.dropped[spans.front().run] += rejected;
      return;
    }
    has_given_up_ = reply.kind == OtlpSender::Reply::Kind::kGaveUp;
  }
  for (const LiveSpan& span : spans) counts_.Drop(span);
}

}  // namespace xsp::live
