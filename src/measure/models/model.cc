#include "measure/models/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "measure/models/model_format.h"
#include "os/sha256.h"

namespace xsp::models {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// What a folder must hold to be a model: TensorFlow's is the only format of that kind.
constexpr const char* kSavedModel = "saved_model.pb";

Error NoSuchFormat(const manifest::Manifest& manifest, const std::vector<std::string>& formats) {
  std::vector<std::string> has;
  for (const manifest::ModelFile& file : manifest.files) has.push_back(file.format);
  return {ErrorKind::kNotPossible,
          fmt::format("model {} has none of the formats {} (it has {})", manifest.name,
                      fmt::join(formats, ", "), fmt::join(has, ", ")),
          "Choose a backend that reads one of its formats: `xsp zoo list`, `xsp doctor`."};
}

/// The regular files below `folder`, sorted.
std::vector<fs::path> FilesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Size and hash of the files that make up a model.
Status Measure(const std::vector<fs::path>& files, const fs::path& root, Model& model) {
  std::string listing;
  for (const fs::path& file : files) {
    std::error_code error;
    const auto size = static_cast<std::int64_t>(fs::file_size(file, error));
    if (!error) model.size_bytes += size;
    XSP_TRY(const std::string sum, os::Sha256OfFile(file));
    listing += fmt::format("{}  {}\n", sum, file.lexically_relative(root).string());
    model.sha256 = sum;
  }
  if (files.size() != 1) model.sha256 = os::Sha256(listing);
  return Ok{};
}

/// Fills in size and hash. `parts`: everything in this folder belongs to the model (of the zoo).
Status Finish(Model& model, const fs::path& parts, const std::string& expected_sha256) {
  std::error_code error;
  const fs::file_status status = fs::status(model.path, error);
  if (!fs::exists(status)) {
    return Error{ErrorKind::kBadInput, fmt::format("no such file: {}", model.path.string()), ""};
  }
  if (fs::is_directory(status) && parts.empty() && !fs::exists(model.path / kSavedModel, error)) {
    return Error{ErrorKind::kBadInput, fmt::format("model is a directory: {}", model.path.string()),
                 "Name the model file in it. A SavedModel's folder holds saved_model.pb."};
  }
  const fs::path root = !parts.empty() ? parts : model.path;
  XSP_RETURN_IF_ERROR(fs::is_directory(root, error)
                          ? Measure(FilesBelow(root), root, model)
                          : Measure({model.path}, model.path.parent_path(), model));
  if (model.size_bytes == 0) {
    return Error{ErrorKind::kBadInput, fmt::format("model file is empty: {}", model.path.string()),
                 "It may be incomplete."};
  }
  if (!expected_sha256.empty() && expected_sha256 != model.sha256) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("model file has another checksum than in its manifest: {}: {}, not {}",
                             model.path.string(), model.sha256, expected_sha256),
                 "Download it again, or correct sha256 in the manifest."};
  }
  return Ok{};
}

void TakeOver(const manifest::Manifest& manifest, Model& model) {
  model.manifest = manifest;
  if (!manifest.name.empty()) model.name = manifest.name;
  model.framework = manifest.framework.name;
  model.inputs = manifest::InputsForJob(manifest);
}

Result<Model> ResolveZooModel(const ZooModel& zoo, const std::vector<std::string>& formats,
                              core::Progress& progress, int wake_fd, ZooMaking making) {
  const manifest::ModelFile* wanted = ChooseFile(zoo.manifest, formats);
  if (wanted == nullptr) return NoSuchFormat(zoo.manifest, formats);
  ZooFile file = *zoo.Find(wanted->format);
  if (making == ZooMaking::kMake) {
    XSP_TRY(file, MakeZooFile(zoo, file, progress, wake_fd));
  }
  Model model;
  TakeOver(zoo.manifest, model);
  model.path = file.path;
  model.format = file.format;
  model.folder = zoo.folder;
  model.is_made = making == ZooMaking::kMake || file.made;
  if (!model.is_made) return model;
  XSP_RETURN_IF_ERROR(Finish(model, file.folder, wanted->sha256));
  return model;
}

Result<manifest::Manifest> ReadWithNotes(const fs::path& path, core::Progress& progress) {
  XSP_TRY(manifest::Manifest manifest, manifest::ReadManifest(path));
  if (manifest.is_mlmodelscope) {
    progress.Note(
        fmt::format("manifest is one of MLModelScope; `xsp model check {}` lists the fields that "
                    "were not converted",
                    path.string()));
  }
  return manifest;
}

