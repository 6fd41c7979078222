#include "store/mirrored_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <utility>

#include "core/clock_text.h"
#include "os/files.h"
#include "os/sha256.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;
using objects::ObjectInfo;
using objects::ObjectLevel;
using objects::ObjectText;

namespace {

constexpr std::string_view kIndexPrefix = ".index/";
constexpr std::string_view kJson = ".json";
constexpr std::string_view kBaseline = ".baseline.json";
constexpr const char* kKnownFile = ".known.json";
constexpr const char* kLockFile = ".lock";
constexpr std::size_t kConnections = 16;
constexpr std::chrono::seconds kFresh{5};

std::atomic<int> next_part = 0;

bool IsExperimentName(std::string_view name) { return !name.empty() && SafeName(name) == name; }

/// "NAME" of ".index/NAME.json"; empty: it is none.
std::string NameOfIndex(std::string_view key) {
  if (!key.starts_with(kIndexPrefix) || !key.ends_with(kJson)) return {};
  key.remove_prefix(kIndexPrefix.size());
  key.remove_suffix(kJson.size());
  return IsExperimentName(key) ? std::string(key) : std::string();
}

Status WriteText(const fs::path& file, std::string_view text) {
  return os::WriteFileAtomically(file, text);
}

}  // namespace

Status ForEachObject(std::size_t count, const std::function<Status(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Status first = Ok{};
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      const Status done = work(i);
      if (done.ok()) continue;
      const std::lock_guard lock(mutex);
      if (first.ok()) first = done;
      next = count;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min(count, kConnections); ++i) threads.emplace_back(run);
  run();
  for (std::thread& thread : threads) thread.join();
  return first;
}

Status WriteMirrored(const fs::path& folder, const ObjectIndex& index) {
  XSP_RETURN_IF_ERROR(MakeFolder(folder));
  XSP_RETURN_IF_ERROR(WriteText(folder / "experiment.json", index.experiment));
  return WriteText(folder / kMirroredFile, IndexText(index));
}

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
  const json object = json::parse(text, nullptr, false);
  // Damaged: everything is asked for again.
  if (!object.is_object()) return known;
  for (const auto& [name, etag] : object.items())
    if (etag.is_string()) known[name] = etag.get<std::string>();
  return known;
}

Status MirroredStore::WriteKnown(const Known& known) const {
  return WriteText(folder_ / kKnownFile, json(known).dump());
}

Status MirroredStore::Refresh(bool at_once) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (!at_once && is_refreshed_ && now - refreshed_ < kFresh) return Ok{};
  ObjectLevel root;
  std::vector<ObjectInfo> indices;
  XSP_RETURN_IF_ERROR(ForEachObject(2, [&](std::size_t i) -> Status {
    if (i == 0) {
      XSP_TRY(root, client_->ListLevel(""));
    } else {
      XSP_TRY(indices, client_->List(kIndexPrefix));
    }
    return Ok{};
  }));
  XSP_RETURN_IF_ERROR(Bring(root, indices));
  refreshed_ = std::chrono::steady_clock::now();
  is_refreshed_ = true;
  return Ok{};
}

