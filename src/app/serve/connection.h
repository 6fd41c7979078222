#ifndef XSP_APP_SERVE_CONNECTION_H_
#define XSP_APP_SERVE_CONNECTION_H_

#include <httplib.h>
#include <openssl/ssl.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace xsp::serve {

/// What the head of a request (its first line and its headers) may be. cpp-httplib 0.11 bounds
/// neither the number of headers nor the length of a line that does not end.
struct HeadLimits {
  std::size_t bytes = 32 * 1024;
  std::size_t headers = 100;
  std::chrono::seconds time{30};  ///< From the first byte on, however it trickles in.
};

/// How slowly a body may arrive: `time`, and in it a second more for each so many bytes.
struct BodyLimits {
  std::chrono::seconds time{30};
  std::size_t bytes_per_second = 64 * 1024;
};

/// One connection of a client, with or without TLS, as cpp-httplib reads requests from it. Where
/// the head of a request exceeds its limits, reading fails, and what is written then is dropped.
/// The socket is not closed. Threading: one thread.
class Connection final : public httplib::Stream {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    HeadLimits head;
    BodyLimits body;
    std::chrono::seconds timeout;  ///< Of each wait for the socket.
  };
  /// `tls`: null: none. Outlives this. `is_stopping`: asked often, on this thread; once it is true,
  /// nothing is read and nothing waited for.
  Connection(int socket, SSL_CTX* tls, Limits limits, std::function<bool()> is_stopping);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// The TLS handshake, within the time of a head. True without TLS.
  bool Accept();
  /// Waits for the first byte of a request, for which the limits count anew. False: none came in
  /// time.
  bool WaitForRequest(std::chrono::seconds time);
  /// The head of the present request was read, and a body of so many bytes is to come. Until this
  /// is called, it is unknown where the request ends. False: other bytes are there behind it.
  bool BeginBody(std::size_t bytes);
  /// The present request was read to its end, and nothing else: what comes next is a request.
  bool is_at_end() const;
  /// The head of the present request was too large.
  bool exceeds_limits() const { return exceeds_limits_; }
  /// Sends `reply` where exceeds_limits(), and lingers.
  void Refuse(std::string_view reply);
  /// Ends what is sent, and drops what the client still sends for a moment: a socket that is closed
  /// with unread bytes resets the connection before the reply is read.
  void Linger();

  bool is_readable() const override;
  /// False, too, once the client has closed its side: nobody reads a stream any longer then.
  bool is_writable() const override;
  ssize_t read(char* bytes, std::size_t size) override;
  ssize_t write(const char* bytes, std::size_t size) override;
  void get_remote_ip_and_port(std::string& ip, int& port) const override;
  void get_local_ip_and_port(std::string& ip, int& port) const override;
  socket_t socket() const override { return socket_; }

 private:
  bool Wait(short events, Clock::time_point until) const;
  /// Nothing more to do but to wait: for what `result`, an error of the socket or of TLS, says.
  bool WaitFor(int result, short events, Clock::time_point until) const;
  bool HasClientGone() const;
  ssize_t Receive(char* bytes, std::size_t size);
  ssize_t Fill();
  ssize_t Send(const char* bytes, std::size_t size);
  Clock::time_point ReadEnds() const;
  bool CountInHead(char byte);

  const int socket_;
  const Limits limits_;
  const std::function<bool()> is_stopping_;
  std::unique_ptr<SSL, decltype(&SSL_free)> tls_;
  std::string buffer_;        ///< What was received and not read.
  std::size_t position_ = 0;  ///< Of the next byte in it.
  bool is_in_head_ = true;
  bool exceeds_limits_ = false;
  bool is_ended_ = false;  ///< Nothing more is sent.
  bool is_body_of_known_length_ = false;
  std::size_t body_bytes_ = 0;  ///< That were read of it.
  std::size_t body_length_ = 0;
  std::size_t head_bytes_ = 0, head_lines_ = 0;
  std::size_t line_bytes_ = 0;  ///< Of the line that is being read byte by byte.
  char before_ = 0;             ///< The byte before the present one.
  Clock::time_point head_ends_, body_begins_;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_CONNECTION_H_
