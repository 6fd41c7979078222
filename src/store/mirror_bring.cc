#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/clock_text.h"
#include "core/json_text.h"
#include "os/files.h"
#include "os/parallel.h"
#include "os/sha256.h"
#include "store/experiment_name.h"
#include "store/mirrored_store.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;
using objects::ObjectInfo;
using objects::ObjectLevel;
using objects::ObjectText;

namespace {

constexpr std::string_view kJson = ".json";
constexpr std::string_view kBaselineSigns = ".index/.baselines/";

/// "NAME" of ".index/NAME.json"; empty: it is none.
std::string NameOfIndex(std::string_view key) {
  if (!key.starts_with(kIndexPrefix) || !key.ends_with(kJson)) return {};
  key.remove_prefix(kIndexPrefix.size());
  key.remove_suffix(kJson.size());
  return IsExperimentName(key) ? std::string(key) : std::string();
}

/// The baseline's file of its sign.
std::string FileOfSign(std::string_view key) {
  return std::string(key.substr(kBaselineSigns.size())) + std::string(kBaselineEnding);
}

/// Of Known: an experiment, rather than a baseline's file or sign.
bool IsOfExperiment(std::string_view name) {
  return !name.ends_with(kBaselineEnding) && !name.starts_with(kBaselineSigns);
}

Result<ObjectIndex> ReadMirrored(const fs::path& folder) {
  XSP_TRY(const std::string text, os::ReadFile(folder / kMirroredFile));
  return ReadIndex(text);
}

/// Whether both are of the same data; experiment.json aside, which is changed alone.
bool HaveSameData(const ObjectIndex& a, const ObjectIndex& b) {
  const auto data_of = [](const ObjectIndex& index) {
    std::vector<IndexedFile> files = index.files;
    std::erase_if(files, [](const IndexedFile& file) { return file.path == "experiment.json"; });
    return files;
  };
  return data_of(a) == data_of(b);
}

}  // namespace

std::string BaselineSignOf(std::string_view file) {
  return std::string(kBaselineSigns) +
         std::string(file.substr(0, file.size() - kBaselineEnding.size()));
}

bool MirroredStore::IsWhole(const std::string& name, bool read_all) const {
  const fs::path folder = folder_ / name;
  // Both were written without waiting for the disk: a power cut leaves them empty or away.
  std::error_code error;
  for (const fs::path& file : {folder / kMirroredFile, folder / "experiment.json"}) {
    const auto bytes = fs::file_size(file, error);
    if (error || bytes == 0) return false;
  }
  return !read_all || ReadMirrored(folder).ok();
}

std::vector<MirroredStore::Change> MirroredStore::ChangesOf(const std::optional<ObjectLevel>& root,
                                                            const std::vector<ObjectInfo>& indices,
                                                            const Known& known,
                                                            bool read_all) const {
  std::map<std::string, std::string> there;  // Name to ETag.
  for (const ObjectInfo& one : indices)
    if (std::string name = NameOfIndex(one.key); !name.empty())
      there.insert_or_assign(std::move(name), one.etag);
  std::vector<Change> changes;
  for (const auto& [name, etag] : there) {
    const auto seen = known.find(name);
    if (seen == known.end() || seen->second != etag || !IsWhole(name, read_all))
      changes.push_back({name});
  }
  // A list may lag behind: what is not in it is asked for by name.
  for (const auto& [name, etag] : known)
    if (!there.contains(name) && IsOfExperiment(name)) changes.push_back({name});
  if (!root) return changes;
  for (const std::string& name : root->folders)
    if (IsExperimentName(name) && !there.contains(name) && !known.contains(name))
      changes.push_back({name});
  return changes;
}

Status MirroredStore::Ask(Change& change) {
  XSP_TRY(const std::optional<ObjectText> text, client_->Get(IndexKeyOf(change.name)));
  bool is_claimed = false;
  if (text) {
    auto index = ReadIndex(text->text);
    if (!index.ok() && index.error().what.find("newer") != std::string::npos) return index.error();
    change.etag = text->etag;
    if (index.ok() && index.value().state == ObjectIndex::State::kPublished)
      change.index = std::move(index).value();
    if (index.ok() && index.value().state == ObjectIndex::State::kRemoving) is_claimed = true;
  }
  // A writer that was killed between experiment.json and the index; or no writer of ours.
  if (change.index || is_claimed) return Ok{};
  XSP_TRY(change.index, MakeIndexAgain(change.name));
  if (!change.index) return Ok{};
  const objects::PutCondition condition =
      text ? objects::PutCondition{objects::PutCondition::Kind::kIsStill, text->etag}
           : objects::PutCondition{objects::PutCondition::Kind::kIsNew, {}};
  XSP_TRY(const auto etag,
          client_->Put(IndexKeyOf(change.name), IndexText(*change.index), condition));
  change.etag = etag.value_or("");  // Somebody else was faster: looked at again next time.
  return Ok{};
}

