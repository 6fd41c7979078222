#ifndef XSP_MEASURE_LIVE_OTLP_ENCODER_H_
#define XSP_MEASURE_LIVE_OTLP_ENCODER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "measure/live/live_batch.h"

namespace xsp::live {

/// Writes spans as an ExportTraceServiceRequest of OpenTelemetry, in protobuf
/// (https://opentelemetry.io/docs/specs/otlp/), with the attributes of `xsp export --format otlp`.
/// Each run is a resource whose service is EXPERIMENT/RUN, and a trace. One thread.
class OtlpEncoder {
 public:
  /// `session`: unique among all sessions; traces get their ids from it.
  OtlpEncoder(std::string experiment, std::string session)
      : experiment_(std::move(experiment)), session_(std::move(session)) {}

  /// Tracks that spans after this lie on.
  void AddTracks(const std::vector<LiveTrack>& tracks);

  std::string Encode(std::span<const LiveSpan> spans) const;

  /// Of a run: 32 hexadecimal digits.
  std::string TraceId(std::string_view run) const;

 private:
  std::string EncodeSpan(const LiveSpan& span, std::string_view trace_id) const;

  const std::string experiment_, session_;
  std::unordered_map<std::int64_t, LiveTrack> tracks_;
};

/// What a server answers to a request: ExportTraceServiceResponse.partial_success. Bytes that are
/// no such message: nothing is rejected.
struct OtlpPartialSuccess {
  std::int64_t rejected_spans = 0;
  std::string message;
};
OtlpPartialSuccess ReadPartialSuccess(std::string_view response);

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_OTLP_ENCODER_H_
