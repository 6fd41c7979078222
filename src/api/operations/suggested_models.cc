#include "api/operations/suggested_models.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "measure/manifest/manifest.h"
#include "measure/models/zoo.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string TextIn(const json& object, const char* key) {
  if (!object.is_object()) return {};
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<manifest::Manifest> Read(const fs::path& file) {
  auto manifest = manifest::ReadManifest(file);
  if (!manifest.ok()) return {};
  return std::move(manifest).value();
}

/// The model.yaml beside a model's file, if it names the file or none.
std::optional<manifest::Manifest> ReadBeside(const fs::path& file) {
  auto manifest = Read(file.parent_path() / "model.yaml");
  if (!manifest || manifest->files.empty()) return manifest;
  const bool names_it = std::ranges::any_of(manifest->files, [&](const manifest::ModelFile& one) {
    return fs::path(one.file).filename() == file.filename();
  });
  if (!names_it) return {};
  return manifest;
}

/// What `xsp run` was given, and the model's file that it ran.
struct GivenModel {
  std::string model, manifest;
  fs::path file;  ///< Absolute.
};

/// A model of the zoo lies in the cache as zoo/NAME/KEY/FILE.
bool IsOfZoo(const GivenModel& given) {
  const fs::path folder = given.file.parent_path().parent_path();
  return folder.filename() == given.model && folder.parent_path().filename() == "zoo";
}

std::optional<manifest::Manifest> FindManifest(const GivenModel& given) {
  if (IsOfZoo(given)) {
    auto zoo = models::FindInZoo(given.model);
    if (zoo.ok() && zoo.value()) return zoo.value()->manifest;
    return {};
  }
  // Paths were relative to where `xsp run` was started: the manifest most often lies beside the
  // model's file.
  for (const std::string& named : {given.manifest, given.model}) {
    const fs::path path(named);
    if (!manifest::IsManifestName(path)) continue;
    if (auto manifest = Read(path)) return manifest;
    if (auto manifest = Read(given.file.parent_path() / path.filename())) return manifest;
  }
  return ReadBeside(given.file);
}

}  // namespace

suggest::ModelFacts SuggestedModels::Find(const json& experiment) {
  if (!experiment.is_object()) return {};
  const auto request = experiment.find("request"), file = experiment.find("model_file");
  if (request == experiment.end() || file == experiment.end()) return {};
  const GivenModel given{TextIn(*request, "model"), TextIn(*request, "manifest"),
                         TextIn(*file, "path")};
  if (given.model.empty()) return {};
  const auto [at, is_new] = known_.try_emplace({given.model, given.manifest, given.file.string()});
  if (!is_new) return at->second;
  if (const auto found = FindManifest(given)) at->second = {found->task, found->weights, true};
  return at->second;
}

}  // namespace xsp::api
