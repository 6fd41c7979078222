#include "measure/sweeps/stored_measurements.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "capture/collect/run_facts.h"
#include "capture/collect/stack_difference.h"
#include "store/catalogue.h"
#include "store/directory.h"

namespace xsp::sweeps {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string TextAt(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

json ObjectAt(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_object() ? *at : json::object();
}

std::vector<Error> FailuresOf(const json& document) {
  std::vector<Error> failures;
  const json stored = document.value("failures", json());
  if (!stored.is_array()) return failures;
  for (const json& failure : stored) {
    if (!failure.is_object()) continue;
    const json kind = failure.value("kind", json());
    const bool is_known = kind == static_cast<int>(ErrorKind::kBadInput) ||
                          kind == static_cast<int>(ErrorKind::kNotPossible);
    failures.push_back(
        {is_known ? static_cast<ErrorKind>(kind.get<int>()) : ErrorKind::kEnvironment,
         TextAt(failure, "what"), TextAt(failure, "hint")});
  }
  return failures;
}

}  // namespace

std::optional<StoredMeasurement> ReadMeasurement(const fs::path& path) {
  const auto inspected = store::Inspect(path);
  if (!inspected.ok() || !inspected.value().json.is_object()) return std::nullopt;
  const json& document = inspected.value().json;
  const json workers = document.value("workers", json());
  const json request = ObjectAt(document, "request");
  const json batches = request.value("batches", json());
  if (TextAt(document, "kind") != "run" || !workers.is_array() || workers.size() != 1 ||
      !workers[0].is_object() || !batches.is_array())
    return std::nullopt;
  StoredMeasurement stored;
  stored.experiment = path.filename().string();
  stored.path = path;
  stored.created = TextAt(document, "created");
  stored.status = TextAt(document, "status");
  const json model = ObjectAt(document, "model_file");
  stored.subject = {
      TextAt(document, "model"),  TextAt(model, "sha256"),     model.value("inputs", json()),
      TextAt(workers[0], "name"), TextAt(document, "backend"), {},
      SettingsOf(request)};
  for (const json& batch : batches)
    if (batch.is_number_integer()) stored.subject.batches.push_back(batch.get<std::int64_t>());
  const json seconds = ObjectAt(document, "disturbance").value("seconds", json());
  if (seconds.is_number()) stored.seconds = seconds.get<double>();
  stored.failures = FailuresOf(document);
  const json tags = ObjectAt(document, "tags");
  for (const auto& [key, value] : tags.items())
    if (value.is_string()) stored.tags[key] = value.get<std::string>();
  return stored;
}

namespace {

bool HasBatches(const Subject& wanted, const Subject& stored) {
  return std::ranges::all_of(wanted.batches, [&](std::int64_t batch) {
    return std::ranges::find(stored.batches, batch) != stored.batches.end();
  });
}

bool IsSameSubject(const Subject& wanted, const Subject& stored) {
  return !wanted.model_sha256.empty() && wanted.model_sha256 == stored.model_sha256 &&
         wanted.worker == stored.worker && wanted.framework == stored.framework &&
         wanted.inputs == stored.inputs && wanted.settings == stored.settings &&
         HasBatches(wanted, stored);
}

/// The same as far as `wanted` is known.
bool MayBeSameSubject(const Subject& wanted, const Subject& stored) {
  const auto same = [](const std::string& known, const std::string& other) {
    return known.empty() || known == other;
  };
  return same(wanted.model_sha256, stored.model_sha256) && same(wanted.worker, stored.worker) &&
         same(wanted.framework, stored.framework) &&
         (wanted.inputs.is_null() || wanted.inputs == stored.inputs) &&
         wanted.settings == stored.settings && HasBatches(wanted, stored);
}

/// Of the experiment in `folder`. All zero: it has no experiment.json.
StoredMeasurements::FileState StateOfExperiment(const fs::path& folder) {
  struct stat file {};
  if (stat((folder / "experiment.json").c_str(), &file) != 0) return {};
  return {file.st_ino, file.st_size,
          std::int64_t{file.st_mtim.tv_sec} * 1'000'000'000 + file.st_mtim.tv_nsec};
}

/// The first fact in which the stack of an experiment differs from `stack`; empty: in none.
std::string StackDifferenceOf(const fs::path& experiment, const std::vector<collect::Fact>& stack) {
  const auto inspected = store::Inspect(experiment);
  if (!inspected.ok()) return "not readable";
  for (const store::RunFolder& run : inspected.value().runs) {
    const auto read = store::Inspect(run.path);
    if (!read.ok() || !read.value().json.is_object()) continue;
    const std::vector<collect::Fact> stored = collect::StackOf(read.value().json);
    if (stored.empty()) continue;
    const collect::StackDifference difference = collect::Compare(
        stored, stack,
        [](std::string_view key) { return collect::IsMomentary(key, collect::AllCollectors()); });
    return difference.differing.empty() ? "" : difference.differing.front().a.key;
  }
  return "not recorded";
}

}  // namespace

json SettingsOf(json request) {
  for (const char* key : {"model", "manifest", "backends", "worker", "batches", "deadline_s"})
    request.erase(key);
  if (!request.contains("inputs")) request["inputs"] = json::array();  // Of an older version.
  return request;
}

Status StoredMeasurements::Refresh() {
  XSP_TRY(const std::vector<fs::path> folders, store::ExperimentFolders(store_));
  std::set<std::string> present;
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    present.insert(name);
    // Before it is read: what is written meanwhile is read the next time.
    const FileState state = StateOfExperiment(folder);
    const auto known = states_.find(name);
    if (known != states_.end() && known->second == state) continue;
    states_.insert_or_assign(name, state);
    if (auto measurement = ReadMeasurement(folder)) {
      measurements_.insert_or_assign(name, *std::move(measurement));
    } else {
      measurements_.erase(name);
    }
  }
  const auto is_gone = [&](const auto& one) { return !present.contains(one.first); };
  std::erase_if(measurements_, is_gone);
  std::erase_if(states_, is_gone);
  return Ok{};
}

StoredMatch StoredMeasurements::Find(const Subject& subject,
                                     const std::vector<collect::Fact>& stack) const {
  std::vector<const StoredMeasurement*> same;
  for (const auto& [name, measurement] : measurements_)
    if (IsSameSubject(subject, measurement.subject)) same.push_back(&measurement);
  std::ranges::stable_sort(same, [](const StoredMeasurement* a, const StoredMeasurement* b) {
    return a->created > b->created;
  });
  StoredMatch match;
  for (const StoredMeasurement* measurement : same) {
    std::string why_not = measurement->status;
    if (why_not == "done" || why_not == "partial" || why_not == "interrupted") {
      const std::string fact = StackDifferenceOf(measurement->path, stack);
      if (!fact.empty()) {
        why_not = "another stack: " + fact;
      } else if (why_not == "done") {
        match.measurement = measurement;
        return match;
      } else if (why_not == "partial") {
        if (match.measurement == nullptr) match.measurement = measurement;
        continue;
      } else {
        match.interrupted.push_back(measurement);
      }
    }
    if (match.other != nullptr) continue;
    match.other = measurement;
    match.why_not = std::move(why_not);
  }
  return match;
}

const StoredMeasurement* StoredMeasurements::FindTagged(const Subject& subject,
                                                        const std::string& key,
                                                        const std::string& value) const {
  const StoredMeasurement* best = nullptr;
  const auto is_better = [&](const StoredMeasurement& other) {
    if (best == nullptr || (other.status == "done") != (best->status == "done"))
      return best == nullptr || other.status == "done";
    return other.created > best->created;
  };
  for (const auto& [name, measurement] : measurements_) {
    const auto tag = measurement.tags.find(key);
    if (tag == measurement.tags.end() || tag->second != value) continue;
    if (measurement.status != "done" && measurement.status != "partial") continue;
    if (MayBeSameSubject(subject, measurement.subject) && is_better(measurement))
      best = &measurement;
  }
  return best;
}

}  // namespace xsp::sweeps
