#ifndef XSP_MEASURE_LIVE_OTLP_SENDER_H_
#define XSP_MEASURE_LIVE_OTLP_SENDER_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "measure/live/otlp_endpoint.h"

namespace httplib {
class ClientImpl;
}

namespace xsp::live {

/// How often a request is tried again.
struct RetryPolicy {
  std::chrono::milliseconds first_wait{1000};  ///< Doubled each time, plus or minus half of it.
  std::chrono::milliseconds longest_wait{30'000};
};

/// Sends requests to a server, each until it is answered: after a failed connection and the replies
/// 429, 502, 503 and 504 it waits (as long as Retry-After says, else ever longer, at random) and
/// tries again, as https://opentelemetry.io/docs/specs/otlp/#otlphttp-response demands. Without an
/// end it does so forever: what is to be sent waits in the recording meanwhile.
///
/// Threading: Send() on one thread; EndAt() and Abort() on any.
class OtlpSender {
 public:
  using Clock = std::chrono::steady_clock;
  struct Reply {
    enum class Kind {
      kAccepted,  ///< By the server, perhaps in part.
      kRefused,   ///< By the server, for good.
      kGaveUp,    ///< The end came before an answer.
    };
    Kind kind;
    std::int64_t rejected_spans = 0;
    std::string problem;  ///< Of what is not accepted, printable and short; empty: nothing.
  };

  explicit OtlpSender(OtlpEndpoint endpoint, RetryPolicy policy = {});
  ~OtlpSender();
  OtlpSender(const OtlpSender&) = delete;
  OtlpSender& operator=(const OtlpSender&) = delete;

  /// `body`: an ExportTraceServiceRequest.
  Reply Send(const std::string& body);

  /// Nothing is tried after `deadline`; what waits for its next try is tried now, unless the server
  /// asked for a pause.
  void EndAt(Clock::time_point deadline);

  /// Ends the request that is under way, and all others.
  void Abort();

  const OtlpEndpoint& endpoint() const { return endpoint_; }

 private:
  struct Attempt;
  void LimitTime();
  Attempt Try(const std::string& body);
  /// False: the end comes before the next try.
  bool Wait(const Attempt& failed, int tries);

  const OtlpEndpoint endpoint_;
  const RetryPolicy policy_;
  std::unique_ptr<httplib::ClientImpl> client_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Clock::time_point deadline_ = Clock::time_point::max();
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_OTLP_SENDER_H_
