#include "app/serve/connection.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace xsp::serve {
namespace {

constexpr std::size_t kBufferBytes = 16 * 1024;
constexpr std::size_t kLingerBytes = 64 << 20;

void TextOf(const sockaddr_storage& address, std::string& ip, int& port) {
  char text[INET6_ADDRSTRLEN] = {};
  if (address.ss_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, &address, sizeof v4);
    inet_ntop(AF_INET, &v4.sin_addr, text, sizeof text);
    port = ntohs(v4.sin_port);
  } else if (address.ss_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, &address, sizeof v6);
    inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof text);
    port = ntohs(v6.sin6_port);
  }
  ip = text;
}

}  // namespace

Connection::Connection(int socket, SSL_CTX* tls, Limits limits, std::function<bool()> is_stopping)
    : socket_(socket),
      limits_(limits),
      is_stopping_(std::move(is_stopping)),
      tls_(tls == nullptr ? nullptr : SSL_new(tls), &SSL_free) {
  // Else a read of TLS waits for the next byte of each record anew.
  fcntl(socket_, F_SETFL, fcntl(socket_, F_GETFL) | O_NONBLOCK);
  if (tls_ != nullptr) SSL_set_fd(tls_.get(), socket_);
}

Connection::~Connection() {
  if (tls_ != nullptr && SSL_is_init_finished(tls_.get()) && !is_ended_) SSL_shutdown(tls_.get());
}

