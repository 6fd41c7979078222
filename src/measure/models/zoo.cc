#include "measure/models/zoo.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "core/nearest_word.h"
#include "measure/models/python_modules.h"
#include "measure/models/zoo_maker.h"
#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::models {

namespace fs = std::filesystem;

namespace {

/// Making a model may fetch weights over a slow line.
constexpr auto kMakeTimeout = std::chrono::minutes(30);

fs::path ZooFolder() { return os::DataRoot() / "zoo"; }
fs::path MakersFolder() { return ZooFolder() / "makers"; }

/// What is in `folder` by the name `file`: itself, else the best whose name begins with it and `.`
/// or
/// `-`: a `.json` (the graph, where weights lie beside it), else the first; empty: nothing.
fs::path FindMade(const fs::path& folder, const std::string& file) {
  std::error_code error;
  if (fs::exists(folder / file, error)) return folder / file;
  std::vector<fs::path> parts;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with(file + ".") || name.starts_with(file + "-")) parts.push_back(it->path());
  }
  if (parts.empty()) return {};
  return *std::min_element(parts.begin(), parts.end(), [](const fs::path& a, const fs::path& b) {
    return std::pair(a.extension() != ".json", a) < std::pair(b.extension() != ".json", b);
  });
}

ZooFile FileOf(const manifest::Manifest& manifest, const manifest::ModelFile& item,
               const fs::path& folder) {
  ZooFile file;
  file.format = item.format;
  file.maker = folder / fmt::format("make_{}.py", item.format);
  std::error_code error;
  file.own_maker = fs::exists(file.maker, error);
  if (!file.own_maker) file.maker = MakersFolder() / (item.format + ".py");
  file.folder =
      os::CacheFolder() / "zoo" / manifest.name / KeyOf(folder, file.maker, MakersFolder());
  file.path = FindMade(file.folder, item.file);
  file.made = !file.path.empty();
  if (!file.made) file.path = file.folder / item.file;
  return file;
}

Result<ZooModel> ReadZooModel(const fs::path& folder) {
  const fs::path path = folder / "manifest.yaml";
  ZooModel model;
  XSP_TRY(model.manifest, manifest::ReadManifest(path));
  const auto wrong = [&](std::string_view what) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("manifest is wrong: {}: {}", path.string(), what),
                 "zoo/README.md describes the manifests of the zoo."};
  };
  if (model.manifest.files.empty()) return wrong("a model of the zoo needs files");
  for (const manifest::ModelFile& file : model.manifest.files) {
    if (file.format.empty()) return wrong("a model of the zoo needs files by format");
    if (file.file != fs::path(file.file).filename())
      return wrong(fmt::format("in the zoo a file is a name, not a path: {}", file.file));
  }
  // The folder's name is the one that users type.
  model.manifest.name = folder.filename().string();
  model.folder = folder;
  for (const manifest::ModelFile& file : model.manifest.files)
    model.files.push_back(FileOf(model.manifest, file, folder));
  return model;
}

Error CannotWrite(const fs::path& folder, const std::error_code& error) {
  return {ErrorKind::kEnvironment,
          fmt::format("cannot make the cache folder: {}: {}", folder.string(), error.message()),
          "Choose another folder with XSP_CACHE."};
}

/// A folder beside the one that a file will be kept in; removed again unless it was renamed.
class WorkFolder {
 public:
  explicit WorkFolder(const ZooFile& file)
      : path_(file.folder.parent_path() /
              fmt::format("tmp-{}-{}", getpid(), file.folder.filename().string())) {}
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

  Status Create() {
    std::error_code error;
    fs::remove_all(path_, error);
    fs::create_directories(path_, error);
    if (error) return CannotWrite(path_, error);
    return Ok{};
  }