Status MirroredStore::Write(Change& change) const {
  const fs::path folder = folder_ / change.name;
  std::error_code error;
  const bool is_mirrored = fs::exists(folder / kMirroredFile, error);
  if (!change.index) {
    if (is_mirrored) fs::remove_all(folder, error);
    return Ok{};
  }
  // Our own of this name: not pushed yet.
  if (!is_mirrored && fs::exists(folder, error)) return Ok{};
  if (fs::exists(folder_ / kRemovedFolder / change.name, error)) return Ok{};
  if (is_mirrored) {
    // Files that are the same stay; of another experiment of this name none is.
    const auto before = ReadMirrored(folder);
    if (!before.ok() || !HaveSameData(before.value(), *change.index)) fs::remove_all(folder, error);
  }
  XSP_RETURN_IF_ERROR(MakeFolder(folder));
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(folder / "experiment.json", change.index->experiment,
                                              os::Durable::kLater));
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(folder / kMirroredFile, IndexText(*change.index),
                                              os::Durable::kLater));
  change.is_brought = true;
  return Ok{};
}

Status MirroredStore::Bring(const std::optional<ObjectLevel>& root,
                            const std::vector<ObjectInfo>& indices, bool read_all) {
  const MirrorLock lock(folder_);
  XSP_TRY(Known known, ReadKnown());
  const Known before = known;
  std::vector<Change> changes = ChangesOf(root, indices, known, read_all);
  XSP_RETURN_IF_ERROR(
      os::ForEachWaiting(changes.size(), [&](std::size_t i) { return Ask(changes[i]); }));
  XSP_RETURN_IF_ERROR(
      os::ForEachWaiting(changes.size(), [&](std::size_t i) { return Write(changes[i]); }));
  for (const Change& change : changes) {
    if (change.is_brought) known[change.name] = change.etag;
    if (!change.index) known.erase(change.name);
  }
  XSP_RETURN_IF_ERROR(BringBaselines(root, indices, known));
  return known == before ? Status(Ok{}) : WriteKnown(known, os::Durable::kLater);
}

Status MirroredStore::BringBaseline(const std::string& file, Known& known) {
  XSP_TRY(const std::optional<ObjectText> text, client_->Get(file));
  if (text) {
    known[file] = text->etag + " " + os::Sha256(text->text);
    return os::WriteFileAtomically(folder_ / file, text->text);
  }
  std::error_code ignored;
  if (known.erase(file) > 0) fs::remove(folder_ / file, ignored);
  return Ok{};
}

Status MirroredStore::BringBaselines(const std::optional<ObjectLevel>& root,
                                     const std::vector<ObjectInfo>& indices, Known& known) {
  std::map<std::string, std::string> signs;  // Key to ETag.
  for (const ObjectInfo& one : indices)
    if (one.key.starts_with(kBaselineSigns) && IsExperimentName(FileOfSign(one.key)))
      signs[one.key] = one.etag;
  std::set<std::string> changed;
  for (const auto& [key, etag] : signs)
    if (!known.contains(key) || known[key] != etag) changed.insert(FileOfSign(key));
  for (const auto& [name, etag] : known)
    if (name.starts_with(kBaselineSigns) && !signs.contains(name)) changed.insert(FileOfSign(name));
  if (root) {
    // The files themselves: an XSP that knew no signs may have written them.
    std::set<std::string> there;
    for (const ObjectInfo& object : root->objects) {
      if (!object.key.ends_with(kBaselineEnding) || !IsExperimentName(object.key)) continue;
      there.insert(object.key);
      const auto seen = known.find(object.key);
      if (seen == known.end() || !seen->second.starts_with(object.etag + " "))
        changed.insert(object.key);
    }
    for (const auto& [name, etag] : known)
      if (name.ends_with(kBaselineEnding) && !there.contains(name)) changed.insert(name);
  }
  for (const std::string& file : changed) XSP_RETURN_IF_ERROR(BringBaseline(file, known));
  std::erase_if(known, [](const auto& entry) { return entry.first.starts_with(kBaselineSigns); });
  known.insert(signs.begin(), signs.end());
  return Ok{};
}

Result<std::optional<ObjectIndex>> MirroredStore::MakeIndexAgain(const std::string& name) {
  XSP_TRY(const std::optional<ObjectText> experiment, client_->Get(name + "/experiment.json"));
  if (!experiment) return std::optional<ObjectIndex>();
  const json object = core::ParseJson(experiment->text);
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

}  // namespace xsp::store
