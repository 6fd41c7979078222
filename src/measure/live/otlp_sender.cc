#include "measure/live/otlp_sender.h"

#include <fmt/format.h>
#include <httplib.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <random>
#include <utility>

#include "measure/live/otlp_encoder.h"

namespace xsp::live {
namespace {

constexpr const char* kProtobuf = "application/x-protobuf";

/// Seconds, or a date; none: no Retry-After that can be read.
std::optional<std::chrono::milliseconds> RetryAfter(const httplib::Response& response) {
  const std::string text = response.get_header_value("Retry-After");
  if (text.empty()) return std::nullopt;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) {
    struct tm date = {};
    if (strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date) == nullptr) return std::nullopt;
    seconds = timegm(&date) - time(nullptr);
  }
  constexpr std::int64_t kDayS = 86'400;
  return std::chrono::seconds(std::clamp<std::int64_t>(seconds, 0, kDayS));
}

bool IsRetryable(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

std::string ConnectionProblem(httplib::Error error) {
  switch (error) {
    case httplib::Error::Connection:
      return "the server cannot be reached";
    case httplib::Error::Read:
      return "the server did not answer, or not in time";
    default:
      return fmt::format("no answer: {}", httplib::to_string(error));
  }
}

std::string HttpProblem(const httplib::Response& response) {
  return fmt::format("HTTP status {}{}{}", response.status, response.reason.empty() ? "" : " ",
                     response.reason);
}

}  // namespace

struct OtlpSender::Attempt {
  bool is_accepted = false, is_retryable = false;
  std::optional<std::chrono::milliseconds> retry_after = {};
  std::int64_t rejected_spans = 0;
  std::string problem = {};
};

OtlpSender::OtlpSender(OtlpEndpoint endpoint, RetryPolicy policy)
    : endpoint_(std::move(endpoint)),
      policy_(policy),
      client_(std::make_unique<httplib::Client>(endpoint_.server)) {
  client_->set_keep_alive(true);
  client_->set_tcp_nodelay(true);  // Head and body are two writes: else each request waits 40 ms.
  client_->set_compress(endpoint_.is_gzip);
  if (!endpoint_.certificate.empty()) client_->set_ca_cert_path(endpoint_.certificate);
}
OtlpSender::~OtlpSender() = default;

OtlpSender::Reply OtlpSender::Send(const std::string& body) {
  for (int tries = 1;; ++tries) {
    {
      const std::lock_guard lock(mutex_);
      if (Clock::now() >= deadline_)
        return {Reply::Kind::kGaveUp, 0, "no time was left when the program had ended"};
    }
    Attempt attempt = Try(body);
    if (attempt.is_accepted)
      return {Reply::Kind::kAccepted, attempt.rejected_spans, std::move(attempt.problem)};
    if (!attempt.is_retryable) return {Reply::Kind::kRefused, 0, std::move(attempt.problem)};
    if (!Wait(attempt, tries)) return {Reply::Kind::kGaveUp, 0, std::move(attempt.problem)};
  }
}

void OtlpSender::LimitTime() {
  auto limit = endpoint_.timeout;
  {
    const std::lock_guard lock(mutex_);
    if (deadline_ != Clock::time_point::max())
      limit = std::clamp(
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()),
          std::chrono::milliseconds(1), limit);
  }
  client_->set_connection_timeout(limit);
  client_->set_read_timeout(limit);
  client_->set_write_timeout(limit);
}

OtlpSender::Attempt OtlpSender::Try(const std::string& body) {
  LimitTime();
  httplib::Headers headers = {{"User-Agent", fmt::format("xsp/{}", XSP_VERSION)}};
  for (const auto& [name, value] : endpoint_.headers) headers.emplace(name, value);
  const httplib::Result result = client_->Post(endpoint_.path, headers, body, kProtobuf);
  if (!result) return {.is_retryable = true, .problem = ConnectionProblem(result.error())};
  const httplib::Response& response = result.value();
  if (response.status >= 200 && response.status < 300) {
    OtlpPartialSuccess partial;
    if (response.get_header_value("Content-Type").starts_with(kProtobuf))
      partial = ReadPartialSuccess(response.body);
    return {.is_accepted = true,
            .rejected_spans = std::max<std::int64_t>(partial.rejected_spans, 0),
            .problem = std::move(partial.message)};
  }
  return {.is_retryable = IsRetryable(response.status),
          .retry_after = RetryAfter(response),
          .problem = HttpProblem(response)};
}

bool OtlpSender::Wait(const Attempt& failed, int tries) {
  static thread_local std::mt19937 random{std::random_device()()};
  std::chrono::milliseconds wait = policy_.first_wait;
  for (int doubled = 1; doubled < tries && wait < policy_.longest_wait; ++doubled) wait *= 2;
  wait = std::min(wait, policy_.longest_wait);
  const double jitter = std::uniform_real_distribution(0.5, 1.5)(random);
  const auto until =
      Clock::now() + failed.retry_after.value_or(std::chrono::milliseconds(
                         static_cast<std::int64_t>(static_cast<double>(wait.count()) * jitter)));
  std::unique_lock lock(mutex_);
  const bool had_end = deadline_ != Clock::time_point::max();
  while (Clock::now() < until) {
    const bool must_wait = had_end || failed.retry_after.has_value();
    if (must_wait && until >= deadline_) return false;
    // The end came meanwhile: what is to be sent has one more try at once.
    if (!must_wait && deadline_ != Clock::time_point::max()) break;
    changed_.wait_until(lock, until);
  }
  return Clock::now() < deadline_;
}

void OtlpSender::EndAt(Clock::time_point deadline) {
  const std::lock_guard lock(mutex_);
  deadline_ = deadline;
  changed_.notify_all();
}

void OtlpSender::Abort() {
  EndAt(Clock::now());
  client_->stop();
}

}  // namespace xsp::live
