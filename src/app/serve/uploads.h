#ifndef XSP_APP_SERVE_UPLOADS_H_
#define XSP_APP_SERVE_UPLOADS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "app/serve/message.h"
#include "core/result.h"

namespace xsp::serve {

/// Files that users have sent, to be imported: each in a folder of its own below one folder, until
/// it was imported, at most a day. Threading: any thread.
class Uploads {
 public:
  /// `most_bytes`: of all files together.
  using Clock = std::chrono::steady_clock;
  Uploads(std::filesystem::path folder, std::int64_t most_bytes,
          std::function<Clock::time_point()> now = &Clock::now);

  struct Upload {
    std::string reference;  ///< "upload:ID", which requests name it by.
    std::string name;       ///< Of the file: what of the user's name is safe.
    std::int64_t bytes = 0;
  };

  /// Writes the request's body to disk as it arrives. `length`: what the request says of it; 0:
  /// unknown. Errors: kEnvironment (no space; more than all uploads may have), kBadInput (it did
  /// not arrive whole). Nothing is left of it then.
  Result<Upload> Receive(const std::string& name, const Request& request, std::int64_t length);

  /// Moves a file of ours, on the same disk, to the uploads; it is removed as they are. Errors:
  /// kEnvironment.
  Result<Upload> Adopt(const std::filesystem::path& file);

  /// The file that a reference names. Errors: kBadInput (there is none).
  Result<std::filesystem::path> FileOf(std::string_view reference) const;

  /// Removes the file that a reference names, if there is one.
  void Remove(std::string_view reference);

  const std::filesystem::path& folder() const { return folder_; }

 private:
  Status Reserve(std::int64_t bytes);
  void Release(std::int64_t bytes);
  bool IsOld(const std::filesystem::path& folder);
  void RemoveOld();
  Result<std::int64_t> Write(const std::filesystem::path& file, const Request& request);
  Result<std::int64_t> WriteInto(const std::filesystem::path& folder, const std::string& name,
                                 const Request& request);
  void SetReceived(const std::string& id, std::optional<Clock::time_point> when);

  const std::filesystem::path folder_;
  const std::int64_t most_bytes_;
  const std::function<Clock::time_point()> now_;
  std::mutex mutex_;
  /// When this process received an upload: a step of the system's clock makes none of them old.
  /// The end of time while it arrives.
  std::map<std::string, Clock::time_point, std::less<>> received_;
  std::int64_t bytes_ = 0;  ///< Of all files, and of what arrives.
};

/// Whether a text has the form of a reference.
bool IsUploadReference(std::string_view text);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_UPLOADS_H_