bool Connection::Wait(short events, Clock::time_point until) const {
  // A server that stops is noticed then.
  constexpr std::chrono::milliseconds kSlice{100};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
    const auto slice = std::clamp(left, std::chrono::milliseconds(0), kSlice);
    pollfd poller{socket_, events, 0};
    const int ready = poll(&poller, 1, static_cast<int>(slice.count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
    if (is_stopping_() || Clock::now() >= until) return false;
  }
}

bool Connection::WaitFor(int result, short events, Clock::time_point until) const {
  if (tls_ == nullptr) {
    if (errno == EINTR) return true;
    return (errno == EAGAIN || errno == EWOULDBLOCK) && Wait(events, until);
  }
  const int error = SSL_get_error(tls_.get(), result);
  if (error == SSL_ERROR_WANT_READ) return Wait(POLLIN, until);
  if (error == SSL_ERROR_WANT_WRITE) return Wait(POLLOUT, until);
  return false;
}

bool Connection::Accept() {
  if (tls_ == nullptr) return true;
  const Clock::time_point until = Clock::now() + limits_.head.time;
  for (;;) {
    ERR_clear_error();
    const int result = SSL_accept(tls_.get());
    if (result == 1) return true;
    if (!WaitFor(result, POLLIN, until)) return false;
  }
}

bool Connection::WaitForRequest(std::chrono::seconds time) {
  const bool has_bytes = tls_ != nullptr && SSL_pending(tls_.get()) > 0;
  if (!has_bytes && !Wait(POLLIN, Clock::now() + time)) return false;
  is_in_head_ = true;
  head_bytes_ = head_lines_ = line_bytes_ = 0;
  before_ = 0;
  is_body_of_known_length_ = false;
  body_bytes_ = body_length_ = 0;
  head_ends_ = Clock::now() + limits_.head.time;
  return true;
}

bool Connection::BeginBody(std::size_t bytes) {
  is_body_of_known_length_ = true;
  body_length_ = bytes;
  return buffer_.size() - position_ <= bytes;
}

bool Connection::is_at_end() const {
  return is_body_of_known_length_ && body_bytes_ == body_length_ && position_ == buffer_.size();
}

bool Connection::is_readable() const {
  return position_ < buffer_.size() || (tls_ != nullptr && SSL_pending(tls_.get()) > 0) ||
         Wait(POLLIN, Clock::now() + limits_.timeout);
}

bool Connection::is_writable() const {
  return Wait(POLLOUT, Clock::now() + limits_.timeout) && !HasClientGone();
}

bool Connection::HasClientGone() const {
  // Unread bytes, such as the end of TLS, hide the end of the connection from a read.
  pollfd poller{socket_, POLLRDHUP, 0};
  return poll(&poller, 1, 0) > 0;
}

Connection::Clock::time_point Connection::ReadEnds() const {
  if (is_in_head_) return head_ends_;
  return body_begins_ + limits_.body.time +
         std::chrono::seconds(body_bytes_ / limits_.body.bytes_per_second);
}

ssize_t Connection::Receive(char* bytes, std::size_t size) {
  const Clock::time_point until = std::min(Clock::now() + limits_.timeout, ReadEnds());
  for (;;) {
    if (is_stopping_() || (!is_in_head_ && Clock::now() > ReadEnds())) return -1;
    const int size_for_tls = static_cast<int>(std::min(size, kBufferBytes));
    ERR_clear_error();
    const ssize_t result =
        tls_ == nullptr ? recv(socket_, bytes, size, 0) : SSL_read(tls_.get(), bytes, size_for_tls);
    if (result > 0 || (result == 0 && tls_ == nullptr)) return result;
    if (WaitFor(static_cast<int>(result), POLLIN, until)) continue;
    exceeds_limits_ = is_in_head_ && until == head_ends_;
    return -1;
  }
}

ssize_t Connection::Fill() {
  buffer_.resize(kBufferBytes);
  position_ = 0;
  const ssize_t received = Receive(buffer_.data(), buffer_.size());
  buffer_.resize(received > 0 ? static_cast<std::size_t>(received) : 0);
  return received;
}

/// cpp-httplib reads a head, and the lines between chunks of a body, byte by byte. A head ends with
/// an empty line.
bool Connection::CountInHead(char byte) {
  const bool ends_line = byte == '\n';
  const bool is_empty_line = ends_line && line_bytes_ == 1 && before_ == '\r';
  line_bytes_ = ends_line ? 0 : line_bytes_ + 1;
  before_ = byte;
  if (is_in_head_) {
    ++head_bytes_;
    if (is_empty_line && head_lines_ > 0) {
      is_in_head_ = false;
      body_begins_ = Clock::now();
    } else {
      head_lines_ += ends_line ? 1 : 0;
    }
  }
  // Of the lines of a head, one is no header.
  exceeds_limits_ = head_bytes_ > limits_.head.bytes || head_lines_ > limits_.head.headers + 1 ||
                    line_bytes_ > limits_.head.bytes || (is_in_head_ && Clock::now() > head_ends_);
  return !exceeds_limits_;
}

ssize_t Connection::read(char* bytes, std::size_t size) {
  if (exceeds_limits_) return -1;
  const bool is_of_body = !is_in_head_;
  ssize_t taken = 0;
  if (position_ == buffer_.size() && size >= kBufferBytes && is_of_body) {
    taken = Receive(bytes, size);
    if (taken <= 0) return taken;
  } else {
    if (position_ == buffer_.size())
      if (const ssize_t received = Fill(); received <= 0) return received;
    const std::size_t there = std::min(size, buffer_.size() - position_);
    std::memcpy(bytes, buffer_.data() + position_, there);
    position_ += there;
    taken = static_cast<ssize_t>(there);
  }
  if (is_of_body) body_bytes_ += static_cast<std::size_t>(taken);
  if (size > 1) {
    line_bytes_ = 0;
  } else if (!CountInHead(*bytes)) {
    return -1;
  }
  return taken;
}

ssize_t Connection::Send(const char* bytes, std::size_t size) {
  const Clock::time_point until = Clock::now() + limits_.timeout;
  for (;;) {
    const int size_for_tls = static_cast<int>(std::min<std::size_t>(size, 1 << 20));
    ERR_clear_error();
    const ssize_t result = tls_ == nullptr ? send(socket_, bytes, size, MSG_NOSIGNAL)
                                           : SSL_write(tls_.get(), bytes, size_for_tls);
    if (result > 0) return result;
    if (!WaitFor(static_cast<int>(result), POLLOUT, until)) return -1;
  }
}

ssize_t Connection::write(const char* bytes, std::size_t size) {
  if (exceeds_limits_) return static_cast<ssize_t>(size);
  return size == 0 ? 0 : Send(bytes, size);
}

void Connection::Refuse(std::string_view reply) {
  while (!reply.empty()) {
    const ssize_t sent = Send(reply.data(), reply.size());
    if (sent <= 0) return;
    reply.remove_prefix(static_cast<std::size_t>(sent));
  }
  Linger();
}

void Connection::Linger() {
  if (tls_ != nullptr && SSL_is_init_finished(tls_.get())) SSL_shutdown(tls_.get());
  is_ended_ = true;
  shutdown(socket_, SHUT_WR);
  constexpr std::chrono::seconds kRest{1};
  const Clock::time_point until = Clock::now() + kRest;
  std::vector<char> rest(kBufferBytes);
  std::size_t dropped = 0;
  while (dropped < kLingerBytes && Clock::now() < until && Wait(POLLIN, until)) {
    const ssize_t received = recv(socket_, rest.data(), rest.size(), 0);
    if (received <= 0) return;
    dropped += static_cast<std::size_t>(received);
  }
}

void Connection::get_remote_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getpeername(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0)
    TextOf(address, ip, port);
}

void Connection::get_local_ip_and_port(std::string& ip, int& port) const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0)
    TextOf(address, ip, port);
}

}  // namespace xsp::serve
