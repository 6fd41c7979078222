#include "store/baselines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/clock_text.h"
#include "core/json_text.h"
#include "core/nearest_word.h"
#include "os/files.h"
#include "store/directory.h"
#include "store/experiment_changes.h"
#include "store/experiment_name.h"
#include "store/mirror.h"
#include "store/staging_folder.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::string_view kSuffix = ".baseline.json";
constexpr std::uint64_t kMaxFileBytes = 1 << 16;
constexpr std::int64_t kBaselineVersion = 1;
constexpr std::size_t kNearestBaselines = 3;

bool IsBaselineName(std::string_view name) { return !name.empty() && SafeName(name) == name; }

fs::path FileOf(const fs::path& store, std::string_view name) {
  return store / fmt::format("{}{}", name, kSuffix);
}

std::string MemberText(const json& object, const char* key) {
  const auto member = object.find(key);
  return member != object.end() && member->is_string() ? member->get<std::string>() : "";
}

/// What the file of a baseline says. Errors: kBadInput.
Result<Baseline> ReadBaseline(const fs::path& file, std::string_view name) {
  XSP_TRY(const std::string text, os::ReadFile(file, kMaxFileBytes));
  const json object = core::ParseJson(text);
  const std::string hint = fmt::format("Set it again: xsp baseline set {} EXPERIMENT", name);
  if (!object.is_object() || MemberText(object, "experiment").empty())
    return Error{ErrorKind::kBadInput, fmt::format("not a baseline: {}", file.string()), hint};
  const auto version = object.find("format_version");
  if (version != object.end() && version->is_number_integer() &&
      version->get<std::int64_t>() > kBaselineVersion)
    return Error{ErrorKind::kBadInput,
                 fmt::format("written by a newer XSP: baseline version {}: {}", version->dump(),
                             file.string()),
                 hint};
  return Baseline{std::string(name), MemberText(object, "experiment"),
                  MemberText(object, "selector"), MemberText(object, "set"),
                  MemberText(object, "created")};
}

Status WriteBaseline(const fs::path& store, const Baseline& baseline) {
  const json object = {{"format_version", kBaselineVersion},
                       {"experiment", baseline.experiment},
                       {"selector", baseline.selector},
                       {"set", baseline.set},
                       {"created", baseline.created}};
  return WriteFile(FileOf(store, baseline.name), core::JsonText(object, 2) + "\n");
}

/// "removed", "replaced", or "ok".
std::string StateOf(const fs::path& store, const Baseline& baseline) {
  std::error_code error;
  const fs::path folder = store / baseline.experiment;
  if (!IsBaselineName(baseline.experiment) || !fs::is_directory(folder, error)) return "removed";
  const auto directory = Inspect(folder);
  if (!directory.ok()) return "unreadable: " + directory.error().what;
  const json& experiment = directory.value().json;
  const std::string created = experiment.is_object() ? MemberText(experiment, "created") : "";
  return baseline.created.empty() || created == baseline.created ? "ok" : "replaced";
}

/// Names of the files of baselines, in order.
Result<std::vector<std::string>> BaselineNames(const fs::path& store) {
  std::vector<std::string> names;
  std::error_code error;
  if (!fs::exists(store, error)) return names;
  XSP_RETURN_IF_ERROR(RefreshMirror(store));
  for (fs::directory_iterator it(store, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    if (!name.ends_with(kSuffix)) continue;
    name.resize(name.size() - kSuffix.size());
    std::error_code ignored;
    if (IsBaselineName(name) && it->is_regular_file(ignored)) names.push_back(std::move(name));
  }
  if (error)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot read the store: {}: {}", store.string(), error.message()),
                 "Name a folder with --store (or XSP_STORE)."};
  std::sort(names.begin(), names.end());
  return names;
}

Error NoBaseline(const fs::path& store, std::string_view name) {
  const auto names = BaselineNames(store);
  std::string hint = "There is none yet: xsp baseline set NAME EXPERIMENT";
  if (names.ok() && !names.value().empty()) {
    const std::vector<std::string_view> known(names.value().begin(), names.value().end());
    hint = fmt::format("The nearest names are: {}. `xsp baseline list` shows all.",
                       fmt::join(core::NearestWords(name, known, kNearestBaselines), ", "));
  }
  return {ErrorKind::kBadInput, fmt::format("no such baseline: {}", name), std::move(hint)};
}

