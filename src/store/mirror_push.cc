#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/clock_text.h"
#include "os/files.h"
#include "os/parallel.h"
#include "os/paths.h"
#include "os/sha256.h"
#include "store/catalogue.h"
#include "store/experiment_name.h"
#include "store/mirrored_store.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;
using objects::ObjectText;
using objects::PutCondition;

namespace {

constexpr const char* kClaimFile = ".claim";
/// Says in a mirror that the server's conditions were tried.
constexpr const char* kConditionsFile = ".conditions";
constexpr const char* kNoContent = "\"00000000000000000000000000000000\"";  ///< No object's ETag.
constexpr int kMostTries = 10;

/// Tells one claim from every other.
std::string NewWriter() {
  return fmt::format("{} {}", TemporaryName("writer"), core::NowRfc3339Milliseconds());
}

/// Says of the experiment in `folder` what a list shows. Errors: kEnvironment.
Result<ObjectIndex> IndexOf(const fs::path& folder) {
  ObjectIndex index{.state = ObjectIndex::State::kPublished, .time = core::NowRfc3339()};
  XSP_TRY(index.experiment, os::ReadFile(folder / "experiment.json"));
  XSP_TRY(index.files, FilesBelow(folder));
  XSP_TRY(const CatalogueEntry entry, EntryOf(folder));
  index.summary = {{"model", entry.model},
                   {"backend", entry.backend},
                   {"status", entry.status},
                   {"runs", entry.runs}};
  return index;
}

/// Whether experiment.json was written since the server was told of it.
bool IsTouched(const fs::path& folder) {
  std::error_code error;
  const auto experiment = fs::last_write_time(folder / "experiment.json", error);
  if (error) return false;
  const auto mirrored = fs::last_write_time(folder / kMirroredFile, error);
  return !error && experiment > mirrored;
}

}  // namespace

Result<Pushed> MirroredStore::Push() {
  const std::lock_guard lock(mutex_);
  // One process at a time pushes; others that read are not held up.
  const fs::path push_folder = folder_ / ".push";
  XSP_RETURN_IF_ERROR(MakeFolder(push_folder));
  const MirrorLock push_lock(push_folder);
  Pushed pushed;
  std::error_code error;
  std::vector<std::string> removed, changed;
  for (fs::directory_iterator it(folder_ / kRemovedFolder, error), end; !error && it != end;
       it.increment(error))
    removed.push_back(it->path().filename().string());
  error.clear();
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!name.starts_with('.') && IsTouched(it->path())) changed.push_back(name);
  }
  const std::vector<std::string> unpushed = UnpushedExperiments(folder_);
  if (!removed.empty() || !unpushed.empty() || !changed.empty())
    XSP_RETURN_IF_ERROR(CheckConditions());
  for (const std::string& name : removed) XSP_RETURN_IF_ERROR(PushRemoved(name));
  for (const std::string& name : unpushed) XSP_RETURN_IF_ERROR(PushNew(name, pushed));
  for (const std::string& name : changed) XSP_RETURN_IF_ERROR(PushChanged(name));
  XSP_RETURN_IF_ERROR(PushBaselines());
  return pushed;
}

Status MirroredStore::CheckConditions() {
  const fs::path known = folder_ / kConditionsFile;
  std::error_code error;
  if (fs::exists(known, error) || os::Environment("XSP_ONLY_WRITER")) return Ok{};
  const std::string key = fmt::format("{}.conditions/{}", kIndexPrefix, os::Sha256(NewWriter()));
  XSP_TRY(const auto first, client_->Put(key, "1", {PutCondition::Kind::kIsNew, {}}));
  const auto again = client_->Put(key, "2", {PutCondition::Kind::kIsNew, {}});
  const auto other = client_->Put(key, "3", {PutCondition::Kind::kIsStill, kNoContent});
  XSP_RETURN_IF_ERROR(client_->Remove(key));
  if (!again.ok()) return again.error();
  if (!other.ok()) return other.error();
  if (!again.value() && !other.value()) return WriteFile(known, "");
  return Error{ErrorKind::kNotPossible,
               fmt::format("the server of {} writes whatever the condition of a write is "
                           "(If-None-Match, If-Match): of two that write one name at once, one "
                           "would be lost",
                           url_),
               "Use a server that has conditional writes, such as Amazon S3 or versitygw 1.8, or "
               "say by XSP_ONLY_WRITER=1 that nobody else writes to this store."};
}