/// A model by its manifest: one of the files that it names.
Result<Model> ResolveByManifest(const fs::path& path, const manifest::Manifest& manifest,
                                const std::vector<std::string>& formats) {
  if (manifest.files.empty()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("manifest names no model file: {}", path.string()),
                 "Add `files`, or name the model's file and pass this manifest with --manifest."};
  }
  const manifest::ModelFile* file = ChooseFile(manifest, formats);
  if (file == nullptr) return NoSuchFormat(manifest, formats);
  Model model;
  std::error_code error;
  model.folder = fs::absolute(path, error).parent_path();
  model.path = model.folder / file->file;
  model.name = model.path.stem().string();
  model.format = file->format;
  TakeOver(manifest, model);
  XSP_RETURN_IF_ERROR(Finish(model, {}, file->sha256));
  return model;
}

/// The file of `manifest` that is called as `path` is, or null.
const manifest::ModelFile* FileCalled(const manifest::Manifest& manifest, const fs::path& path) {
  for (const manifest::ModelFile& file : manifest.files)
    if (fs::path(file.file).filename() == path.filename()) return &file;
  return nullptr;
}

Result<Model> ResolveFile(const fs::path& path, const fs::path& manifest_path,
                          core::Progress& progress) {
  std::error_code error;
  Model model;
  model.path = ModelPath(path);
  model.folder = model.path.parent_path();
  model.name = model.path.stem().string();
  const fs::path beside = model.path.parent_path() / "model.yaml";
  std::string sha256;
  if (!manifest_path.empty() || fs::exists(beside, error)) {
    const fs::path& used = manifest_path.empty() ? beside : manifest_path;
    XSP_TRY(const manifest::Manifest manifest, ReadWithNotes(used, progress));
    const manifest::ModelFile* file = FileCalled(manifest, model.path);
    // A folder of models has one model.yaml: it speaks of the files that it names.
    if (!manifest_path.empty() || manifest.files.empty() || file != nullptr) {
      TakeOver(manifest, model);
      model.folder = fs::absolute(used, error).parent_path();
    }
    if (file != nullptr) {
      model.format = file->format;
      sha256 = file->sha256;
    }
  }
  XSP_RETURN_IF_ERROR(Finish(model, {}, sha256));
  return model;
}

}  // namespace

const manifest::ModelFile* ChooseFile(const manifest::Manifest& manifest,
                                      const std::vector<std::string>& formats) {
  if (formats.empty()) return manifest.files.empty() ? nullptr : &manifest.files.front();
  for (const std::string& format : formats) {
    for (const manifest::ModelFile& file : manifest.files) {
      const bool by_extension = format.starts_with('.') && file.file.ends_with(format);
      if (file.format == format || by_extension) return &file;
    }
  }
  return nullptr;
}

Result<Model> ResolveModel(const std::string& text, const fs::path& manifest_path,
                           const std::vector<std::string>& formats, core::Progress& progress,
                           int wake_fd, ZooMaking making) {
  std::error_code error;
  const fs::path path(text);
  const bool is_file = !text.empty() && fs::is_regular_file(path, error);
  if (!is_file) {
    XSP_TRY(const std::optional<ZooModel> zoo, FindInZoo(text));
    if (zoo) {
      XSP_TRY(Model model, ResolveZooModel(*zoo, formats, progress, wake_fd, making));
      if (manifest_path.empty()) return model;
      XSP_TRY(const manifest::Manifest manifest, ReadWithNotes(manifest_path, progress));
      TakeOver(manifest, model);
      return model;
    }
    if (text.empty() || !fs::exists(path, error))
      return NoSuchZooModel(text, "model file or zoo model");
  }
  if (is_file && manifest::IsManifestName(path)) {
    XSP_TRY(const manifest::Manifest manifest, ReadWithNotes(path, progress));
    return ResolveByManifest(path, manifest, formats);
  }
  return ResolveFile(path, manifest_path, progress);
}

Result<Model> ResolveModel(const std::string& text, const fs::path& manifest,
                           core::Progress& progress, int wake_fd) {
  return ResolveModel(text, manifest, {}, progress, wake_fd);
}

}  // namespace xsp::models