Status MirroredStore::Bring(const ObjectLevel& root, const std::vector<ObjectInfo>& indices) {
  const MirrorLock lock(folder_);
  XSP_TRY(Known known, ReadKnown());
  std::map<std::string, std::string> there;  // Name to ETag.
  for (const ObjectInfo& one : indices)
    if (const std::string name = NameOfIndex(one.key); !name.empty()) there[name] = one.etag;

  struct Change {
    std::string name;
    std::optional<ObjectIndex> index;  ///< Nothing: it is not published, or gone.
    std::string etag;
  };
  std::vector<Change> changes;
  std::error_code error;
  for (const auto& [name, etag] : there) {
    const auto seen = known.find(name);
    const bool is_here = fs::exists(folder_ / name / kMirroredFile, error);
    if (seen == known.end() || seen->second != etag || !is_here) changes.push_back({name, {}, {}});
  }
  // A list may lag behind: what is not in it is asked for by name.
  for (const auto& [name, etag] : known)
    if (!there.contains(name) && !name.ends_with(kBaseline)) changes.push_back({name, {}, {}});
  for (const std::string& name : root.folders)
    if (IsExperimentName(name) && !there.contains(name) && !known.contains(name))
      changes.push_back({name, {}, {}});

  XSP_RETURN_IF_ERROR(ForEachObject(changes.size(), [&](std::size_t i) -> Status {
    Change& change = changes[i];
    XSP_TRY(const std::optional<ObjectText> text, client_->Get(IndexKeyOf(change.name)));
    bool is_claimed = false;
    if (text) {
      auto index = ReadIndex(text->text);
      if (!index.ok() && index.error().what.find("newer") != std::string::npos)
        return index.error();
      change.etag = text->etag;
      if (index.ok() && index.value().state == ObjectIndex::State::kPublished)
        change.index = std::move(index).value();
      if (index.ok() && index.value().state == ObjectIndex::State::kRemoving) is_claimed = true;
    }
    // A writer that was killed between experiment.json and the index; or no writer of ours.
    if (!change.index && !is_claimed) {
      XSP_TRY(change.index, MakeIndexAgain(change.name));
      if (!change.index) return Ok{};
      const objects::PutCondition condition =
          text ? objects::PutCondition{objects::PutCondition::Kind::kIsStill, text->etag}
               : objects::PutCondition{objects::PutCondition::Kind::kIsNew, {}};
      XSP_TRY(const auto etag,
              client_->Put(IndexKeyOf(change.name), IndexText(*change.index), condition));
      change.etag = etag.value_or("");  // Somebody else was faster: looked at again next time.
    }
    return Ok{};
  }));

  for (const Change& change : changes) {
    const fs::path folder = folder_ / change.name;
    const bool is_mirrored = fs::exists(folder / kMirroredFile, error);
    if (!change.index) {
      known.erase(change.name);
      if (is_mirrored) fs::remove_all(folder, error);
      continue;
    }
    if (fs::exists(folder, error) && !is_mirrored)
      continue;  // Our own of this name: not pushed yet.
    if (fs::exists(folder_ / kRemovedFolder / change.name, error)) continue;
    if (is_mirrored) {
      // Files that are the same stay; of another experiment of this name none is.
      const auto text = os::ReadFile(folder / kMirroredFile);
      const auto before = text.ok() ? ReadIndex(text.value()) : Result<ObjectIndex>(text.error());
      const auto data_of = [](const ObjectIndex& index) {
        std::vector<IndexedFile> files = index.files;
        std::erase_if(files,
                      [](const IndexedFile& file) { return file.path == "experiment.json"; });
        return files;
      };
      if (!before.ok() || data_of(before.value()) != data_of(*change.index))
        fs::remove_all(folder, error);
    }
    XSP_RETURN_IF_ERROR(WriteMirrored(folder, *change.index));
    known[change.name] = change.etag;
  }
  XSP_RETURN_IF_ERROR(BringBaselines(root, known));
  return WriteKnown(known);
}

Status MirroredStore::BringBaselines(const ObjectLevel& root, Known& known) {
  std::set<std::string> there;
  for (const ObjectInfo& object : root.objects) {
    if (!object.key.ends_with(kBaseline) || !IsExperimentName(object.key)) continue;
    there.insert(object.key);
    if (known.contains(object.key) && known[object.key].starts_with(object.etag + " ")) continue;
    XSP_TRY(const std::optional<ObjectText> text, client_->Get(object.key));
    if (!text) continue;
    XSP_RETURN_IF_ERROR(WriteText(folder_ / object.key, text->text));
    known[object.key] = text->etag + " " + os::Sha256(text->text);
  }
  std::error_code ignored;
  std::erase_if(known, [&](const auto& entry) {
    const bool is_gone = entry.first.ends_with(kBaseline) && !there.contains(entry.first);
    if (is_gone) fs::remove(folder_ / entry.first, ignored);
    return is_gone;
  });
  return Ok{};
}

Result<std::optional<ObjectIndex>> MirroredStore::MakeIndexAgain(const std::string& name) {
  XSP_TRY(const std::optional<ObjectText> experiment, client_->Get(name + "/experiment.json"));
  if (!experiment) return std::optional<ObjectIndex>();
  const json object = json::parse(experiment->text, nullptr, false);
  if (!object.is_object()) return std::optional<ObjectIndex>();
  XSP_TRY(const std::vector<ObjectInfo> objects, client_->List(name + "/"));
  ObjectIndex index{.state = ObjectIndex::State::kPublished,
                    .time = core::NowRfc3339(),
                    .experiment = experiment->text};
  std::int64_t runs = 0;
  for (const ObjectInfo& one : objects) {
    std::string path = one.key.substr(name.size() + 1);
    if (path.ends_with("/run.json")) ++runs;
    // What is no part of an experiment, such as a folder's own object, is passed over.
    const bool is_file = !path.empty() && !path.ends_with('/') && path.find("/.") == path.npos &&
                         !path.starts_with('.');
    if (is_file) index.files.push_back({std::move(path), one.bytes, ""});
  }
  index.summary = {{"runs", runs}};
  for (const char* key : {"model", "backend", "status"})
    if (const auto member = object.find(key); member != object.end() && member->is_string())
      index.summary[key] = *member;
  return std::optional(std::move(index));
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
  return ForEachObject(missing.size(), [&](std::size_t i) -> Status {
    const IndexedFile& file = missing[i];
    const fs::path place = experiment / file.path;
    const std::string key = fmt::format("{}/{}", name, file.path);
    XSP_RETURN_IF_ERROR(MakeFolder(place.parent_path()));
    // Hidden until it is known to be whole: others may read the experiment.
    const fs::path part =
        place.parent_path() / TemporaryName(place.filename().string(), next_part.fetch_add(1));
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
