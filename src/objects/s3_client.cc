#include "objects/s3_client.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <httplib.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

#include "objects/credentials.h"
#include "objects/s3_answers.h"
#include "objects/signature.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/sha256.h"

namespace xsp::objects {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr std::size_t kMaxTextBytes = std::size_t{64} << 20;
constexpr std::size_t kMaxErrorBytes = 1 << 16;
constexpr std::uint64_t kPartBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kMaxParts = 10'000;  // Of S3.
constexpr milliseconds kLongestWait{5000};

struct Call {
  std::string method;
  std::string key;  ///< With the prefix; empty: the bucket.
  Query query = {};
  std::map<std::string, std::string> headers = {};  ///< Names in lower case.
  std::string body = {};
  /// Takes the body of a successful answer; false: it cannot. None: it goes into the reply.
  std::function<bool(const httplib::Response& head, const char* bytes, std::size_t size)> receive =
      {};
};

struct Reply {
  int status = 0;
  std::string body, etag;
  std::string asked_region, region;  ///< The latter: where the server says that the bucket is.
  int failed_tries = 0;  ///< Before the one that was answered: they may have had an effect.
};

bool IsSuccess(int status) { return status >= 200 && status < 300; }

bool IsRetryable(const Reply& reply, const S3Problem& problem) {
  switch (reply.status) {
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      return true;
    case 400:
      return problem.code == "RequestTimeout";
    case 409:
      return problem.code == "ConditionalRequestConflict" || problem.code == "OperationAborted";
    default:
      return false;
  }
}

bool AreKeysOld(const S3Problem& problem) {
  return problem.code == "ExpiredToken" || problem.code == "ExpiredTokenException" ||
         problem.code == "TokenRefreshRequired" || problem.code == "InvalidToken";
}

/// What a server wrote, for a terminal.
std::string Printable(std::string text) {
  constexpr std::size_t kMaxBytes = 300;
  std::erase_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  return text.substr(0, kMaxBytes);
}

Error FileError(std::string_view what, const fs::path& path) {
  return {ErrorKind::kEnvironment, fmt::format("{}: {}: {}", what, path.string(), strerror(errno)),
          errno == ENOSPC ? "Free some space." : ""};
}

/// A hidden file beside its place, which it takes when it is whole.
class PartialFile {
 public:
  explicit PartialFile(const fs::path& place) : place_(place) {
    static std::atomic<int> next = 0;
    path_ = place.parent_path() /
            fmt::format(".{}.part-{}-{}", place.filename().string(), getpid(), next.fetch_add(1));
  }
  ~PartialFile() {
    if (fd_ < 0) return;
    close(fd_);
    unlink(path_.c_str());
  }
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  Status Open() {
    fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    return fd_ < 0 ? Status(FileError("cannot create", path_)) : Status(Ok{});
  }

  bool Append(const char* bytes, std::size_t size) {
    while (size > 0) {
      const ssize_t written = write(fd_, bytes, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      bytes += written;
      size -= static_cast<std::size_t>(written);
      bytes_ += static_cast<std::uint64_t>(written);
    }
    return true;
  }

  bool Restart() {
    bytes_ = 0;
    return ftruncate(fd_, 0) == 0 && lseek(fd_, 0, SEEK_SET) == 0;
  }

  Status Place() {
    if (rename(path_.c_str(), place_.c_str()) != 0) return FileError("cannot write", place_);
    close(std::exchange(fd_, -1));
    return Ok{};
  }

  std::uint64_t bytes() const { return bytes_; }
  Error error() const { return FileError("cannot write", path_); }

 private:
  fs::path place_, path_;
  int fd_ = -1;
  std::uint64_t bytes_ = 0;
};

}  // namespace

class S3Client::Implementation {
 public:
  Implementation(S3Address address, S3Server server, RetryTimes retries)
      : address_(std::move(address)),
        server_(std::move(server)),
        retries_(retries),
        credentials_(server_.region) {}

  const S3Address& address() const { return address_; }
  std::string KeyOf(std::string_view key) const { return address_.prefix + std::string(key); }

