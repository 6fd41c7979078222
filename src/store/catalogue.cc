#include "store/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "core/nearest_word.h"
#include "os/files.h"
#include "store/directory.h"
#include "store/many_experiments.h"
#include "store/mirror.h"
#include "store/mirrored_store.h"
#include "store/object_index.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kNearestNames = 3;

std::string TextOf(const nlohmann::json& json, const char* key) {
  if (!json.is_object()) return {};
  const auto it = json.find(key);
  return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
}

std::string JsonRunStatus(const Directory& experiment) {
  std::vector<std::string> statuses;
  for (const RunFolder& run : experiment.runs) {
    const auto inspected = Inspect(run.path);
    if (!inspected.ok()) return "unreadable: " + inspected.error().what;
    const std::string status = TextOf(inspected.value().json, "status");
    statuses.push_back(status.empty() ? "done" : status);
  }
  const auto all = [&](std::string_view status) {
    return std::all_of(statuses.begin(), statuses.end(),
                       [&](const std::string& other) { return other == status; });
  };
  if (statuses.empty()) return "failed";
  if (all("done")) return "done";
  if (all("failed")) return "failed";
  const bool interrupted =
      std::find(statuses.begin(), statuses.end(), "interrupted") != statuses.end();
  return interrupted ? "interrupted" : "partial";
}

/// What point.parquet says where experiment.json does not.
Status FillFromPoints(std::vector<CatalogueEntry>& entries) {
  std::vector<fs::path> folders;
  for (const CatalogueEntry& entry : entries) folders.push_back(entry.path);
  XSP_TRY(ManyExperiments many, ManyExperiments::Open(std::move(folders)));
  XSP_TRY(const Table points,
          many.Query({"point"},
                     "SELECT experiment, "
                     "coalesce(string_agg(DISTINCT model, ', ' ORDER BY model), ''), "
                     "coalesce(string_agg(DISTINCT backend, ', ' ORDER BY backend), '') "
                     "FROM point GROUP BY experiment"));
  for (const auto& row : points.rows) {
    CatalogueEntry& entry = entries[static_cast<std::size_t>(std::get<std::int64_t>(row[0]))];
    if (entry.model.empty()) entry.model = std::get<std::string>(row[1]);
    if (entry.backend.empty()) entry.backend = std::get<std::string>(row[2]);
  }
  for (const ManyExperiments::Unread& unread : many.unread()) {
    CatalogueEntry& entry = entries[unread.experiment];
    if (!entry.status.starts_with("unreadable")) entry.status = "unreadable: " + unread.reason;
  }
  return core::Ok{};
}

/// What experiment.json says.
void AddFacts(const nlohmann::json& experiment, CatalogueEntry& entry) {
  entry.created = TextOf(experiment, "created");
  entry.model = TextOf(experiment, "model");
  entry.backend = TextOf(experiment, "backend");
  entry.status = TextOf(experiment, "status");
  const auto tags = experiment.is_object() ? experiment.find("tags") : experiment.end();
  if (tags == experiment.end() || !tags->is_object()) return;
  for (const auto& [key, value] : tags->items())
    if (value.is_string()) entry.tags[key] = value.get<std::string>();
}

/// An experiment whose files are still at the server, by its index; nothing: the index says too
/// little, or it is no such experiment.
std::optional<CatalogueEntry> DescribeMirrored(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path / kMirroredFile, error)) return std::nullopt;
  const auto text = os::ReadFile(path / kMirroredFile);
  const auto index = text.ok() ? ReadIndex(text.value()) : Result<ObjectIndex>(text.error());
  const auto experiment = os::ReadFile(path / "experiment.json");
  if (!index.ok() || !experiment.ok()) return std::nullopt;
  const nlohmann::json& summary = index.value().summary;
  const auto runs = summary.find("runs");
  if (!summary.contains("status") || runs == summary.end() || !runs->is_number_integer())
    return std::nullopt;
  CatalogueEntry entry{path.filename().string(), path, "", "", "", "", 0, {}};
  AddFacts(nlohmann::json::parse(experiment.value(), nullptr, false), entry);
  entry.model = TextOf(summary, "model");
  entry.backend = TextOf(summary, "backend");
  entry.status = TextOf(summary, "status");
  entry.runs = runs->get<std::int64_t>();
  return entry;
}

