#include "evaluate/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <chrono>

#include "base/files.h"
#include "base/paths.h"
#include "base/sha256.h"
#include "base/subprocess.h"

namespace xsp::evaluate {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uint64_t kManifestLimitBytes = 1 << 20;
/// Making a model may fetch weights over a slow line.
constexpr auto kMakeTimeout = std::chrono::minutes(30);
constexpr auto kProbeTimeout = std::chrono::minutes(2);
constexpr std::size_t kHashCharacters = 16;

Error ManifestError(const fs::path& path, std::string_view what) {
  return {ErrorKind::kBadInput, fmt::format("manifest is wrong: {}: {}", path.string(), what),
          "See zoo/README.md for what a manifest says."};
}

Result<json> ReadInputs(const YAML::Node& node, const fs::path& path) {
  json inputs = json::array();
  if (!node.IsSequence()) return ManifestError(path, "inputs is not a list");
  for (const YAML::Node& item : node) {
    if (!item.IsMap() || !item["dtype"] || !item["shape"] || !item["shape"].IsSequence())
      return ManifestError(path, "an input needs name, dtype and shape (a list)");
    json input = {{"name", item["name"].as<std::string>("input")},
                  {"dtype", item["dtype"].as<std::string>()},
                  {"shape", json::array()}};
    for (const YAML::Node& size : item["shape"]) {
      if (size.as<std::string>() == "batch") {
        input["shape"].push_back("batch");
      } else if (const auto number = size.as<std::int64_t>(0); number > 0) {
        input["shape"].push_back(number);
      } else {
        return ManifestError(path,
                             fmt::format("a shape holds neither a positive number nor batch: {}",
                                         size.as<std::string>()));
      }
    }
    inputs.push_back(std::move(input));
  }
  return inputs;
}

fs::path ZooFolder() { return base::DataRoot() / "zoo"; }

/// Keyed by what makes it: a changed make.py makes a new file.
fs::path KeptFile(const Manifest& manifest, const fs::path& folder) {
  const auto script = base::ReadFile(folder / "make.py");
  const std::string key =
      script.ok() ? base::Sha256(script.value()).substr(0, kHashCharacters) : "none";
  return base::CacheFolder() / "zoo" / manifest.name / key / manifest.file;
}

Result<ZooModel> ReadZooModel(const fs::path& folder) {
  ZooModel model;
  XSP_TRY(model.manifest, ReadManifest(folder / "manifest.yaml"));
  if (model.manifest.file.empty() || fs::path(model.manifest.file).has_parent_path())
    return ManifestError(folder / "manifest.yaml", "file must be a file name");
  // The folder's name is the one that users type.
  model.manifest.name = folder.filename().string();
  model.folder = folder;
  model.file = KeptFile(model.manifest, folder);
  std::error_code error;
  model.made = fs::is_regular_file(model.file, error);
  return model;
}

Result<std::string> FindPython(const std::vector<std::string>& packages, int wake_fd) {
  std::vector<std::string> candidates;
  if (auto chosen = base::Environment("XSP_PYTHON")) candidates.push_back(*chosen);
  candidates.push_back("python3");
  candidates.push_back((base::DataRoot() / ".deps" / "python" / "bin" / "python").string());
  for (const std::string& python : candidates) {
    base::SpawnOptions options;
    options.argv = {python, "-c", fmt::format("import {}", fmt::join(packages, ", "))};
    const auto done = base::RunToEnd(options, kProbeTimeout, 1 << 20, wake_fd);
    if (done.ok() && done.value().exit.success()) return python;
    if (!done.ok() && done.error().kind == ErrorKind::kInterrupted) return done.error();
  }
  return Error{ErrorKind::kNotPossible,
               fmt::format("no Python with {} (tried {})", fmt::join(packages, " and "),
                           fmt::join(candidates, ", ")),
               fmt::format("Run tools/setup, or `python3 -m pip install {}` into the active Python "
                           "environment, or name a Python that has it in XSP_PYTHON.",
                           fmt::join(packages, " "))};
}

Result<Model> Finish(Model model) {
  std::error_code error;
  const fs::file_status status = fs::status(model.path, error);
  if (!fs::exists(status)) {
    return Error{ErrorKind::kBadInput, fmt::format("no such file: {}", model.path.string()), ""};
  }
  if (fs::is_directory(status)) {
    return Error{ErrorKind::kBadInput, fmt::format("model is a directory: {}", model.path.string()),
                 "Name the model file in it."};
  }
  model.size_bytes = static_cast<std::int64_t>(fs::file_size(model.path, error));
  if (!error && model.size_bytes == 0) {
    return Error{ErrorKind::kBadInput, fmt::format("model file is empty: {}", model.path.string()),
                 "It may not have been written or fetched to its end."};
  }
  XSP_TRY(model.sha256, base::Sha256OfFile(model.path));
  return model;
}

Error NoSuchModel(const std::string& text) {
  std::vector<std::string> names;
  for (const ZooModel& model : ListZoo()) names.push_back(model.manifest.name);
  return {ErrorKind::kBadInput, fmt::format("no such model file or zoo model: {}", text),
          names.empty() ? "The zoo is empty."
                        : fmt::format("Zoo models are {}.", fmt::join(names, ", "))};
}

}  // namespace