  /// The answer to `make()`, called for each try. Not an error: 304, 404 without a missing bucket,
  /// and 412.
  Result<Reply> Send(const std::function<Call()>& make);

  Result<ObjectLevel> List(std::string_view prefix, bool is_of_level, const KeyRange& range = {});

 private:
  using Client = std::unique_ptr<httplib::ClientImpl>;

  S3Server server() {
    const std::lock_guard lock(mutex_);
    return server_;
  }
  Client TakeClient(const S3Server& server);
  /// Of another region, it is connected to another server than is asked now.
  void KeepClient(Client client, const std::string& region) {
    const std::lock_guard lock(mutex_);
    if (region == server_.region) idle_.push_back(std::move(client));
  }
  Status MoveTo(const std::string& region);
  /// Nothing: no answer came, and `why` says so.
  Result<std::optional<Reply>> Try(const Call& call, std::string* why);
  Error Refusal(const Call& call, const Reply& reply, const S3Problem& problem) const;

  const S3Address address_;
  std::mutex mutex_;
  S3Server server_;  ///< Its region may turn out to be another.
  const RetryTimes retries_;
  CredentialSource credentials_;
  std::vector<Client> idle_;
};

S3Client::Implementation::Client S3Client::Implementation::TakeClient(const S3Server& server) {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      Client client = std::move(idle_.back());
      idle_.pop_back();
      return client;
    }
  }
  Client client;
  if (server.is_https) {
    client = std::make_unique<httplib::SSLClient>(server.host, server.port);
    if (const auto bundle = os::Environment("AWS_CA_BUNDLE"))
      client->set_ca_cert_path(bundle->c_str());
  } else {
    client = std::make_unique<httplib::ClientImpl>(server.host, server.port);
  }
  client->set_url_encode(false);  // Paths are encoded as they are signed.
  client->set_keep_alive(true);
  client->set_tcp_nodelay(true);  // Head and body are two writes: else each request waits 40 ms.
  client->set_connection_timeout(std::min<milliseconds>(retries_.timeout, milliseconds(10'000)));
  client->set_read_timeout(retries_.timeout);
  client->set_write_timeout(retries_.timeout);
  return client;
}

Result<std::optional<Reply>> S3Client::Implementation::Try(const Call& call, std::string* why) {
  XSP_TRY(const Credentials keys, credentials_.Get());
  const S3Server server = this->server();
  SignedRequest to_sign{call.method, EncodePath(server.path + call.key), call.query, call.headers,
                        os::Sha256(call.body)};
  to_sign.headers["host"] = server.host_header;
  httplib::Request request;
  request.method = call.method;
  request.path = to_sign.path;
  if (!call.query.empty()) request.path += "?" + EncodeQuery(call.query);
  for (const auto& [name, value] : to_sign.headers) request.headers.emplace(name, value);
  for (const auto& [name, value] :
       SignatureHeaders(to_sign, keys, server.region, "s3", std::chrono::system_clock::now()))
    request.headers.emplace(name, value);
  request.body = call.body;
  httplib::Response head;
  Reply reply;
  bool is_taken = true;
  request.response_handler = [&](const httplib::Response& response) {
    head = response;
    return true;
  };
  request.content_receiver = [&](const char* bytes, std::size_t size, std::uint64_t,
                                 std::uint64_t) {
    if (call.receive && IsSuccess(head.status)) {
      is_taken = call.receive(head, bytes, size);
      return is_taken;
    }
    const std::size_t limit = IsSuccess(head.status) ? kMaxTextBytes : kMaxErrorBytes;
    is_taken = reply.body.size() + size <= limit;
    if (is_taken) reply.body.append(bytes, size);
    return is_taken;
  };
  Client client = TakeClient(server);
  const httplib::Result result = client->send(request);
  if (!is_taken) {
    if (call.receive) return Error{ErrorKind::kInternal, "", ""};  // The caller knows why.
    return Error{ErrorKind::kEnvironment,
                 fmt::format("an object is larger than {} bytes: {}", kMaxTextBytes, call.key), ""};
  }
  if (!result) {
    *why = httplib::to_string(result.error());
    return std::optional<Reply>();
  }
  KeepClient(std::move(client), server.region);
  reply.status = result->status;
  reply.etag = result->get_header_value("ETag");
  reply.asked_region = server.region;
  reply.region = result->get_header_value("x-amz-bucket-region");
  return std::optional(std::move(reply));
}

Status S3Client::Implementation::MoveTo(const std::string& region) {
  const std::lock_guard lock(mutex_);
  if (region == server_.region) return Ok{};
  XSP_TRY(server_, ServerOf(address_.bucket, region));
  idle_.clear();
  return Ok{};
}

Error S3Client::Implementation::Refusal(const Call& call, const Reply& reply,
                                        const S3Problem& problem) const {
  const std::string what =
      fmt::format("{} of {}{}: HTTP status {}{}{}{}", call.method, address_.url(),
                  call.key.empty() ? "" : fmt::format(" ({})", call.key), reply.status,
                  problem.code.empty() ? "" : ", ", Printable(problem.code),
                  problem.message.empty() ? "" : ": " + Printable(problem.message));
  if (problem.code == "NoSuchBucket")
    return {ErrorKind::kBadInput, fmt::format("no such bucket: {}", address_.bucket),
            "Make it first; XSP makes none."};
  if (problem.code == "RequestTimeTooSkewed")
    return {ErrorKind::kEnvironment, what, "This machine's clock is wrong: set it."};
  if (AreKeysOld(problem))
    return {ErrorKind::kNotPossible, what, "The keys have expired: get new ones."};
  if (reply.status == 401 || reply.status == 403)
    return {ErrorKind::kNotPossible, what,
            "The keys may not do this: they need to list, read, write and delete objects there."};
  if (reply.status == 301 || reply.status == 307)
    return {ErrorKind::kEnvironment, what, "Set AWS_REGION to the region of the bucket."};
  return {ErrorKind::kEnvironment, what, ""};
}

Result<Reply> S3Client::Implementation::Send(const std::function<Call()>& make) {
  static thread_local std::mt19937 random{std::random_device()()};
  milliseconds wait = retries_.first_wait;
  bool has_new_keys = false, has_new_region = false;
  std::string last;
  for (int tries = 1;; ++tries) {
    const Call call = make();
    XSP_TRY(std::optional<Reply> reply, Try(call, &last));
    if (reply) {
      reply->failed_tries = tries - 1;
      const int status = reply->status;
      const S3Problem problem = IsSuccess(status) ? S3Problem() : ReadProblem(reply->body);
      const bool is_missing = status == 404 && problem.code != "NoSuchBucket";
      if (IsSuccess(status) || status == 304 || status == 412 || is_missing) return *reply;
      if (AreKeysOld(problem) && !std::exchange(has_new_keys, true)) {
        credentials_.Forget();
        continue;
      }
      // Another thread may have moved meanwhile.
      const bool is_elsewhere = !reply->region.empty() && reply->region != reply->asked_region;
      if (is_elsewhere && !std::exchange(has_new_region, true)) {
        XSP_RETURN_IF_ERROR(MoveTo(reply->region));
        continue;
      }
      if (!IsRetryable(*reply, problem) || tries >= retries_.tries)
        return Refusal(call, *reply, problem);
    } else if (tries >= retries_.tries) {
      const S3Server server = this->server();
      return Error{
          ErrorKind::kEnvironment,
          fmt::format("no answer from {} to {} requests: {}", server.host_header, tries, last),
          "Is the network there, and AWS_ENDPOINT_URL the address of an S3 server?"};
    }
    // Many clients that failed together must not come back together.
    std::uniform_int_distribution<std::int64_t> some(wait.count() / 2, wait.count());
    std::this_thread::sleep_for(milliseconds(some(random)));
    wait = std::min(wait * 2, kLongestWait);
  }
}

S3Client::S3Client(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
S3Client::~S3Client() = default;

Result<std::unique_ptr<S3Client>> S3Client::Open(const S3Address& address, RetryTimes retries) {
  XSP_TRY(S3Server server, ServerOf(address.bucket, DefaultRegion()));
  return std::unique_ptr<S3Client>(
      new S3Client(std::make_unique<Implementation>(address, std::move(server), retries)));
}

const S3Address& S3Client::address() const { return implementation_->address(); }

Result<ObjectLevel> S3Client::Implementation::List(std::string_view prefix, bool is_of_level,
                                                   const KeyRange& range) {
  const std::string whole = KeyOf(prefix);
  ObjectLevel level;
  std::string token;
  bool is_behind = false;  // Keys come in order: what follows lies behind the range, too.
  do {
    XSP_TRY(const Reply reply, Send([&] {
              Call call{.method = "GET", .key = ""};
              call.query = {{"list-type", "2"}, {"encoding-type", "url"}, {"prefix", whole}};
              if (is_of_level) call.query["delimiter"] = "/";
              if (!token.empty()) call.query["continuation-token"] = token;
              if (token.empty() && !range.after.empty())
                call.query["start-after"] = KeyOf(range.after);
              return call;
            }));
    XSP_TRY(ListPage page, ReadListPage(reply.body));
    token = page.next_token;
    for (ListPage::Entry& entry : page.entries) {
      if (!entry.key.starts_with(whole)) continue;
      std::string key = entry.key.substr(address_.prefix.size());
      is_behind = is_behind || (!range.until.empty() && key > range.until);
      // A server may not know where to start.
      if (is_behind || key <= range.after) continue;
      level.objects.push_back({std::move(key), entry.bytes, std::move(entry.etag)});
    }
    for (const std::string& one : page.prefixes)
      if (one.starts_with(whole) && one.ends_with('/'))
        level.folders.push_back(one.substr(whole.size(), one.size() - whole.size() - 1));
  } while (!token.empty() && !is_behind);
  return level;
}

Result<std::vector<ObjectInfo>> S3Client::List(std::string_view prefix, const KeyRange& range) {
  XSP_TRY(ObjectLevel level, implementation_->List(prefix, false, range));
  return std::move(level.objects);
}

Result<ObjectLevel> S3Client::ListLevel(std::string_view prefix) {
  return implementation_->List(prefix, true);
}

Result<std::optional<ObjectText>> S3Client::Get(const std::string& key) {
  XSP_TRY(Reply reply, implementation_->Send([&] {
    return Call{.method = "GET", .key = implementation_->KeyOf(key)};
  }));
  if (!IsSuccess(reply.status)) return std::optional<ObjectText>();
  return std::optional(ObjectText{std::move(reply.body), std::move(reply.etag)});
}

Result<bool> S3Client::GetFile(const std::string& key, const fs::path& path) {
  PartialFile file(path);
  XSP_RETURN_IF_ERROR(file.Open());
  std::string etag;  // Of the object that the file has the beginning of.
  bool is_written = true;
  const auto receive = [&](const httplib::Response& head, const char* bytes, std::size_t size) {
    const bool is_first = etag.empty() || (head.status != 206 && file.bytes() > 0 &&
                                           head.get_header_value("ETag") != etag);
    if (is_first) {
      etag = head.get_header_value("ETag");
      is_written = file.Restart();
    }
    is_written = is_written && file.Append(bytes, size);
    return is_written;
  };
  bool is_changed = false;
  for (;;) {
    const auto reply = implementation_->Send([&] {
      Call call{.method = "GET", .key = implementation_->KeyOf(key)};
      call.receive = receive;
      if (std::exchange(is_changed, false)) etag.clear();
      if (etag.empty()) return call;
      call.headers = {{"range", fmt::format("bytes={}-", file.bytes())}, {"if-match", etag}};
      return call;
    });
    if (!is_written) return file.error();
    if (!reply.ok()) return reply.error();
    if (reply.value().status == 404) return false;
    if (reply.value().status != 412) break;
    is_changed = true;  // Another object meanwhile: from its beginning.
  }
  XSP_RETURN_IF_ERROR(file.Place());
  return true;
}

Result<std::optional<std::string>> S3Client::Put(const std::string& key, std::string_view text,
                                                 const PutCondition& condition) {
  XSP_TRY(const Reply reply, implementation_->Send([&] {
    Call call{.method = "PUT", .key = implementation_->KeyOf(key), .body = std::string(text)};
    if (condition.kind == PutCondition::Kind::kIsNew) call.headers["if-none-match"] = "*";
    if (condition.kind == PutCondition::Kind::kIsStill) call.headers["if-match"] = condition.etag;
    return call;
  }));
  if (IsSuccess(reply.status)) return std::optional(reply.etag);
  // An earlier try whose answer was lost may be what is there now.
  if (reply.failed_tries > 0) {
    XSP_TRY(const std::optional<ObjectText> there, Get(key));
    if (there && there->text == text) return std::optional(there->etag);
  }
  return std::optional<std::string>();
}

Status S3Client::PutFile(const std::string& key, const fs::path& path, const std::string& sha256) {
  std::error_code error;
  const std::uint64_t bytes = fs::file_size(path, error);
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot read {}: {}", path.string(), error.message()), ""};
  if (bytes <= kPartBytes) {
    XSP_TRY(const std::string text, os::ReadFile(path));
    if (os::Sha256(text) != sha256)
      return Error{ErrorKind::kEnvironment,
                   fmt::format("a file changed while it was uploaded: {}", path.string()), ""};
    XSP_TRY(const auto etag, Put(key, text));
    return Ok{};
  }
  const std::string whole_key = implementation_->KeyOf(key);
  XSP_TRY(const Reply begun, implementation_->Send([&] {
    return Call{.method = "POST", .key = whole_key, .query = {{"uploads", ""}}};
  }));
  XSP_TRY(const std::string upload, ReadUploadId(begun.body));
  const auto send_parts = [&]() -> Status {
    const std::uint64_t part_bytes = std::max(kPartBytes, (bytes + kMaxParts - 1) / kMaxParts);
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return FileError("cannot read", path);
    std::string list;
    Status sent = Ok{};
    int number = 1;
    for (std::uint64_t at = 0; at < bytes && sent.ok(); at += part_bytes, ++number) {
      std::string part(static_cast<std::size_t>(std::min(part_bytes, bytes - at)), '\0');
      const ssize_t got = pread(fd, part.data(), part.size(), static_cast<off_t>(at));
      if (got != static_cast<ssize_t>(part.size())) {
        sent = FileError("cannot read", path);
        break;
      }
      const auto reply = implementation_->Send([&] {
        return Call{.method = "PUT",
                    .key = whole_key,
                    .query = {{"partNumber", std::to_string(number)}, {"uploadId", upload}},
                    .body = part};
      });
      if (!reply.ok()) sent = reply.error();
      if (reply.ok())
        list += fmt::format("<Part><PartNumber>{}</PartNumber><ETag>{}</ETag></Part>", number,
                            reply.value().etag);
    }
    close(fd);
    XSP_RETURN_IF_ERROR(sent);
    XSP_TRY(const Reply done, implementation_->Send([&] {
      return Call{.method = "POST",
                  .key = whole_key,
                  .query = {{"uploadId", upload}},
                  .body = "<CompleteMultipartUpload>" + list + "</CompleteMultipartUpload>"};
    }));
    // A failure may come behind the status 200.
    const S3Problem problem = ReadProblem(done.body);
    if (IsSuccess(done.status) && problem.code.empty()) return Ok{};
    return Error{ErrorKind::kEnvironment,
                 fmt::format("the parts of {} were not joined: {}", key, Printable(problem.code)),
                 ""};
  };
  const Status sent = send_parts();
  if (!sent.ok()) {
    // Parts without an object are paid for.
    (void)implementation_->Send([&] {
      return Call{.method = "DELETE", .key = whole_key, .query = {{"uploadId", upload}}};
    });
  }
  return sent;
}

Status S3Client::Remove(const std::string& key) {
  XSP_TRY(const Reply reply, implementation_->Send([&] {
    return Call{.method = "DELETE", .key = implementation_->KeyOf(key)};
  }));
  return Ok{};
}

}  // namespace xsp::objects
