#include "measure/models/zoo_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "core/json_text.h"
#include "measure/models/zoo_maker.h"
#include "os/subprocess.h"

namespace xsp::models {
namespace {

using nlohmann::json;
using Modules = std::map<std::string, std::optional<std::string>>;

constexpr std::chrono::seconds kPatience{60};

/// Prints the version of each module that it is given the name of: "" where it is unknown, null
/// where there is no such module. A folder of that name which happens to be here is none.
constexpr const char* kLook = R"(
import importlib.metadata as metadata, importlib.util as util, json, sys
sys.path = [folder for folder in sys.path if folder]
def version(distribution):
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""
def look(module):
    try:
        found = util.find_spec(module)
    except Exception:
        found = None
    if found is None or found.origin is None:
        return None
    distributions = getattr(metadata, "packages_distributions", dict)
    return version(module) or next(map(version, distributions().get(module, [])), "")
print(json.dumps({module: look(module) for module in sys.argv[1:]})))";

/// What a Python has of `modules`; nothing where it does not run.
std::optional<Modules> LookInto(const std::string& python, const std::set<std::string>& modules) {
  os::SpawnOptions options;
  options.argv = {python, "-c", kLook};
  options.argv.insert(options.argv.end(), modules.begin(), modules.end());
  const auto done = os::RunToEnd(options, kPatience);
  if (!done.ok() || !done.value().exit.success()) return std::nullopt;
  const json found = core::ParseJson(done.value().out);
  if (!found.is_object()) return std::nullopt;
  Modules versions;
  for (const std::string& module : modules) {
    const auto it = found.find(module);
    const bool there = it != found.end() && it->is_string();
    versions[module] = there ? std::optional(it->get<std::string>()) : std::nullopt;
  }
  return versions;
}

/// The modules that each maker needs, by what it makes.
std::map<std::string, std::set<std::string>> NeedsOf(const std::vector<ZooModel>& models) {
  std::map<std::string, std::set<std::string>> needs;
  for (const ZooModel& model : models) {
    for (const ZooFile& file : model.files) {
      const auto notes = ReadProgramNotes(file.maker);
      if (!notes.ok()) continue;
      const std::string& name = model.manifest.name;
      std::set<std::string>& its =
          needs[file.own_maker ? fmt::format("{} as {}", name, file.format) : file.format];
      its.insert(notes.value().needs.begin(), notes.value().needs.end());
      const auto& imports = notes.value().imports;
      if (std::find(imports.begin(), imports.end(), "model.py") != imports.end())
        its.insert(model.manifest.needs.begin(), model.manifest.needs.end());
    }
  }
  return needs;
}

}  // namespace

std::vector<std::string> ZooMaker::Missing() const {
  std::vector<std::string> missing;
  for (const auto& [module, version] : modules)
    if (!version) missing.push_back(module);
  return missing;
}

std::vector<ZooMaker> AskForZooMakers(const std::vector<ZooModel>& models) {
  const std::map<std::string, std::set<std::string>> needs = NeedsOf(models);
  std::set<std::string> all;
  for (const auto& [makes, modules] : needs) all.insert(modules.begin(), modules.end());
  std::vector<std::pair<std::string, Modules>> pythons;
  for (const std::string& python : PythonCandidates())
    if (auto found = LookInto(python, all)) pythons.emplace_back(python, std::move(*found));
  std::vector<ZooMaker> makers;
  for (const auto& [makes, modules] : needs) {
    std::optional<ZooMaker> best;
    for (const auto& [python, found] : pythons) {
      ZooMaker maker{makes, python, {}};
      for (const std::string& module : modules) maker.modules[module] = found.at(module);
      if (!best || maker.Missing().size() < best->Missing().size()) best = std::move(maker);
    }
    if (!best) {
      best = ZooMaker{makes, "", {}};
      for (const std::string& module : modules) best->modules[module] = std::nullopt;
    }
    makers.push_back(std::move(*best));
  }
  return makers;
}

}  // namespace xsp::models