Result<Manifest> ReadManifest(const fs::path& path) {
  XSP_TRY(const std::string text, base::ReadFile(path, kManifestLimitBytes));
  try {
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) return ManifestError(path, "not a map of keys");
    Manifest manifest;
    manifest.name = root["name"].as<std::string>("");
    manifest.title = root["title"].as<std::string>("");
    manifest.framework = root["framework"].as<std::string>("");
    manifest.file = root["file"].as<std::string>("");
    if (root["needs"]) manifest.needs = root["needs"].as<std::vector<std::string>>();
    if (root["inputs"]) {
      XSP_TRY(manifest.inputs, ReadInputs(root["inputs"], path));
    }
    return manifest;
  } catch (const YAML::Exception& error) {
    return ManifestError(path, fmt::format("{} (line {})", error.msg, error.mark.line + 1));
  }
}

std::vector<ZooModel> ListZoo() {
  std::vector<ZooModel> models;
  std::error_code error;
  for (fs::directory_iterator it(ZooFolder(), error), end; !error && it != end;
       it.increment(error)) {
    if (!fs::exists(it->path() / "manifest.yaml", error)) continue;
    auto model = ReadZooModel(it->path());
    if (model.ok()) models.push_back(std::move(model).value());
  }
  std::sort(models.begin(), models.end(),
            [](const ZooModel& a, const ZooModel& b) { return a.manifest.name < b.manifest.name; });
  return models;
}

Result<std::optional<ZooModel>> FindInZoo(std::string_view name) {
  std::error_code error;
  if (name.empty() || name.front() == '.' || name.find('/') != std::string_view::npos)
    return std::optional<ZooModel>();
  const fs::path folder = ZooFolder() / name;
  if (!fs::exists(folder / "manifest.yaml", error)) return std::optional<ZooModel>();
  XSP_TRY(ZooModel model, ReadZooModel(folder));
  return std::optional<ZooModel>(std::move(model));
}

Status MakeZooModel(const ZooModel& model, Progress& progress, int wake_fd) {
  if (model.made) return Ok{};
  // A framework is called in a manifest as its Python module is.
  std::vector<std::string> packages = model.manifest.needs;
  if (packages.empty()) packages = {model.manifest.framework};
  progress.Step(fmt::format("looking for a Python with {}", fmt::join(packages, " and ")), 0, -1);
  XSP_TRY(const std::string python, FindPython(packages, wake_fd));

  std::error_code error;
  fs::create_directories(model.file.parent_path(), error);
  if (error) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot make the cache folder: {}: {}",
                             model.file.parent_path().string(), error.message()),
                 "Name another one in XSP_CACHE."};
  }
  progress.Note(fmt::format("making {} with {} (once; kept in {})", model.manifest.name, python,
                            model.file.parent_path().string()));
  progress.Step(fmt::format("making {}", model.manifest.name), 0, -1);
  const fs::path temporary =
      model.file.parent_path() / fmt::format("tmp-{}-{}", getpid(), model.manifest.file);
  base::SpawnOptions options;
  options.argv = {python, (model.folder / "make.py").string(), temporary.string()};
  const auto done = base::RunToEnd(options, kMakeTimeout, 1 << 24, wake_fd);
  if (done.ok() && done.value().exit.success() && fs::is_regular_file(temporary, error)) {
    fs::rename(temporary, model.file, error);
    if (!error) return Ok{};
  }
  std::error_code ignored;
  fs::remove(temporary, ignored);
  if (!done.ok()) return done.error();
  std::string_view tail = done.value().stderr_tail;
  while (!tail.empty() && tail.back() == '\n') tail.remove_suffix(1);
  return Error{ErrorKind::kEnvironment,
               fmt::format("cannot make the model {}: {}: {}", model.manifest.name,
                           base::ToString(done.value().exit), tail.substr(tail.rfind('\n') + 1)),
               fmt::format("Run it by hand to see more: {} {} {}", python,
                           (model.folder / "make.py").string(), model.manifest.file)};
}

Result<Model> ResolveModel(const std::string& text, const fs::path& manifest_path,
                           Progress& progress, int wake_fd) {
  std::error_code error;
  const fs::path path(text);
  Model model;
  Manifest manifest;
  if (!fs::is_regular_file(path, error)) {
    XSP_TRY(const std::optional<ZooModel> zoo, FindInZoo(text));
    if (zoo) {
      XSP_RETURN_IF_ERROR(MakeZooModel(*zoo, progress, wake_fd));
      manifest = zoo->manifest;
      model.path = zoo->file;
    } else if (text.empty() || !fs::exists(path, error)) {
      return NoSuchModel(text);
    }
  }
  if (model.path.empty()) model.path = fs::absolute(path, error);
  const fs::path beside = model.path.parent_path() / "model.yaml";
  if (!manifest_path.empty()) {
    XSP_TRY(manifest, ReadManifest(manifest_path));
  } else if (manifest.name.empty() && fs::exists(beside, error)) {
    XSP_TRY(Manifest found, ReadManifest(beside));
    // A folder of models has one model.yaml: it speaks of the file that it names.
    if (found.file.empty() || found.file == model.path.filename()) manifest = std::move(found);
  }
  model.name = manifest.name.empty() ? model.path.stem().string() : manifest.name;
  model.framework = manifest.framework;
  model.inputs = manifest.inputs;
  return Finish(std::move(model));
}

}  // namespace xsp::evaluate
