#ifndef XSP_STORE_MIRRORED_STORE_H_
#define XSP_STORE_MIRRORED_STORE_H_

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "objects/s3_client.h"
#include "store/mirror.h"
#include "store/object_index.h"
#include "store/store_check.h"

namespace xsp::store {

/// The file of a mirrored experiment that says what the server has of it: its index.
inline constexpr std::string_view kMirroredFile = ".mirrored.json";
/// The file of a mirror that says of which store it is one.
inline constexpr std::string_view kMirrorFile = ".mirror.json";
/// The folder of a mirror with an empty file for each experiment that the user removed.
inline constexpr std::string_view kRemovedFolder = ".removed";

/// Calls `work` with 0 ... count - 1 on several threads, of which each waits for the server most of
/// the time. After the first error no new call begins; that error is returned.
Status ForEachObject(std::size_t count, const std::function<Status(std::size_t)>& work);

/// Writes experiment.json and the index into the folder of an experiment, which is made.
Status WriteMirrored(const std::filesystem::path& folder, const ObjectIndex& index);

/// Holds a folder of the mirror against other processes while its files change together.
class MirrorLock {
 public:
  explicit MirrorLock(const std::filesystem::path& folder);
  ~MirrorLock();
  MirrorLock(const MirrorLock&) = delete;
  MirrorLock& operator=(const MirrorLock&) = delete;

 private:
  const int fd_;
};

/// A mirror and its server. One for each mirror in a process.
class MirroredStore {
 public:
  /// Null: `store` is no mirror. Errors: as S3Client::Open(), and kBadInput (its file is damaged).
  static Result<std::shared_ptr<MirroredStore>> Of(const std::filesystem::path& store);

  MirroredStore(std::filesystem::path folder, std::string url,
                std::unique_ptr<objects::S3Client> client);

  Status Refresh(bool at_once = false);
  Status FetchFiles(const std::filesystem::path& experiment, const WantedFiles& wanted);
  Result<Pushed> Push();
  Status CheckObjects(bool repair, std::vector<StoreProblem>& problems);

 private:
  /// The ETag of each experiment's index, and of each baseline's file with a space and its
  /// checksum, as last seen.
  using Known = std::map<std::string, std::string>;

  Result<Known> ReadKnown() const;
  Status WriteKnown(const Known& known) const;

  Status Bring(const objects::ObjectLevel& root, const std::vector<objects::ObjectInfo>& indices);
  Status BringBaselines(const objects::ObjectLevel& root, Known& known);
  /// Nothing: the experiment has no experiment.json yet.
  Result<std::optional<ObjectIndex>> MakeIndexAgain(const std::string& name);

  Status PushNew(std::string name, Pushed& pushed);
  Status PushChanged(const std::string& name);
  Status PushRemoved(const std::string& name);
  Status PushBaselines();
  /// The ETag of the claim; nothing: the name is taken.
  Result<std::optional<std::string>> Claim(const std::string& name);
  Status Publish(const std::string& name, const std::string& claim);

  const std::filesystem::path folder_;
  const std::string url_;
  const std::unique_ptr<objects::S3Client> client_;
  std::mutex mutex_;  ///< Of one refresh or push at a time.
  std::chrono::steady_clock::time_point refreshed_ = {};
  bool is_refreshed_ = false;
};

}  // namespace xsp::store

#endif  // XSP_STORE_MIRRORED_STORE_H_
