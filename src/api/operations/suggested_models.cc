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
std::optional<manifest::Manifest> ReadBeside(const fs::path& model) {
  auto manifest = Read(model.parent_path() / "model.yaml");
  if (!manifest || manifest->files.empty()) return manifest;
  const bool names_it = std::ranges::any_of(manifest->files, [&](const manifest::ModelFile& file) {
    return fs::path(file.file).filename() == model.filename();
  });
  if (!names_it) return {};
  return manifest;
}

std::optional<manifest::Manifest> FindManifest(const std::string& model,
                                               const std::string& manifest) {
  if (!manifest.empty()) return Read(manifest);
  const fs::path path(model);
  std::error_code error;
  // As `xsp run` does: a file before a model of the zoo.
  if (path.extension() == ".yaml" || path.extension() == ".yml") return Read(path);
  if (fs::exists(path, error)) return ReadBeside(path);
  auto zoo = models::FindInZoo(model);
  if (!zoo.ok() || !zoo.value()) return {};
  return zoo.value()->manifest;
}

}  // namespace

suggest::ModelFacts SuggestedModels::Find(const json& experiment) {
  const auto request = experiment.is_object() ? experiment.find("request") : experiment.end();
  if (!experiment.is_object() || request == experiment.end()) return {};
  const std::string model = TextIn(*request, "model"), manifest = TextIn(*request, "manifest");
  if (model.empty()) return {};
  const auto [at, is_new] = known_.try_emplace({model, manifest});
  if (!is_new) return at->second;
  if (const auto found = FindManifest(model, manifest))
    at->second = {found->task, found->weights, true};
  return at->second;
}

}  // namespace xsp::api