/// The file of the baseline `name`. Errors: kBadInput.
Result<fs::path> ExistingFile(const fs::path& store, std::string_view name) {
  std::error_code error;
  const fs::path file = FileOf(store, name);
  if (!IsBaselineName(name) || !fs::exists(file, error)) return NoBaseline(store, name);
  return file;
}

}  // namespace

Result<std::vector<BaselineEntry>> ListBaselines(const fs::path& store) {
  XSP_TRY(const std::vector<std::string> names, BaselineNames(store));
  std::vector<BaselineEntry> entries;
  for (const std::string& name : names) {
    const auto baseline = ReadBaseline(FileOf(store, name), name);
    if (baseline.ok()) {
      entries.push_back({baseline.value(), StateOf(store, baseline.value())});
    } else {
      entries.push_back({{name, "", "", "", ""}, "unreadable: " + baseline.error().what});
    }
  }
  return entries;
}

Result<Baseline> FindBaseline(const fs::path& store, std::string_view name) {
  XSP_TRY(const fs::path file, ExistingFile(store, name));
  XSP_TRY(Baseline baseline, ReadBaseline(file, name));
  const std::string state = StateOf(store, baseline);
  if (state == "ok") return baseline;
  const std::string hint =
      fmt::format("Set it again: xsp baseline set {} EXPERIMENT (`xsp list` shows them)", name);
  if (state == "removed")
    return Error{ErrorKind::kBadInput,
                 fmt::format("the experiment of the baseline {} is not in the store: {}", name,
                             baseline.experiment),
                 hint};
  if (state == "replaced")
    return Error{
        ErrorKind::kBadInput,
        fmt::format("the experiment of the baseline {} was replaced by another of its name, "
                    "which is not of {}: {}",
                    name, baseline.created, baseline.experiment),
        hint};
  return Error{ErrorKind::kBadInput, fmt::format("the baseline {} is {}", name, state), hint};
}

Result<Baseline> SetBaseline(const fs::path& store, std::string_view name,
                             std::string_view experiment, std::string_view selector) {
  if (!IsBaselineName(name))
    return Error{ErrorKind::kBadInput, fmt::format("cannot be a baseline's name: {}", name),
                 kNameHint};
  XSP_TRY(const fs::path folder, FindExperiment(store, experiment));
  XSP_TRY(const Directory directory, Inspect(folder));
  if (directory.kind != Directory::Kind::kExperiment || !directory.json.is_object())
    return Error{ErrorKind::kBadInput,
                 fmt::format("is no finished experiment: {}", folder.string()),
                 "`xsp list` shows the state of each."};
  Baseline baseline{std::string(name), std::string(experiment), std::string(selector),
                    core::NowRfc3339(), MemberText(directory.json, "created")};
  XSP_RETURN_IF_ERROR(WriteBaseline(store, baseline));
  return baseline;
}

Status RemoveBaseline(const fs::path& store, std::string_view name) {
  XSP_TRY(const fs::path file, ExistingFile(store, name));
  std::error_code error;
  fs::remove(file, error);
  if (!error) return Ok{};
  return Error{ErrorKind::kEnvironment,
               fmt::format("cannot remove {}: {}", file.string(), error.message()), ""};
}

std::vector<std::string> BaselinesOf(const fs::path& folder) {
  std::vector<std::string> of_folder;
  const auto entries = ListBaselines(folder.parent_path());
  if (!entries.ok()) return of_folder;
  for (const BaselineEntry& entry : entries.value())
    if (entry.status == "ok" && entry.baseline.experiment == folder.filename().string())
      of_folder.push_back(entry.baseline.name);
  return of_folder;
}

Status MoveBaselines(const fs::path& store, const std::vector<std::string>& names,
                     std::string_view new_name) {
  for (const std::string& name : names) {
    XSP_TRY(Baseline baseline, ReadBaseline(FileOf(store, name), name));
    baseline.experiment = new_name;
    XSP_RETURN_IF_ERROR(WriteBaseline(store, baseline));
  }
  return Ok{};
}

}  // namespace xsp::store
