#ifndef XSP_MEASURE_LIVE_OTLP_SINK_H_
#define XSP_MEASURE_LIVE_OTLP_SINK_H_

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include "measure/live/live_sink.h"
#include "measure/live/otlp_encoder.h"
#include "measure/live/otlp_sender.h"

namespace xsp::live {

/// Sends spans to an OTLP server, in requests of at most kRequestSpans and about kRequestBytes.
class OtlpSink final : public LiveSink {
 public:
  static constexpr std::size_t kRequestSpans = 512;  ///< As the SDKs of OpenTelemetry do.
  static constexpr std::size_t kRequestBytes = 2 << 20;

  OtlpSink(OtlpEndpoint endpoint, OtlpEncoder encoder, RetryPolicy policy = {})
      : sender_(std::move(endpoint), policy), encoder_(std::move(encoder)) {}

  void Write(LiveBatch& batch) override;
  void EndAt(std::chrono::steady_clock::time_point deadline) override { sender_.EndAt(deadline); }
  void Abort() override { sender_.Abort(); }

 private:
  void Send(std::span<const LiveSpan> spans);

  OtlpSender sender_;
  OtlpEncoder encoder_;
  bool has_given_up_ = false;
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_OTLP_SINK_H_
