#include "store/experiment_copy.h"

#include <fmt/format.h>

#include <string>

#include "os/parallel.h"
#include "store/directory.h"
#include "store/experiment_changes.h"
#include "store/mirror.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;

Result<StoredFiles> FilesOf(const fs::path& store, std::string_view name) {
  StoredFiles stored;
  XSP_TRY(stored.folder, FindExperiment(store, name));
  XSP_RETURN_IF_ERROR(FetchFolder(stored.folder));
  XSP_TRY(const Directory directory, Inspect(stored.folder));
  if (directory.kind != Directory::Kind::kExperiment || !directory.json.is_object())
    return Error{ErrorKind::kBadInput, fmt::format("is no finished experiment: {}", name),
                 "`xsp list` shows the state of each."};
  XSP_TRY(stored.files, FilesBelow(stored.folder));
  return stored;
}

Result<Arrival> CopyExperiment(const fs::path& store, std::string_view name, const fs::path& to) {
  XSP_TRY(const StoredFiles stored, FilesOf(store, name));
  XSP_TRY(std::string same, NameOfSame(to, name, stored.files));
  if (!same.empty()) return Arrival{std::move(same), true};
  XSP_TRY(IncomingExperiment incoming,
          IncomingExperiment::Begin(to, std::string(name), stored.files));
  XSP_RETURN_IF_ERROR(os::ForEach(stored.files.size(), [&](std::size_t i) -> Status {
    const fs::path place = incoming.PlaceOf(stored.files[i]);
    std::error_code error;
    if (fs::copy_file(stored.folder / stored.files[i].path, place, error)) return Ok{};
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot copy to {}: {}", place.string(), error.message()),
                 SpaceHint(place)};
  }));
  return incoming.Finish();
}

}  // namespace xsp::store
