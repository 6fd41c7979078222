#include "store/mirrored_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <utility>

#include "core/json_text.h"
#include "os/files.h"
#include "os/parallel.h"
#include "os/sha256.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;
using objects::ObjectInfo;
using objects::ObjectLevel;

namespace {

constexpr const char* kKnownFile = ".known.json";
constexpr const char* kLockFile = ".lock";
/// An empty file, written when the root of the bucket was listed.
constexpr const char* kRootListedFile = ".root-listed";
constexpr std::chrono::seconds kFresh{5};
constexpr std::chrono::minutes kRootFresh{5};
/// Of experiments: a list of more is asked for in ranges at once.
constexpr std::size_t kLongList = 2000;
constexpr std::size_t kRanges = 8;

/// Ranges that join to all keys, each with about as many of `names`.
std::vector<objects::KeyRange> RangesOf(std::vector<std::string> names) {
  if (names.size() <= kLongList) return {{}};
  std::vector<std::string> keys;
  for (const std::string& name : names) keys.push_back(IndexKeyOf(name));
  std::ranges::sort(keys);  // Not as the names: ".json" comes between.
  std::vector<objects::KeyRange> ranges(kRanges);
  for (std::size_t i = 1; i < kRanges; ++i)
    ranges[i - 1].until = ranges[i].after = keys[i * keys.size() / kRanges];
  return ranges;
}

}  // namespace

MirrorLock::MirrorLock(const fs::path& folder)
    : fd_(open((folder / kLockFile).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  while (fd_ >= 0 && flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
  }
}

MirrorLock::~MirrorLock() {
  if (fd_ >= 0) close(fd_);
}

Result<std::shared_ptr<MirroredStore>> MirroredStore::Of(const fs::path& store) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<MirroredStore>> open;
  const std::optional<std::string> url = MirroredUrl(store);
  if (!url) return std::shared_ptr<MirroredStore>();
  const std::lock_guard lock(mutex);
  std::shared_ptr<MirroredStore>& mirror = open[store.lexically_normal().string()];
  if (!mirror) {
    XSP_TRY(const objects::S3Address address, objects::ParseS3Address(*url));
    XSP_TRY(auto client, objects::S3Client::Open(address));
    mirror = std::make_shared<MirroredStore>(store, *url, std::move(client));
  }
  return mirror;
}

MirroredStore::MirroredStore(fs::path folder, std::string url,
                             std::unique_ptr<objects::S3Client> client)
    : folder_(std::move(folder)), url_(std::move(url)), client_(std::move(client)) {}

Result<MirroredStore::Known> MirroredStore::ReadKnown() const {
  Known known;
  std::error_code error;
  if (!fs::exists(folder_ / kKnownFile, error)) return known;
  XSP_TRY(const std::string text, os::ReadFile(folder_ / kKnownFile));
  const json object = core::ParseJson(text);
  // Damaged: everything is asked for again.
  if (!object.is_object()) return known;
  for (const auto& [name, etag] : object.items())
    if (etag.is_string()) known[name] = etag.get<std::string>();
  return known;
}

Status MirroredStore::WriteKnown(const Known& known, os::Durable durable) const {
  return os::WriteFileAtomically(folder_ / kKnownFile, core::JsonText(json(known)), durable);
}

bool MirroredStore::IsRootOld() const {
  std::error_code error;
  const auto listed = fs::last_write_time(folder_ / kRootListedFile, error);
  if (error) return true;
  const auto age = fs::file_time_type::clock::now() - listed;
  // A clock that was set back says nothing.
  return age > kRootFresh || age < age.zero();
}

Result<std::vector<ObjectInfo>> MirroredStore::ListIndices(const Known& known) {
  std::vector<std::string> names;
  for (const auto& [name, etag] : known) names.push_back(name);
  const std::vector<objects::KeyRange> ranges = RangesOf(std::move(names));
  std::vector<std::vector<ObjectInfo>> parts(ranges.size());
  XSP_RETURN_IF_ERROR(os::ForEachWaiting(ranges.size(), [&](std::size_t i) -> Status {
    XSP_TRY(parts[i], client_->List(kIndexPrefix, ranges[i]));
    return Ok{};
  }));
  std::vector<ObjectInfo> all;
  for (std::vector<ObjectInfo>& part : parts)
    all.insert(all.end(), std::make_move_iterator(part.begin()),
               std::make_move_iterator(part.end()));
  return all;
}

Status MirroredStore::Refresh(Look look) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (look == Look::kIfOld && is_refreshed_ && now - refreshed_ < kFresh) return Ok{};
  XSP_TRY(const Known known, ReadKnown());
  const bool is_root_wanted = look == Look::kAtAll || known.empty() || IsRootOld();
  std::optional<ObjectLevel> root;
  std::vector<ObjectInfo> indices;
  XSP_RETURN_IF_ERROR(os::ForEachWaiting(is_root_wanted ? 2 : 1, [&](std::size_t i) -> Status {
    if (i == 0) {
      XSP_TRY(indices, ListIndices(known));
    } else {
      XSP_TRY(root, client_->ListLevel(""));
    }
    return Ok{};
  }));
  XSP_RETURN_IF_ERROR(Bring(root, indices, look == Look::kAtAll));
  if (root)
    XSP_RETURN_IF_ERROR(
        os::WriteFileAtomically(folder_ / kRootListedFile, "", os::Durable::kLater));
  refreshed_ = std::chrono::steady_clock::now();
  is_refreshed_ = true;
  return Ok{};
}

Status MirroredStore::FetchFiles(const fs::path& experiment, const WantedFiles& wanted) {
  XSP_TRY(const std::string text, os::ReadFile(experiment / kMirroredFile));
  XSP_TRY(const ObjectIndex index, ReadIndex(text));
  const std::string name = experiment.filename().string();
  std::vector<IndexedFile> missing;
  for (const IndexedFile& file : index.files) {
    std::error_code error;
    if (wanted(file.path) && !fs::exists(experiment / file.path, error)) missing.push_back(file);
  }
  return os::ForEachWaiting(missing.size(), [&](std::size_t i) -> Status {
    const IndexedFile& file = missing[i];
    const fs::path place = experiment / file.path;
    const std::string key = fmt::format("{}/{}", name, file.path);
    XSP_RETURN_IF_ERROR(MakeFolder(place.parent_path()));
    // Hidden until it is known to be whole: others may read the experiment.
    const fs::path part = place.parent_path() / TemporaryName(place.filename().string());
    for (int tries = 1;; ++tries) {
      XSP_TRY(const bool is_there, client_->GetFile(key, part));
      if (!is_there)
        return Error{ErrorKind::kBadInput,
                     fmt::format("a file of {} is not in {}: {}", name, url_, file.path),
                     "Was the experiment removed meanwhile? `xsp list` shows what is there."};
      std::error_code error;
      const bool is_whole = fs::file_size(part, error) == file.bytes;
      XSP_TRY(const std::string sum, os::Sha256OfFile(part));
      if (is_whole && (file.sha256.empty() || sum == file.sha256)) {
        XSP_TRY(const bool is_first, MoveIntoPlace(part, place));
        if (!is_first) fs::remove(part, error);
        return Ok{};
      }
      fs::remove(part, error);
      if (tries == 2)
        return Error{ErrorKind::kEnvironment, fmt::format("an object is damaged: {}/{}", url_, key),
                     "It is not what was uploaded. Is there a copy in another store?"};
    }
  });
}

}  // namespace xsp::store