  /// Whoever was first has made the same.
  Status MoveTo(const fs::path& place, const std::string& file) {
    std::error_code error;
    fs::rename(path_, place, error);
    if (!error || !FindMade(place, file).empty()) return Ok{};
    fs::remove_all(place, error);
    fs::rename(path_, place, error);
    if (error) return CannotWrite(place, error);
    return Ok{};
  }

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// What the Python that runs a maker must be able to import.
Result<std::vector<std::string>> NeedsOf(const ZooModel& model, const ZooFile& file) {
  XSP_TRY(ProgramNotes notes, ReadProgramNotes(file.maker));
  std::vector<std::string> needs = std::move(notes.needs);
  const auto& imports = notes.imports;
  const bool runs_model = std::find(imports.begin(), imports.end(), "model.py") != imports.end();
  if (!runs_model) return needs;
  for (const std::string& module : model.manifest.needs)
    if (std::find(needs.begin(), needs.end(), module) == needs.end()) needs.push_back(module);
  return needs;
}

Error MakerFailed(const ZooModel& model, const ZooFile& file, const std::string& python,
                  const os::Completed& done) {
  std::string_view tail = done.stderr_tail;
  while (!tail.empty() && tail.back() == '\n') tail.remove_suffix(1);
  const std::string_view last = tail.substr(tail.rfind('\n') + 1);
  const std::string why = done.exit.success() ? "its maker wrote nothing" : os::ToString(done.exit);
  return {ErrorKind::kEnvironment,
          fmt::format("cannot build the model {} as {}: {}{}{}", model.manifest.name, file.format,
                      why, last.empty() ? "" : ": ", last),
          fmt::format("Run it manually for details: {} {}{}{} {}", python, file.maker.string(),
                      file.own_maker ? "" : " ", file.own_maker ? "" : model.folder.string(),
                      file.path.filename().string())};
}

bool HasAll(const PythonModules& modules) {
  return std::ranges::all_of(modules, [](const auto& item) { return item.second.has_value(); });
}

Result<ZooFile> MakeWith(const std::string& python, const ZooModel& model, const ZooFile& file,
                         core::Progress& progress, int wake_fd) {
  WorkFolder work(file);
  XSP_RETURN_IF_ERROR(work.Create());
  progress.Note(fmt::format("building {} as {} with {} (once; cached in {})", model.manifest.name,
                            file.format, python, file.folder.string()));
  progress.Step(fmt::format("building {} as {}", model.manifest.name, file.format), 0, -1);
  const std::string name = file.path.filename().string();
  os::SpawnOptions options;
  options.argv = {python, file.maker.string()};
  if (!file.own_maker) options.argv.push_back(model.folder.string());
  options.argv.push_back((work.path() / name).string());
  // The zoo may lie where nothing can be written.
  options.environment = {{"PYTHONDONTWRITEBYTECODE", "1"}};
  XSP_TRY(const os::Completed done, os::RunToEnd(options, kMakeTimeout, 1 << 24, wake_fd));
  if (!done.exit.success() || FindMade(work.path(), name).empty())
    return MakerFailed(model, file, python, done);
  XSP_RETURN_IF_ERROR(work.MoveTo(file.folder, name));
  ZooFile made = file;
  made.path = FindMade(file.folder, name);
  made.made = true;
  return made;
}

}  // namespace

const ZooFile* ZooModel::Find(std::string_view format) const {
  for (const ZooFile& file : files)
    if (file.format == format) return &file;
  return nullptr;
}

ZooList ListZoo() {
  ZooList list;
  std::error_code error;
  for (fs::directory_iterator it(ZooFolder(), error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (!fs::exists(it->path() / "manifest.yaml", ignored)) continue;
    auto model = ReadZooModel(it->path());
    if (model.ok()) {
      list.models.push_back(std::move(model).value());
    } else {
      list.broken.push_back(model.error());
    }
  }
  std::sort(list.models.begin(), list.models.end(),
            [](const ZooModel& a, const ZooModel& b) { return a.manifest.name < b.manifest.name; });
  return list;
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

Error NoSuchZooModel(const std::string& name, std::string_view what) {
  constexpr std::size_t kMostShown = 12;
  const ZooList zoo = ListZoo();
  std::vector<std::string_view> names;
  for (const ZooModel& model : zoo.models) names.push_back(model.manifest.name);
  const std::string_view meant = core::NearestWord(name, names);
  std::string hint = "`xsp zoo list` shows the models of the zoo.";
  if (!meant.empty()) {
    hint = fmt::format("Did you mean {}? {}", meant, hint);
  } else if (names.empty()) {
    hint = "The zoo is empty.";
  } else if (names.size() <= kMostShown) {
    hint = fmt::format("Zoo models are {}.", fmt::join(names, ", "));
  }
  return {ErrorKind::kBadInput, fmt::format("no such {}: {}", what, name), std::move(hint)};
}

std::vector<std::string> FormatsWithMaker() {
  std::vector<std::string> formats;
  std::error_code error;
  for (fs::directory_iterator it(MakersFolder(), error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".py") formats.push_back(it->path().stem().string());
  }
  std::sort(formats.begin(), formats.end());
  return formats;
}

Result<ZooFile> MakeZooFile(const ZooModel& model, const ZooFile& file, core::Progress& progress,
                            int wake_fd) {
  if (file.made) return file;
  std::error_code error;
  if (!fs::exists(file.maker, error)) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("no maker of {} files of zoo models: {} is missing", file.format,
                             file.maker.string()),
                 fmt::format("Formats with a maker are {}.", fmt::join(FormatsWithMaker(), ", "))};
  }
  XSP_TRY(const std::vector<std::string> needs, NeedsOf(model, file));
  std::optional<Error> failed;
  const std::vector<std::string> candidates = PythonCandidates();
  for (const std::string& python : candidates) {
    progress.Step(fmt::format("looking for a Python with {}", fmt::join(needs, " and ")), 0, -1);
    XSP_TRY(const auto modules, LookForModules(python, needs, wake_fd));
    if (!modules || !HasAll(*modules)) continue;
    auto made = MakeWith(python, model, file, progress, wake_fd);
    if (made.ok() || made.error().kind != ErrorKind::kEnvironment) return made;
    // Only now is it worth the seconds to ask whether that Python's modules are whole.
    XSP_TRY(const bool can_import, CanImport(python, needs, wake_fd));
    if (can_import) return made;
    progress.Note(fmt::format("{} cannot import {}", python, fmt::join(needs, ", ")));
    if (!failed) failed = made.error();
  }
  if (failed) return *failed;
  return Error{ErrorKind::kNotPossible,
               fmt::format("no Python with {} (tried {})", fmt::join(needs, " and "),
                           fmt::join(candidates, ", ")),
               "Run tools/setup, or install these modules into the active Python environment, or "
               "name a Python that has them in XSP_PYTHON; `xsp doctor` lists what is missing."};
}

}  // namespace xsp::models
