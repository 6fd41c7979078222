#ifndef XSP_OBJECTS_S3_SERVER_TESTING_H_
#define XSP_OBJECTS_S3_SERVER_TESTING_H_

#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "objects/signature.h"
#include "os/sha256.h"

namespace xsp::objects {

/// For tests: a server on loopback with one bucket, "bucket", in memory, of as much of S3's
/// protocol as we use, and with its faults. While it lives, the environment leads to it.
/// tests/s3_test.py does the same with a server that others wrote.
class S3ServerForTests {
 public:
  S3ServerForTests() {
    const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
      Handle(request, response);
    };
    server_.Get(".*", handle);
    server_.Put(".*", handle);
    server_.Post(".*", handle);
    server_.Delete(".*", handle);
    // A connection that is kept holds a thread.
    server_.new_task_queue = [] { return new httplib::ThreadPool(48); };
    server_.set_keep_alive_timeout(1);
    server_.set_tcp_nodelay(true);
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    setenv("AWS_ENDPOINT_URL", fmt::format("http://127.0.0.1:{}", port_).c_str(), 1);
    setenv("AWS_ACCESS_KEY_ID", "key", 1);
    setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
    setenv("AWS_REGION", "us-east-1", 1);
  }
  ~S3ServerForTests() {
    server_.stop();
    thread_.join();
  }

  struct Object {
    std::string bytes, etag;
  };
  struct Answer {
    int status;
    std::string code;
    std::string region = {};  ///< That the bucket is in; empty: not said.
  };

  /// As servers that know no conditions of writes, such as versitygw 1.0.
  std::atomic<bool> ignores_conditions = false;

  /// Called with each request before it is served, under a lock; an answer is given instead, and
  /// status 0 breaks the connection off.
  std::function<std::optional<Answer>(const httplib::Request&)> fault;
  /// Bytes after which the body of a GET breaks off, once each; 0: none.
  std::vector<std::size_t> breaks;
  std::size_t page = 1000;
  bool knows_start_after = true;
  /// Keys that lists leave out.
  std::function<bool(const std::string& key)> is_unlisted = [](const std::string&) {
    return false;
  };

  std::map<std::string, Object> objects() {
    const std::lock_guard lock(mutex_);
    return objects_;
  }
  void Set(const std::string& key, const std::string& bytes) {
    const std::lock_guard lock(mutex_);
    objects_[key] = {bytes, NewEtag(bytes)};
  }
  void Erase(const std::string& key) {
    const std::lock_guard lock(mutex_);
    objects_.erase(key);
  }
  int requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  static std::string NewEtag(const std::string& bytes) {
    return "\"" + os::Sha256(bytes).substr(0, 32) + "\"";
  }

  static void Refuse(httplib::Response& response, int status, const std::string& code) {
    response.status = status;
    if (status == 412) return;  // The library would cut the body to the range that is asked for.
    response.set_content(fmt::format("<?xml version=\"1.0\"?><Error><Code>{}</Code><Message>of a "
                                     "test</Message></Error>",
                                     code),
                         "application/xml");
  }

  void Handle(const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard lock(mutex_);
    ++requests_;
    if (fault) {
      if (const auto answer = fault(request)) {
        if (!answer->region.empty()) response.set_header("x-amz-bucket-region", answer->region);
        if (answer->status != 0) return Refuse(response, answer->status, answer->code);
        // A body that is announced and does not come.
        response.set_content_provider(
            1000, "text/plain", [](std::size_t, std::size_t, httplib::DataSink&) { return false; });
        return;
      }
    }
    const std::string root = "/bucket/";
    if (!request.path.starts_with(root)) return Refuse(response, 404, "NoSuchBucket");
    if (!request.has_header("Authorization")) return Refuse(response, 403, "AccessDenied");
    const std::string key = request.path.substr(root.size());
    if (request.method == "GET" && key.empty()) return ListObjects(request, response);
    if (request.method == "GET") return GetObject(key, request, response);
    if (request.method == "PUT") return PutObject(key, request, response);
    if (request.method == "POST") return Multipart(key, request, response);
    objects_.erase(key);
    response.status = 204;
  }

