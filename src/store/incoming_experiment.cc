#include "store/incoming_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "os/files.h"
#include "os/parallel.h"
#include "os/sha256.h"
#include "store/experiment_name.h"
#include "store/mirror.h"
#include "store/mirrored_store.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

constexpr const char* kExperimentFile = "experiment.json";

/// Whether `file` is of a size and content that `is` states.
Status CheckFile(const fs::path& file, const IndexedFile& is) {
  std::error_code error;
  const bool is_whole = fs::file_size(file, error) == is.bytes && !error;
  XSP_TRY(const std::string sum, is_whole ? os::Sha256OfFile(file) : Result<std::string>(""));
  if (sum == is.sha256) return Ok{};
  return Error{ErrorKind::kBadInput,
               fmt::format("damaged: {} is not what its checksum says", is.path),
               "Copy or export the experiment again."};
}

/// Of a list: all but experiment.json, in which tags change.
std::vector<IndexedFile> DataOf(std::vector<IndexedFile> files) {
  std::erase_if(files, [](const IndexedFile& file) { return file.path == kExperimentFile; });
  std::ranges::sort(files, {}, &IndexedFile::path);
  return files;
}

/// Whether the experiment in `folder` has the files `data`, of which checksums are read last.
Result<bool> HasData(const fs::path& folder, const std::vector<IndexedFile>& data) {
  const auto is_like = [](const IndexedFile& a, const IndexedFile& b) {
    return a.path == b.path && a.bytes == b.bytes &&
           (a.sha256.empty() || b.sha256.empty() || a.sha256 == b.sha256);
  };
  std::error_code error;
  // Of a mirrored one the server's list says it.
  if (fs::exists(folder / kMirroredFile, error)) {
    XSP_TRY(const std::string text, os::ReadFile(folder / kMirroredFile));
    XSP_TRY(ObjectIndex index, ReadIndex(text));
    return std::ranges::equal(DataOf(std::move(index.files)), data, is_like);
  }
  XSP_TRY(std::vector<IndexedFile> listed, ListFiles(folder));
  if (!std::ranges::equal(DataOf(std::move(listed)), data, is_like)) return false;
  XSP_TRY(std::vector<IndexedFile> read, FilesBelow(folder));
  return std::ranges::equal(DataOf(std::move(read)), data, is_like);
}

}  // namespace

Result<std::string> NameOfSame(const fs::path& store, std::string_view name,
                               const std::vector<IndexedFile>& files) {
  XSP_RETURN_IF_ERROR(RefreshMirror(store));
  const std::vector<IndexedFile> data = DataOf(files);
  std::error_code error;
  for (std::string one(name); fs::is_directory(store / one, error); one = NextName(one)) {
    XSP_TRY(const bool is_same, HasData(store / one, data));
    if (is_same) return one;
  }
  return std::string();
}

IncomingExperiment::IncomingExperiment(fs::path store, std::string name,
                                       std::vector<IndexedFile> files)
    : store_(std::move(store)),
      folder_(store_ / TemporaryName(name)),
      name_(std::move(name)),
      files_(std::move(files)) {}

IncomingExperiment::IncomingExperiment(IncomingExperiment&& other) noexcept
    : store_(std::move(other.store_)),
      folder_(std::exchange(other.folder_, {})),
      name_(std::move(other.name_)),
      files_(std::move(other.files_)) {}

IncomingExperiment::~IncomingExperiment() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

Result<IncomingExperiment> IncomingExperiment::Begin(const fs::path& store, std::string name,
                                                     std::vector<IndexedFile> files) {
  if (!IsExperimentName(name))
    return Error{ErrorKind::kBadInput, fmt::format("not the name of an experiment: {}", name), ""};
  std::set<std::string_view> paths;
  std::uint64_t bytes = 0;
  for (const IndexedFile& file : files) {
    if (!IsPlainPath(file.path) || !paths.insert(file.path).second)
      return Error{ErrorKind::kBadInput,
                   fmt::format("not the path of a file of an experiment: {}", file.path), ""};
    bytes += file.bytes;
  }
  if (!paths.contains(kExperimentFile))
    return Error{ErrorKind::kBadInput, fmt::format("{} has no {}", name, kExperimentFile), ""};
  XSP_RETURN_IF_ERROR(MakeFolder(store));
  RemoveStaleFolders(store);
  std::error_code error;
  const fs::space_info space = fs::space(store, error);
  if (!error && space.available < bytes)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("{} needs {} bytes, and the disk of {} has {}", name, bytes,
                             store.string(), space.available),
                 "Free some space, or choose another store."};
  IncomingExperiment incoming(fs::absolute(store, error), std::move(name), std::move(files));
  for (const IndexedFile& file : incoming.files_)
    XSP_RETURN_IF_ERROR(MakeFolder(incoming.PlaceOf(file).parent_path()));
  return incoming;
}

Result<Arrival> IncomingExperiment::Finish() {
  XSP_RETURN_IF_ERROR(os::ForEach(
      files_.size(), [&](std::size_t i) { return CheckFile(PlaceOf(files_[i]), files_[i]); }));
  // Somebody may have brought the same meanwhile.
  XSP_TRY(const std::string same, NameOfSame(store_, name_, files_));
  if (!same.empty()) return Arrival{same, true};
  XSP_RETURN_IF_ERROR(SyncTree(folder_));
  const fs::path description = folder_ / kExperimentFile;
  for (std::string name = name_;; name = NextName(name)) {
    std::error_code error;
    if (fs::exists(store_ / name, error)) continue;
    if (name != name_) XSP_RETURN_IF_ERROR(WriteNameInto(description, name));
    XSP_TRY(const bool moved, MoveIntoPlace(folder_, store_ / name));
    if (!moved) continue;
    folder_.clear();
    return Arrival{std::move(name), false};
  }
}

}  // namespace xsp::store