CatalogueEntry Describe(const fs::path& path) {
  CatalogueEntry entry{path.filename().string(), path, "", "", "", "", 0, {}};
  const auto inspected = Inspect(path);
  if (!inspected.ok()) {
    entry.status = "unreadable: " + inspected.error().what;
    return entry;
  }
  const Directory& directory = inspected.value();
  if (directory.json.is_null()) {
    entry.status = "unreadable: experiment.json is missing";
    return entry;
  }
  AddFacts(directory.json, entry);
  entry.runs = static_cast<std::int64_t>(directory.runs.size());
  if (directory.kind == Directory::Kind::kRun) entry.runs = 1;
  if (entry.status.empty()) {
    entry.status = directory.kind == Directory::Kind::kRun ? "done" : JsonRunStatus(directory);
  }
  return entry;
}

/// By what it shows that an experiment was not written since: a changed file is another one (it is
/// renamed into place), so that the resolution of the clock does not matter.
struct WrittenState {
  std::uint64_t inode = 0;  ///< Of experiment.json.
  std::int64_t size = 0, file_ns = 0, folder_ns = 0;
  bool operator==(const WrittenState&) const = default;
};

std::int64_t Nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Nothing: there is no experiment.json.
std::optional<WrittenState> StateOf(const fs::path& folder) {
  struct stat of_file {
  }, of_folder{};
  if (stat((folder / "experiment.json").c_str(), &of_file) != 0) return std::nullopt;
  if (stat(folder.c_str(), &of_folder) != 0) return std::nullopt;
  return WrittenState{of_file.st_ino, of_file.st_size, Nanoseconds(of_file.st_mtim),
                      Nanoseconds(of_folder.st_mtim)};
}

/// What this process has read of experiments: a server lists thousands again after each change.
/// Threading: any thread.
class KnownEntries {
 public:
  std::optional<CatalogueEntry> Find(const fs::path& folder, const WrittenState& state) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(folder.string());
    if (found == entries_.end() || found->second.first != state) return std::nullopt;
    return found->second.second;
  }

  void Store(const fs::path& folder, const WrittenState& state, const CatalogueEntry& entry) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= kMostEntries) entries_.clear();
    entries_.insert_or_assign(folder.string(), std::pair(state, entry));
  }

 private:
  static constexpr std::size_t kMostEntries = 100'000;
  std::mutex mutex_;
  std::unordered_map<std::string, std::pair<WrittenState, CatalogueEntry>> entries_;
};

KnownEntries& Known() {
  static KnownEntries known;
  return known;
}

std::vector<std::string_view> Nearest(std::string_view name,
                                      const std::vector<CatalogueEntry>& all) {
  std::vector<std::string_view> names;
  for (const CatalogueEntry& entry : all) names.push_back(entry.name);
  return core::NearestWords(name, names, kNearestNames);
}

}  // namespace

Result<std::vector<fs::path>> ExperimentFolders(const fs::path& store) {
  std::vector<fs::path> folders;
  std::error_code error;
  if (!fs::exists(store, error)) return folders;
  XSP_RETURN_IF_ERROR(RefreshMirror(store));
  fs::directory_iterator entries(store, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    std::error_code of_entry;
    const bool is_hidden = entries->path().filename().string().starts_with('.');
    if (!is_hidden && entries->is_directory(of_entry)) folders.push_back(entries->path());
  }
  if (error) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot read the store: {}: {}", store.string(), error.message()),
                 "Name a folder with --store (or XSP_STORE)."};
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

