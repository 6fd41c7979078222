#include "measure/live/otlp_sender.h"

#include <fmt/format.h>
#include <httplib.h>
#include <time.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <random>
#include <string_view>
#include <utility>

#include "core/result.h"
#include "core/utf8.h"
#include "measure/live/otlp_encoder.h"

namespace xsp::live {
namespace {

constexpr const char* kProtobuf = "application/x-protobuf";
constexpr std::size_t kMaxReplyBytes = 64 << 10;  // The rest of a longer reply is not read.

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

/// What a server wrote, for a terminal: short, and without control characters.
std::string Printable(std::string_view text) {
  constexpr std::size_t kMaxCharacters = 200;
  std::u32string printable;
  for (std::size_t at = 0; at < text.size() && printable.size() < kMaxCharacters;) {
    const char32_t character = core::NextCharacter(text, at);
    const bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    if (!is_control) printable += character;
  }
  return core::ToUtf8(printable);
}

std::string HttpProblem(const httplib::Response& response) {
  return fmt::format("HTTP status {}{}{}", response.status, response.reason.empty() ? "" : " ",
                     Printable(response.reason));
}

/// cpp-httplib takes no IPv6 address in a URL.
std::unique_ptr<httplib::ClientImpl> ClientOf(const OtlpEndpoint& endpoint) {
  if (endpoint.is_https) return std::make_unique<httplib::SSLClient>(endpoint.host, endpoint.port);
  return std::make_unique<httplib::ClientImpl>(endpoint.host, endpoint.port);
}

std::string Gzip(std::string text) {
  constexpr int kGzipFormat = 16;  // Added to the window's bits (zlib.h, deflateInit2).
  z_stream stream{};
  XSP_CHECK(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipFormat, 8,
                         Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  XSP_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

struct OtlpSender::Attempt {
  bool is_accepted = false, is_retryable = false;
  std::optional<std::chrono::milliseconds> retry_after = {};
  std::int64_t rejected_spans = 0;
  std::string problem = {};
};

OtlpSender::OtlpSender(OtlpEndpoint endpoint, RetryPolicy policy)
    : endpoint_(std::move(endpoint)), policy_(policy), client_(ClientOf(endpoint_)) {
  client_->set_keep_alive(true);
  client_->set_tcp_nodelay(true);  // Head and body are two writes: else each request waits 40 ms.
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
  httplib::Request request;
  request.method = "POST";
  request.path = endpoint_.path;
  request.headers = {{"User-Agent", fmt::format("xsp/{}", XSP_VERSION)},
                     {"Host", endpoint_.server.substr(endpoint_.server.find("://") + 3)},
                     {"Content-Type", kProtobuf}};
  for (const auto& [name, value] : endpoint_.headers) request.headers.emplace(name, value);
  request.body = endpoint_.is_gzip ? Gzip(body) : body;
  if (endpoint_.is_gzip) request.headers.emplace("Content-Encoding", "gzip");
  httplib::Response response;
  std::string reply;
  bool is_too_long = false;
  request.response_handler = [&](const httplib::Response& head) {
    response = head;
    return true;
  };
  request.content_receiver = [&](const char* bytes, std::size_t size, std::uint64_t,
                                 std::uint64_t) {
    is_too_long = size > kMaxReplyBytes - reply.size();
    if (!is_too_long) reply.append(bytes, size);
    return !is_too_long;
  };
  const httplib::Result result = client_->send(request);
  if (!result && !is_too_long)
    return {.is_retryable = true, .problem = ConnectionProblem(result.error())};
  if (result) response = result.value();
  if (response.status >= 200 && response.status < 300) {
    OtlpPartialSuccess partial;
    if (response.get_header_value("Content-Type").starts_with(kProtobuf))
      partial = ReadPartialSuccess(reply);
    return {.is_accepted = true,
            .rejected_spans = std::max<std::int64_t>(partial.rejected_spans, 0),
            .problem = Printable(partial.message)};
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
