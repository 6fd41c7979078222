#include "store/experiment_changes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "os/files.h"
#include "store/baselines.h"
#include "store/catalogue.h"
#include "store/directory.h"
#include "store/experiment_name.h"
#include "store/mirror.h"
#include "store/mirrored_store.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// experiment.json of the experiment in `folder`. Errors: kBadInput.
Result<json> ReadExperimentJson(const fs::path& folder) {
  XSP_TRY(Directory directory, Inspect(folder));
  if (directory.kind == Directory::Kind::kExperiment && directory.json.is_object())
    return std::move(directory.json);
  return Error{ErrorKind::kBadInput, fmt::format("is no finished experiment: {}", folder.string()),
               "`xsp list` shows the state of each."};
}

Status WriteExperimentJson(const fs::path& folder, const json& experiment) {
  return os::WriteFileAtomically(folder / "experiment.json", core::JsonText(experiment, 2));
}

}  // namespace

Result<fs::path> FindExperiment(const fs::path& store, std::string_view name) {
  if (!IsExperimentName(name))
    return Error{ErrorKind::kBadInput, fmt::format("not the name of an experiment: {}", name),
                 "Give a name as `xsp list` shows it."};
  XSP_RETURN_IF_ERROR(RefreshMirror(store));
  std::error_code error;
  if (fs::is_directory(store / name, error)) return store / name;
  XSP_TRY(const fs::path none, Resolve(store, name));  // Its error names the nearest.
  return Error{ErrorKind::kBadInput,
               fmt::format("no such experiment in {}: {}", store.string(), name),
               fmt::format("There is a folder of that name elsewhere: {}", none.string())};
}

Result<fs::path> FindRemovable(const fs::path& store, std::string_view name) {
  XSP_TRY(const fs::path folder, FindExperiment(store, name));
  const std::vector<std::string> baselines = BaselinesOf(folder);
  if (baselines.empty()) return folder;
  return Error{
      ErrorKind::kBadInput, fmt::format("{} is the baseline {}", name, fmt::join(baselines, ", ")),
      fmt::format("Set that to another experiment, or remove it first: xsp baseline remove "
                  "{}",
                  fmt::join(baselines, " "))};
}

Status RemoveExperiment(const fs::path& store, std::string_view name) {
  XSP_TRY(const fs::path folder, FindRemovable(store, name));
  std::error_code error;
  if (fs::exists(folder / kMirroredFile, error)) XSP_RETURN_IF_ERROR(RemoveFromMirror(store, name));
  // Hidden folders are passed by, and those of processes that are gone are removed by the next that
  // writes.
  const fs::path hidden = store / TemporaryName(name);
  fs::rename(folder, hidden, error);
  if (!error) fs::remove_all(hidden, error);
  if (!error) return Ok{};
  return Error{ErrorKind::kEnvironment,
               fmt::format("cannot remove {}: {}", folder.string(), error.message()), ""};
}

Status RenameExperiment(const fs::path& store, std::string_view name, std::string_view new_name) {
  XSP_TRY(const fs::path folder, FindExperiment(store, name));
  if (!IsExperimentName(new_name))
    return Error{ErrorKind::kBadInput, fmt::format("cannot be a name: {}", new_name), kNameHint};
  XSP_RETURN_IF_ERROR(FetchFolder(folder));
  XSP_TRY(json experiment, ReadExperimentJson(folder));
  const std::vector<std::string> baselines = BaselinesOf(folder);
  const fs::path place = store / new_name;
  XSP_TRY(const bool moved, MoveIntoPlace(folder, place));
  if (!moved)
    return Error{ErrorKind::kBadInput, fmt::format("the name is taken: {}", new_name),
                 "`xsp list` shows the names; `xsp remove` makes one free."};
  // Of another name it is another experiment to the server.
  std::error_code error;
  if (fs::remove(place / kMirroredFile, error)) XSP_RETURN_IF_ERROR(RemoveFromMirror(store, name));
  experiment["name"] = new_name;
  XSP_RETURN_IF_ERROR(WriteExperimentJson(place, experiment));
  return MoveBaselines(store, baselines, new_name);
}

Result<Tags> TagExperiment(const fs::path& store, std::string_view name, const Tags& changes) {
  XSP_TRY(const fs::path folder, FindExperiment(store, name));
  XSP_TRY(json experiment, ReadExperimentJson(folder));
  json& stored = experiment["tags"];
  if (!stored.is_object()) stored = json::object();
  for (const auto& [key, value] : changes) {
    if (!IsExperimentName(key))
      return Error{ErrorKind::kBadInput, fmt::format("cannot be a tag's key: {}", key),
                   "Keys have letters, digits, `.`, `_` and `-`."};
    if (value.empty()) {
      stored.erase(key);
    } else {
      stored[key] = value;
    }
  }
  Tags tags;
  for (const auto& [key, value] : stored.items())
    if (value.is_string()) tags[key] = value.get<std::string>();
  if (!changes.empty()) XSP_RETURN_IF_ERROR(WriteExperimentJson(folder, experiment));
  return tags;
}

}  // namespace xsp::store