Result<std::vector<CatalogueEntry>> List(const fs::path& store) {
  XSP_TRY(const std::vector<fs::path> folders, ExperimentFolders(store));
  std::vector<CatalogueEntry> entries, read;
  std::vector<std::optional<WrittenState>> states;  // Of those that are read, before they are.
  for (const fs::path& folder : folders) {
    const std::optional<WrittenState> state = StateOf(folder);
    if (auto known = state ? Known().Find(folder, *state) : std::nullopt) {
      entries.push_back(std::move(*known));
    } else if (auto mirrored = DescribeMirrored(folder)) {
      if (state && mirrored->status == "done") Known().Store(folder, *state, *mirrored);
      entries.push_back(std::move(*mirrored));
    } else {
      read.push_back(Describe(folder));
      states.push_back(state);
    }
  }
  XSP_RETURN_IF_ERROR(FillFromPoints(read));
  for (std::size_t i = 0; i < read.size(); ++i) {
    // The status of an unfinished or damaged one depends on more files.
    if (states[i] && read[i].status == "done") Known().Store(read[i].path, *states[i], read[i]);
    entries.push_back(std::move(read[i]));
  }
  std::error_code error;
  // `created` may be of whole seconds: then the file tells which of two came last.
  using Key = std::tuple<std::string, fs::file_time_type, std::string>;
  std::map<std::string, Key> keys;
  for (const CatalogueEntry& entry : entries) {
    const auto written = fs::last_write_time(entry.path / "experiment.json", error);
    keys[entry.name] = {entry.created, error ? fs::file_time_type::min() : written, entry.name};
  }
  std::sort(entries.begin(), entries.end(), [&](const CatalogueEntry& a, const CatalogueEntry& b) {
    return keys.at(a.name) < keys.at(b.name);
  });
  return entries;
}

Result<CatalogueEntry> EntryOf(const fs::path& folder) {
  std::vector<CatalogueEntry> entries = {Describe(folder)};
  XSP_RETURN_IF_ERROR(FillFromPoints(entries));
  return std::move(entries.front());
}

Result<fs::path> Resolve(const fs::path& store, std::string_view run) {
  const bool latest = run.empty() || run == "latest";
  std::error_code error;
  if (!latest) {
    // A name in the store before a folder of the working directory that happens to be called so.
    const fs::path named(run);
    if (!named.is_absolute()) {
      XSP_RETURN_IF_ERROR(RefreshMirror(store));
      XSP_RETURN_IF_ERROR(FetchFolder(store / named));
      if (fs::is_directory(store / named, error)) return store / named;
    }
    XSP_RETURN_IF_ERROR(FetchFolder(named));
    if (fs::is_directory(named, error)) return named;
  }
  XSP_TRY(const std::vector<CatalogueEntry> entries, List(store));
  if (entries.empty()) {
    return Error{ErrorKind::kBadInput,
                 latest
                     ? fmt::format("the store is empty: {}", store.string())
                     : fmt::format("no such run: {} (the store is empty: {})", run, store.string()),
                 "Measure something with `xsp run MODEL`, or name a store with --store."};
  }
  if (latest) {
    const auto it = std::find_if(entries.rbegin(), entries.rend(), [](const CatalogueEntry& entry) {
      return !entry.status.starts_with("unreadable");
    });
    if (it != entries.rend()) {
      XSP_RETURN_IF_ERROR(FetchFolder(it->path));
      return it->path;
    }
    return Error{ErrorKind::kBadInput,
                 fmt::format("no experiment of the store can be read: {}", store.string()),
                 "`xsp list` says why."};
  }
  return Error{ErrorKind::kBadInput, fmt::format("no such run: {}", run),
               fmt::format("The nearest names are: {}. `xsp list` shows all.",
                           fmt::join(Nearest(run, entries), ", "))};
}

}  // namespace xsp::store
