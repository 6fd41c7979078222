#include "answer/analyze/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "answer/analyze/yaml_fields.h"
#include "os/files.h"
#include "os/paths.h"

namespace xsp::analyze {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLevelHint = "levels/README.md describes the file of a level.";

/// A misspelt placeholder would reach the user as it is.
Status CheckPlaceholders(const fs::path& file, const YAML::Node& root, const char* key,
                         std::string_view text) {
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("{command}") || rest.starts_with("{model}")) continue;
    return BrokenYaml(
        file, root[key].Mark(),
        fmt::format("'{}' has a placeholder that is neither {{command}} nor {{model}}", key),
        kLevelHint);
  }
  return Ok{};
}

Result<Level> ReadLevel(const fs::path& file, const YAML::Node& root) {
  if (!root.IsMap()) {
    return BrokenYaml(file, root.Mark(), "not a map of what, probe, measure, ...", kLevelHint);
  }
  YamlFields fields(file, root, kLevelHint);
  Level level;
  level.name = file.stem().string();
  XSP_TRY(const std::string scope, fields.Text("scope", false));
  if (!scope.empty() && scope != "point" && scope != "experiment") {
    return BrokenYaml(file, root["scope"].Mark(),
                      fmt::format("'scope' is neither point nor experiment: {}", scope),
                      kLevelHint);
  }
  level.of_experiment = scope == "experiment";
  XSP_TRY(level.seen_by_monitor, fields.Truth("monitor", false));
  XSP_TRY(level.rests_on, fields.Text("rests_on", false));
  XSP_TRY(level.rung, fields.Text("rung", !level.of_experiment));
  XSP_TRY(level.what, fields.Text("what", !level.of_experiment));
  XSP_TRY(level.probe, fields.Text("probe"));
  XSP_TRY(level.measure, fields.Text("measure"));
  XSP_TRY(level.recorded, fields.Text("recorded", false));
  XSP_TRY(level.import, fields.Text("import"));
  XSP_RETURN_IF_ERROR(fields.NothingElse());
  XSP_RETURN_IF_ERROR(CheckPlaceholders(file, root, "measure", level.measure));
  XSP_RETURN_IF_ERROR(CheckPlaceholders(file, root, "recorded", level.recorded));
  XSP_RETURN_IF_ERROR(CheckPlaceholders(file, root, "import", level.import));
  return level;
}

Result<Level> LoadLevel(const fs::path& file) {
  XSP_TRY(const std::string yaml, os::ReadFile(file));
  try {
    return ReadLevel(file, YAML::Load(yaml));
  } catch (const YAML::Exception& error) {
    return BrokenYaml(file, error.mark, error.msg, kLevelHint);
  }
}

/// A level rests on one of points, as it does itself: both are looked up point by point.
Status CheckRests(const fs::path& folder, const std::vector<Level>& levels) {
  for (const Level& level : levels) {
    if (level.rests_on.empty()) continue;
    const Level* base = FindLevel(levels, level.rests_on);
    if (base != nullptr && base != &level && !base->of_experiment && !level.of_experiment) continue;
    return Error{ErrorKind::kBadInput,
                 fmt::format("level does not rest on another level of points: {}: {}",
                             (folder / (level.name + ".yaml")).string(), level.rests_on),
                 kLevelHint};
  }
  return Ok{};
}

}  // namespace

Result<std::vector<Level>> LoadLevels(const fs::path& folder) {
  std::vector<Level> levels;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::end(entry);
       entry.increment(error)) {
    if (entry->path().extension() != ".yaml") continue;
    XSP_TRY(Level level, LoadLevel(entry->path()));
    levels.push_back(std::move(level));
  }
  if (levels.empty()) {
    return Error{ErrorKind::kBadInput, fmt::format("no levels in folder: {}", folder.string()),
                 "Set XSP_HOME to the folder that holds levels/."};
  }
  std::sort(levels.begin(), levels.end(),
            [](const Level& a, const Level& b) { return a.name < b.name; });
  XSP_RETURN_IF_ERROR(CheckRests(folder, levels));
  return levels;
}

Result<const std::vector<Level>*> KnownLevels() {
  static std::mutex mutex;
  static std::map<fs::path, std::vector<Level>> read;  // By folder: XSP_HOME may change.
  const std::lock_guard lock(mutex);
  const fs::path folder = os::DataRoot() / "levels";
  auto known = read.find(folder);
  if (known == read.end()) {
    XSP_TRY(std::vector<Level> levels, LoadLevels(folder));
    known = read.emplace(folder, std::move(levels)).first;
  }
  return &known->second;
}

const Level* FindLevel(const std::vector<Level>& levels, std::string_view name) {
  const auto found = std::find_if(levels.begin(), levels.end(),
                                  [&](const Level& level) { return level.name == name; });
  return found == levels.end() ? nullptr : &*found;
}

std::vector<Level> NeededLevels(const std::vector<Level>& levels,
                                const std::vector<std::string>& needs) {
  std::set<std::string_view> names;
  for (const std::string& need : needs) {
    const Level* level = FindLevel(levels, need);
    while (level != nullptr && names.insert(level->name).second)
      level = FindLevel(levels, level->rests_on);
  }
  std::vector<Level> needed;
  std::ranges::copy_if(levels, std::back_inserter(needed),
                       [&](const Level& level) { return names.contains(level.name); });
  return needed;
}

}  // namespace xsp::analyze