Result<std::optional<std::string>> MirroredStore::Claim(const std::string& name) {
  const fs::path file = folder_ / name / kClaimFile;
  const auto before = os::ReadFile(file, 1 << 16);
  const std::string writer = before.ok() ? before.value() : NewWriter();
  // First: the claim may arrive where its answer does not.
  if (!before.ok()) XSP_RETURN_IF_ERROR(os::WriteFileAtomically(file, writer));
  const ObjectIndex claim{
      .state = ObjectIndex::State::kWriting, .writer = writer, .time = core::NowRfc3339()};
  XSP_TRY(std::optional<std::string> etag,
          client_->Put(IndexKeyOf(name), IndexText(claim), {PutCondition::Kind::kIsNew, {}}));
  if (!etag) {
    // A push of ours that was cut off may have claimed it.
    XSP_TRY(const std::optional<ObjectText> there, client_->Get(IndexKeyOf(name)));
    const auto index = there ? ReadIndex(there->text) : Result<ObjectIndex>(ObjectIndex{});
    if (there && index.ok() && index.value().writer == writer) etag = there->etag;
  }
  std::error_code ignored;
  if (!etag) fs::remove(file, ignored);
  return etag;
}

Status MirroredStore::PushNew(std::string name, Pushed& pushed) {
  XSP_TRY(std::optional<std::string> claim, Claim(name));
  // One that this mirror knew, and that was measured again in its place, is replaced.
  if (!claim) {
    XSP_TRY(const Known known, ReadKnown());
    const auto seen = known.find(name);
    if (seen != known.end() && !seen->second.empty()) {
      const ObjectIndex again{
          .state = ObjectIndex::State::kWriting, .writer = NewWriter(), .time = core::NowRfc3339()};
      XSP_TRY(claim, client_->Put(IndexKeyOf(name), IndexText(again),
                                  {PutCondition::Kind::kIsStill, seen->second}));
    }
  }
  const std::string wanted = name;
  for (std::string next = NextName(name); !claim; next = NextName(next)) {
    const fs::path folder = folder_ / name;
    XSP_RETURN_IF_ERROR(WriteNameInto(folder / "experiment.json", next));
    XSP_TRY(const bool moved, MoveIntoPlace(folder, folder_ / next));
    if (!moved) continue;
    name = next;
    XSP_TRY(claim, Claim(name));
  }
  if (name != wanted)
    pushed.notes.push_back(
        fmt::format("{} was taken in {}: the experiment is called {}", wanted, url_, name));
  return Publish(name, *claim);
}

Status MirroredStore::Publish(const std::string& name, const std::string& claim) {
  const fs::path folder = folder_ / name;
  XSP_TRY(const ObjectIndex index, IndexOf(folder));
  // experiment.json makes it an experiment for every reader: last.
  std::vector<IndexedFile> data = index.files;
  std::erase_if(data, [](const IndexedFile& file) { return file.path == "experiment.json"; });
  const auto put = [&](const IndexedFile& file) {
    return client_->PutFile(fmt::format("{}/{}", name, file.path), folder / file.path, file.sha256);
  };
  XSP_RETURN_IF_ERROR(os::ForEachWaiting(data.size(), [&](std::size_t i) { return put(data[i]); }));
  XSP_TRY(const auto written, client_->Put(name + "/experiment.json", index.experiment));
  XSP_TRY(std::optional<std::string> etag,
          client_->Put(IndexKeyOf(name), IndexText(index), {PutCondition::Kind::kIsStill, claim}));
  // Somebody who saw experiment.json without an index has made one, or several have.
  for (int tries = 0; !etag && tries < kMostTries; ++tries) {
    XSP_TRY(const std::optional<ObjectText> there, client_->Get(IndexKeyOf(name)));
    const auto made = there ? ReadIndex(there->text) : Result<ObjectIndex>(ObjectIndex{});
    if (!there || !made.ok() || made.value().experiment != index.experiment) break;
    XSP_TRY(etag, client_->Put(IndexKeyOf(name), IndexText(index),
                               {PutCondition::Kind::kIsStill, there->etag}));
  }
  if (!etag)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("somebody else wrote {} to {} meanwhile", name, url_),
                 "The next command that writes to this store tries again."};
  const MirrorLock lock(folder_);
  std::error_code ignored;
  fs::remove(folder / kClaimFile, ignored);
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(folder / kMirroredFile, IndexText(index)));
  XSP_TRY(Known known, ReadKnown());
  known[name] = *etag;
  return WriteKnown(known);
}

