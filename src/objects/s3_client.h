#ifndef XSP_OBJECTS_S3_CLIENT_H_
#define XSP_OBJECTS_S3_CLIENT_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "objects/s3_address.h"

namespace xsp::objects {

struct ObjectInfo {
  std::string key;  ///< Without the address's prefix.
  std::uint64_t bytes = 0;
  std::string etag;  ///< Of this content; with its quotes.
};

/// Keys of a list, in the order of their bytes; empty: no bound.
struct KeyRange {
  std::string after = {};  ///< Not itself.
  std::string until = {};  ///< Itself, too.
};

struct ObjectLevel {
  std::vector<ObjectInfo> objects;
  std::vector<std::string> folders;  ///< What stands before the next slash of keys.
};

struct ObjectText {
  std::string text, etag;
};

/// When an object is written.
struct PutCondition {
  enum class Kind {
    kAlways,
    kIsNew,    ///< Only if there is no object of this key.
    kIsStill,  ///< Only if the object has the ETag `etag`.
  };
  Kind kind = Kind::kAlways;
  std::string etag = {};
};

struct RetryTimes {
  int tries = 5;
  std::chrono::milliseconds first_wait{200};  ///< Doubled for each further one, up to 5 s.
  std::chrono::milliseconds timeout{30'000};  ///< Without a byte of answer.
};

/// The objects below one address of S3, or of a server that speaks its protocol.
///
/// Lost connections, answers 429, 500, 502, 503 and 504 and requests that the server gave up are
/// tried again; keys that expired are read again, once. A key is relative to the address's prefix.
///
/// Errors of all calls: kEnvironment (no answer, an answer that is an error, a disk that is full),
/// kNotPossible (no keys, no access), kBadInput (no such bucket), each with what to do.
/// Threading: any thread; each call has a connection of its own, which is kept for the next.
class S3Client {
 public:
  static Result<std::unique_ptr<S3Client>> Open(const S3Address& address, RetryTimes retries = {});
  ~S3Client();
  S3Client(const S3Client&) = delete;
  S3Client& operator=(const S3Client&) = delete;

  const S3Address& address() const;

  /// The objects whose key begins with `prefix` and lies in `range`, by key. A server answers 1000
  /// keys at a time, each time from where the last answer ended: several ranges may be asked for at
  /// once.
  Result<std::vector<ObjectInfo>> List(std::string_view prefix, const KeyRange& range = {});

  /// What lies directly below `prefix`, which is empty or ends with a slash.
  Result<ObjectLevel> ListLevel(std::string_view prefix);

  /// A small object, at most 64 MiB. Nothing: there is none.
  Result<std::optional<ObjectText>> Get(const std::string& key);

  /// Writes an object to `path`, by way of a hidden file beside it; a transfer that breaks off goes
  /// on where it stopped. False: there is no such object.
  Result<bool> GetFile(const std::string& key, const std::filesystem::path& path);

  /// Returns the new ETag; nothing: the condition is not met, nothing was written.
  Result<std::optional<std::string>> Put(const std::string& key, std::string_view text,
                                         const PutCondition& condition = {});

  /// Files above 64 MiB go in parts, each tried again by itself. `sha256`: of the file.
  Status PutFile(const std::string& key, const std::filesystem::path& path,
                 const std::string& sha256);

  /// That there is none is no error.
  Status Remove(const std::string& key);

 private:
  class Implementation;
  explicit S3Client(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace xsp::objects

#endif  // XSP_OBJECTS_S3_CLIENT_H_
