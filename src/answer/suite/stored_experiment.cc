#include "answer/suite/stored_experiment.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "core/json_text.h"
#include "os/files.h"

namespace xsp::suite {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// No object: there is no whole experiment.
json ReadExperiment(const fs::path& experiment) {
  const auto text = os::ReadFile(experiment / "experiment.json");
  json document = core::ParseJson(text.ok() ? text.value() : "");
  return document.is_object() ? document : json();
}

std::string TextAt(const json& object, const char* key) {
  const auto at = object.is_object() ? object.find(key) : object.end();
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

/// What a command line says of what is measured: its words, an option with its values each. What
/// quotes a word is no difference.
std::set<std::string> Settings(std::string command) {
  static const std::set<std::string> no_settings = {
      "--name", "--store", "--format", "--output", "--keep-outputs", "--program-output"};
  std::erase(command, '\'');
  std::set<std::string> settings;
  std::string setting, name;
  const auto take = [&] {
    if (!no_settings.contains(name)) settings.insert(setting);
  };
  std::istringstream words(command);
  for (std::string word; words >> word && word != "--";) {
    if (word.starts_with("--")) {
      take();
      setting = name = word;
    } else {
      setting += " " + word;
    }
  }
  take();
  return settings;
}

/// Of a recorded program: whether it ended otherwise than well. The recording itself is done.
bool HasFailed(const json& document) {
  const auto exit = document.find("program_exit");
  if (exit == document.end() || !exit->is_object()) return false;
  return exit->value("exit_code", json(0)) != 0 || exit->value("signal", json(0)) != 0;
}

bool IsChanged(const fs::path& experiment, const json& file, const fs::path& model) {
  std::error_code error;
  if (!fs::is_regular_file(model, error)) return false;  // A name of the zoo.
  if (fs::path(TextAt(file, "path")).filename() != model.filename()) return false;
  const auto size = file.find("size_bytes");
  if (size != file.end() && size->is_number_integer() &&
      size->get<std::uintmax_t>() != fs::file_size(model, error))
    return true;
  const auto measured = fs::last_write_time(experiment / "experiment.json", error);
  if (error) return false;
  const auto written = fs::last_write_time(model, error);
  return !error && written > measured;
}

}  // namespace

std::string StoredStatus(const fs::path& experiment) {
  const json document = ReadExperiment(experiment);
  if (document.is_null()) return {};
  const std::string status = TextAt(document, "status");
  if (status.empty() || status == "done") return HasFailed(document) ? "failed" : "done";
  return status;
}

std::string DifferenceFrom(const fs::path& experiment, const std::string& command,
                           const fs::path& model) {
  const json document = ReadExperiment(experiment);
  const std::string before = TextAt(document, "command");
  if (before.empty()) return {};
  if (Settings(before) != Settings(command)) return "measured by: " + before;
  const auto file = document.find("model_file");
  if (file != document.end() && IsChanged(experiment, *file, model))
    return "measured before this file was changed: " + model.string();
  return {};
}

std::string StoreName(const std::vector<std::string>& parts) {
  std::string name;
  for (const std::string& part : parts) {
    if (part.empty()) continue;
    if (!name.empty()) name += '-';
    for (const char c : part) {
      const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
      name += kept ? c : '_';
    }
  }
  return name;
}

ExperimentBackup::ExperimentBackup(fs::path folder)
    : folder_(std::move(folder)),
      aside_(folder_.parent_path() / (".before-" + folder_.filename().string())) {
  std::error_code ignored;
  // A call that was killed may have left it aside, and nothing in its place.
  if (!fs::exists(folder_, ignored)) return;
  fs::remove_all(aside_, ignored);
  fs::rename(folder_, aside_, ignored);
}

ExperimentBackup::~ExperimentBackup() {
  std::error_code ignored;
  fs::remove_all(is_replaced_ ? aside_ : folder_, ignored);
  if (!is_replaced_) fs::rename(aside_, folder_, ignored);
}

}  // namespace xsp::suite
