#include "measure/models/zoo_python.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "measure/models/python_modules.h"
#include "measure/models/zoo_maker.h"

namespace xsp::models {
namespace {

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
  const std::vector<std::string> names(all.begin(), all.end());
  std::vector<std::pair<std::string, PythonModules>> pythons;
  for (const std::string& python : PythonCandidates()) {
    auto found = LookForModules(python, names);
    if (found.ok() && found.value()) pythons.emplace_back(python, std::move(*found.value()));
  }
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
