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
#include "os/files.h"
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

/// Where the objects that lists ask for lie: an index for each experiment, and of each baseline
/// `.baselines/NAME`, which changes with it.
inline constexpr std::string_view kIndexPrefix = ".index/";
inline constexpr std::string_view kBaselineEnding = ".baseline.json";

/// The key of what tells in the list of `.index/` that the baseline's `file` changed.
std::string BaselineSignOf(std::string_view file);

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

  /// How much a refresh asks for.
  enum class Look {
    kIfOld,  ///< Nothing, if that was done within five seconds.
    kNow,    ///< The list of `.index/`, and that of the root if it is older than five minutes.
    kAtAll,  ///< Both lists, and whether each file of the mirror that lists read is whole.
  };
  Status Refresh(Look look = Look::kIfOld);
  Status FetchFiles(const std::filesystem::path& experiment, const WantedFiles& wanted);
  Result<Pushed> Push();
  Status CheckObjects(bool repair, std::vector<StoreProblem>& problems);

 private:
  /// As last seen: the ETag of each experiment's index, of each baseline's file with a space and
  /// its checksum, and of each baseline's sign under its key.
  using Known = std::map<std::string, std::string>;

  Result<Known> ReadKnown() const;
  Status WriteKnown(const Known& known, os::Durable durable = os::Durable::kNow) const;
  bool IsRootOld() const;
  Result<std::vector<objects::ObjectInfo>> ListIndices(const Known& known);

  struct Change {
    std::string name;
    std::optional<ObjectIndex> index = {};  ///< Nothing: it is not published, or gone.
    std::string etag = {};
    bool is_brought = false;
  };
  /// `root`: nothing if it was not listed.
  Status Bring(const std::optional<objects::ObjectLevel>& root,
               const std::vector<objects::ObjectInfo>& indices, bool read_all);
  std::vector<Change> ChangesOf(const std::optional<objects::ObjectLevel>& root,
                                const std::vector<objects::ObjectInfo>& indices, const Known& known,
                                bool read_all) const;
  bool IsWhole(const std::string& name, bool read_all) const;
  /// What the server has of it now.
  Status Ask(Change& change);
  Status Write(Change& change) const;
  Status BringBaselines(const std::optional<objects::ObjectLevel>& root,
                        const std::vector<objects::ObjectInfo>& indices, Known& known);
  Status BringBaseline(const std::string& file, Known& known);
  /// Nothing: the experiment has no experiment.json yet.
  Result<std::optional<ObjectIndex>> MakeIndexAgain(const std::string& name);

  /// Whether the server writes only where a condition is met, asked once for each mirror. Errors:
  /// kNotPossible: of two that write one name at once, one would be lost there.
  Status CheckConditions();
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
