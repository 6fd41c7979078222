#include "answer/suggest/stored_experiments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string_view>
#include <utility>

#include "core/counted.h"
#include "derive/compare/machine.h"
#include "store/catalogue.h"
#include "store/directory.h"

namespace xsp::suggest {
namespace {

using nlohmann::json;

const json& At(const json& object, std::string_view key) {
  static const json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(key);
  return found == object.end() ? kNothing : *found;
}

std::string TextOf(const json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool HasTags(const std::map<std::string, std::string>& tags,
             const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const std::string& text) {
    const std::size_t equals = text.find('=');
    const auto found = tags.find(text.substr(0, equals));
    return found != tags.end() &&
           (equals == std::string::npos || found->second == text.substr(equals + 1));
  });
}

void ReadMachine(const json& run, StoredExperiment& experiment) {
  compare::Machine machine = compare::MachineOf(run);
  experiment.machine_cpu = std::move(machine.cpu);
  experiment.machine_gpu = std::move(machine.gpu);
}

void ReadModelFiles(const json& document, StoredExperiment& experiment) {
  const json& workers = At(document, "workers");
  if (workers.is_array())
    for (const json& worker : workers)
      if (std::string sum = TextOf(At(At(worker, "model_file"), "sha256")); !sum.empty())
        experiment.sha256[TextOf(At(worker, "name"))] = std::move(sum);
  // Under no worker's name: of experiments that list none.
  experiment.sha256.try_emplace("", TextOf(At(At(document, "model_file"), "sha256")));
}

std::map<std::string, std::string> TagsOf(const json& document) {
  std::map<std::string, std::string> tags;
  const json& stored = At(document, "tags");
  if (stored.is_object())
    for (const auto& [key, value] : stored.items()) tags[key] = TextOf(value);
  return tags;
}

StoredExperiment Read(const store::Directory& directory, const FindModelFacts& facts) {
  const json& document = directory.json;
  StoredExperiment experiment{.folder = directory.path,
                              .name = directory.path.filename().string(),
                              .created = TextOf(At(document, "created"))};
  experiment.is_disturbed = At(At(document, "disturbance"), "busy") == true;
  const json& request = At(document, "request");
  experiment.is_plain = At(request, "dataset").is_null() && At(request, "scenario").is_null();
  experiment.precision = TextOf(At(request, "precision"));
  if (TextOf(At(document, "kind")) == "run") ReadModelFiles(document, experiment);
  experiment.model = facts(document);
  for (const store::RunFolder& run : directory.runs) {
    const auto inspected = store::Inspect(run.path);
    if (!inspected.ok()) continue;
    ReadMachine(inspected.value().json, experiment);
    break;
  }
  return experiment;
}

void NoteUnread(const std::vector<std::string>& unread, std::vector<std::string>& notes) {
  if (unread.empty()) return;
  notes.push_back(fmt::format("{} of the store cannot be read and {} left out: {}{}",
                              core::Counted(unread.size(), "experiment"),
                              core::ByNumber(unread.size(), "is", "are"), unread.front(),
                              unread.size() > 1 ? ", ..." : ""));
}

}  // namespace

bool AreRandom(const std::string& weights) {
  constexpr std::string_view kRandom = "random";
  return weights.size() >= kRandom.size() &&
         std::equal(kRandom.begin(), kRandom.end(), weights.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

Result<StoreReading> ReadExperiments(const std::filesystem::path& store,
                                     const ExperimentChoice& choice, const FindModelFacts& facts) {
  XSP_TRY(const std::vector<std::filesystem::path> folders, store::ExperimentFolders(store));
  if (folders.empty())
    return Error{ErrorKind::kBadInput, fmt::format("the store is empty: {}", store.string()),
                 "Measure something with `xsp run MODEL`, or name a store with --store."};
  StoreReading reading;
  reading.in_store = folders.size();
  std::vector<std::string> unread;
  for (const std::filesystem::path& folder : folders) {
    const auto directory = store::Inspect(folder);
    const bool is_whole = directory.ok() && directory.value().json.is_object() &&
                          directory.value().kind == store::Directory::Kind::kExperiment;
    if (!is_whole) {
      unread.push_back(folder.filename().string());
      continue;
    }
    const json& document = directory.value().json;
    if (TextOf(At(document, "created")) < choice.since || !HasTags(TagsOf(document), choice.tags))
      continue;
    reading.experiments.push_back(Read(directory.value(), facts));
  }
  std::ranges::stable_sort(reading.experiments, {}, &StoredExperiment::created);
  NoteUnread(unread, reading.notes);
  return reading;
}

}  // namespace xsp::suggest
