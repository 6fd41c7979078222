#include "store/directory.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/json_text.h"
#include "os/files.h"
#include "store/mirror.h"
#include "store/schema.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

bool IsFile(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

Error BadInput(std::string what, std::string hint = {}) {
  return {ErrorKind::kBadInput, std::move(what), std::move(hint)};
}

Result<nlohmann::json> ReadVersioned(const fs::path& file) {
  XSP_TRY(const std::string text, os::ReadFile(file));
  nlohmann::json json = core::ParseJson(text);
  if (!json.is_object()) {
    return BadInput(fmt::format("not a JSON object: {}", file.string()),
                    "The file is damaged; the run has to be measured or imported again.");
  }
  const auto version = json.find("format_version");
  if (version == json.end() || !version->is_number_integer()) {
    return BadInput(fmt::format("format_version is missing: {}", file.string()),
                    "The file was not written by XSP, or is damaged.");
  }
  if (const auto value = version->get<std::int64_t>(); value > kFormatVersion) {
    return BadInput(
        fmt::format("written by a newer XSP: format version {}, this program reads up to {}: {}",
                    value, kFormatVersion, file.string()),
        "Open it with the XSP that wrote it, or update this one.");
  }
  return json;
}

std::vector<RunFolder> FindRuns(const fs::path& experiment) {
  std::vector<RunFolder> runs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(experiment, error)) {
    if (IsFile(entry.path() / "run.json")) {
      runs.push_back({entry.path().filename().string(), entry.path()});
    }
  }
  std::sort(runs.begin(), runs.end(),
            [](const RunFolder& a, const RunFolder& b) { return a.name < b.name; });
  return runs;
}

bool HoldsTables(const fs::path& path) {
  return std::any_of(Schema().begin(), Schema().end(), [&](const TableSchema& table) {
    return IsFile(path / (table.name + ".parquet"));
  });
}

}  // namespace

Result<Directory> Inspect(const fs::path& path) {
  XSP_RETURN_IF_ERROR(Fetch(path, [](std::string_view file) { return file.ends_with(".json"); }));
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    return BadInput(fmt::format("no such directory: {}", path.string()));
  }
  Directory directory{Directory::Kind::kExperiment, path, nullptr, {}};
  if (IsFile(path / "run.json")) {
    directory.kind = Directory::Kind::kRun;
    XSP_TRY(directory.json, ReadVersioned(path / "run.json"));
    return directory;
  }
  directory.runs = FindRuns(path);
  if (IsFile(path / "experiment.json")) {
    XSP_TRY(directory.json, ReadVersioned(path / "experiment.json"));
  } else if (directory.runs.empty() && !HoldsTables(path)) {
    return BadInput(fmt::format("not a run or an experiment of XSP: {}", path.string()),
                    "Name a folder that holds experiment.json or run.json; `xsp list` shows them.");
  }
  return directory;
}

}  // namespace xsp::store