  void GetObject(const std::string& key, const httplib::Request& request,
                 httplib::Response& response) {
    const auto found = objects_.find(key);
    if (found == objects_.end()) return Refuse(response, 404, "NoSuchKey");
    const Object object = found->second;
    const std::string wanted = request.get_header_value("If-Match");
    if (!wanted.empty() && wanted != object.etag)
      return Refuse(response, 412, "PreconditionFailed");
    response.set_header("ETag", object.etag);
    if (breaks.empty() || breaks.front() >= object.bytes.size()) {
      response.set_content(object.bytes, "binary/octet-stream");  // Ranges are the library's.
      return;
    }
    const std::size_t first = request.ranges.empty() ? 0 : request.ranges[0].first;
    const std::size_t end = breaks.front();
    breaks.erase(breaks.begin());
    response.set_content_provider(
        object.bytes.size(), "binary/octet-stream",
        [bytes = object.bytes, first, end](std::size_t offset, std::size_t length,
                                           httplib::DataSink& sink) {
          if (offset >= first + end) return false;
          return sink.write(bytes.data() + offset, std::min(length, first + end - offset));
        });
  }

  void PutObject(const std::string& key, const httplib::Request& request,
                 httplib::Response& response) {
    if (request.get_header_value("x-amz-content-sha256") != os::Sha256(request.body))
      return Refuse(response, 400, "XAmzContentSHA256Mismatch");
    const auto found = objects_.find(key);
    const std::string still = request.get_header_value("If-Match");
    const bool is_refused =
        !ignores_conditions &&
        ((request.get_header_value("If-None-Match") == "*" && found != objects_.end()) ||
         (!still.empty() && (found == objects_.end() || found->second.etag != still)));
    if (is_refused) return Refuse(response, 412, "PreconditionFailed");
    if (request.has_param("partNumber")) {
      parts_[request.get_param_value("uploadId")]
            [std::stoi(request.get_param_value("partNumber"))] = request.body;
      response.set_header("ETag", NewEtag(request.body));
      return;
    }
    objects_[key] = {request.body, NewEtag(request.body)};
    response.set_header("ETag", objects_[key].etag);
  }

  void Multipart(const std::string& key, const httplib::Request& request,
                 httplib::Response& response) {
    if (request.has_param("uploads")) {
      const std::string id = std::to_string(++uploads_);
      parts_[id];
      response.set_content("<InitiateMultipartUploadResult><UploadId>" + id +
                               "</UploadId></InitiateMultipartUploadResult>",
                           "application/xml");
      return;
    }
    std::string bytes;
    for (const auto& [number, part] : parts_[request.get_param_value("uploadId")]) bytes += part;
    objects_[key] = {bytes, NewEtag(bytes)};
    response.set_content("<CompleteMultipartUploadResult/>", "application/xml");
  }

  void ListObjects(const httplib::Request& request, httplib::Response& response) {
    const std::string prefix = request.get_param_value("prefix");
    std::string after = request.get_param_value("continuation-token");
    if (after.empty() && knows_start_after) after = request.get_param_value("start-after");
    const bool is_level = request.has_param("delimiter");
    std::string body, last;
    std::size_t count = 0;
    bool is_truncated = false;
    std::string folder;
    for (const auto& [key, object] : objects_) {
      if (!key.starts_with(prefix) || key <= after || is_unlisted(key)) continue;
      if (!after.empty() && after.ends_with('/') && key.starts_with(after)) continue;
      const std::size_t slash = is_level ? key.find('/', prefix.size()) : std::string::npos;
      if (slash != std::string::npos && key.substr(0, slash + 1) == folder) continue;
      if (count == page) {
        is_truncated = true;
        break;
      }
      ++count;
      if (slash == std::string::npos) {
        last = key;
        body += fmt::format("<Contents><Key>{}</Key><Size>{}</Size><ETag>{}</ETag></Contents>",
                            EncodePath(key), object.bytes.size(), object.etag);
      } else {
        last = folder = key.substr(0, slash + 1);
        body +=
            fmt::format("<CommonPrefixes><Prefix>{}</Prefix></CommonPrefixes>", EncodePath(folder));
      }
    }
    response.set_content(
        fmt::format("<?xml version=\"1.0\"?><ListBucketResult><IsTruncated>{}</IsTruncated>"
                    "<NextContinuationToken>{}</NextContinuationToken>{}</ListBucketResult>",
                    is_truncated, is_truncated ? last : "", body),
        "application/xml");
  }

  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
  std::mutex mutex_;
  std::map<std::string, Object> objects_;
  std::map<std::string, std::map<int, std::string>> parts_;
  int uploads_ = 0, requests_ = 0;
};

}  // namespace xsp::objects

#endif  // XSP_OBJECTS_S3_SERVER_TESTING_H_