Status MirroredStore::PushChanged(const std::string& name) {
  const fs::path folder = folder_ / name;
  XSP_TRY(const std::string text, os::ReadFile(folder / kMirroredFile));
  XSP_TRY(ObjectIndex index, ReadIndex(text));
  XSP_TRY(index.experiment, os::ReadFile(folder / "experiment.json"));
  for (IndexedFile& file : index.files) {
    if (file.path != "experiment.json") continue;
    file.bytes = index.experiment.size();
    file.sha256 = os::Sha256(index.experiment);
  }
  index.time = core::NowRfc3339();
  XSP_TRY(Known known, ReadKnown());
  XSP_TRY(const std::optional<std::string> etag,
          client_->Put(IndexKeyOf(name), IndexText(index),
                       {PutCondition::Kind::kIsStill, known[name]}));
  if (!etag) {
    std::error_code ignored;
    fs::remove_all(folder, ignored);  // The next refresh brings what is there.
    return Error{
        ErrorKind::kEnvironment,
        fmt::format("{} was changed in {} meanwhile: the change is not stored", name, url_),
        "Say it again."};
  }
  XSP_TRY(const auto written, client_->Put(name + "/experiment.json", index.experiment));
  const MirrorLock lock(folder_);
  XSP_RETURN_IF_ERROR(os::WriteFileAtomically(folder / kMirroredFile, IndexText(index)));
  XSP_TRY(known, ReadKnown());
  known[name] = *etag;
  return WriteKnown(known);
}

Status MirroredStore::PushRemoved(const std::string& name) {
  XSP_TRY(Known known, ReadKnown());
  const auto seen = known.find(name);
  if (seen != known.end()) {
    // The index last: what was cut off half-way is still known as being removed.
    const ObjectIndex removing{.state = ObjectIndex::State::kRemoving, .time = core::NowRfc3339()};
    XSP_TRY(const auto etag, client_->Put(IndexKeyOf(name), IndexText(removing),
                                          {PutCondition::Kind::kIsStill, seen->second}));
    if (!etag) {
      XSP_TRY(const std::optional<ObjectText> there, client_->Get(IndexKeyOf(name)));
      std::error_code ignored;
      fs::remove(folder_ / kRemovedFolder / name, ignored);
      if (!there) return Ok{};  // Somebody else was faster.
      return Error{ErrorKind::kEnvironment,
                   fmt::format("{} was changed in {} meanwhile: it is not removed", name, url_),
                   "Look at it, and remove it again."};
    }
    XSP_RETURN_IF_ERROR(client_->Remove(name + "/experiment.json"));
    XSP_TRY(const auto objects, client_->List(name + "/"));
    XSP_RETURN_IF_ERROR(os::ForEachWaiting(
        objects.size(), [&](std::size_t i) { return client_->Remove(objects[i].key); }));
    XSP_RETURN_IF_ERROR(client_->Remove(IndexKeyOf(name)));
  }
  const MirrorLock lock(folder_);
  XSP_TRY(known, ReadKnown());
  known.erase(name);
  XSP_RETURN_IF_ERROR(WriteKnown(known));
  std::error_code ignored;
  fs::remove(folder_ / kRemovedFolder / name, ignored);
  return Ok{};
}

Status MirroredStore::PushBaselines() {
  XSP_TRY(Known known, ReadKnown());
  std::vector<std::pair<std::string, std::string>> put;
  std::vector<std::string> gone;
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with('.') || !name.ends_with(kBaselineEnding)) continue;
    XSP_TRY(const std::string text, os::ReadFile(it->path(), 1 << 16));
    const auto seen = known.find(name);
    const bool is_same = seen != known.end() && seen->second.ends_with(" " + os::Sha256(text));
    if (!is_same) put.emplace_back(name, text);
  }
  for (const auto& [name, etag] : known)
    if (name.ends_with(kBaselineEnding) && !fs::exists(folder_ / name, error)) gone.push_back(name);
  if (put.empty() && gone.empty()) return Ok{};
  for (const auto& [name, text] : put) {
    XSP_TRY(const auto etag, client_->Put(name, text));
    known[name] = etag.value_or("") + " " + os::Sha256(text);
    // Behind the file: who sees the sign sees the file.
    const std::string sign = BaselineSignOf(name);
    XSP_TRY(const auto of_sign, client_->Put(sign, text));
    known[sign] = of_sign.value_or("");
  }
  for (const std::string& name : gone) {
    const std::string sign = BaselineSignOf(name);
    XSP_RETURN_IF_ERROR(client_->Remove(name));
    XSP_RETURN_IF_ERROR(client_->Remove(sign));
    known.erase(name);
    known.erase(sign);
  }
  const MirrorLock lock(folder_);
  return WriteKnown(known);
}

}  // namespace xsp::store
