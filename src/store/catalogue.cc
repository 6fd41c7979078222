#include "store/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/json_text.h"
#include "core/nearest_word.h"
#include "os/files.h"
#include "os/parallel.h"
#include "store/directory.h"
#include "store/known_entries.h"
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
  AddFacts(core::ParseJson(experiment.value()), entry);
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

/// Reads the experiments in `folders` with the numbers `which`.
Result<std::vector<CatalogueEntry>> ReadEntries(const std::vector<fs::path>& folders,
                                                const std::vector<std::size_t>& which) {
  std::vector<CatalogueEntry> entries(which.size());
  if (which.empty()) return entries;
  XSP_RETURN_IF_ERROR(os::ForEach(which.size(), [&](std::size_t i) -> Status {
    entries[i] = Describe(folders[which[i]]);
    return Ok{};
  }));
  XSP_RETURN_IF_ERROR(FillFromPoints(entries));
  return entries;
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
  // By their texts: paths compare their parts, which takes as long as reading all of them.
  std::ranges::sort(folders, {},
                    [](const fs::path& path) -> const std::string& { return path.native(); });
  return folders;
}

Result<std::vector<CatalogueEntry>> List(const fs::path& store) {
  XSP_TRY(const std::vector<fs::path> folders, ExperimentFolders(store));
  if (folders.empty()) return std::vector<CatalogueEntry>();
  const std::shared_ptr<KnownEntries> known = KnownEntries::Of(store);
  struct Listed {
    CatalogueEntry entry = {};
    std::optional<WrittenState> state = {};  ///< Before it was read.
  };
  std::vector<Listed> listed(folders.size());
  std::vector<std::size_t> read;  // Those that a file of points has to complete.
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    Listed& one = listed[i];
    one.state = StateOf(folders[i]);
    names.insert(folders[i].filename().string());
    if (auto found = one.state ? known->Find(folders[i], *one.state) : std::nullopt) {
      one.entry = std::move(*found);
    } else if (auto mirrored = DescribeMirrored(folders[i])) {
      one.entry = std::move(*mirrored);
      if (one.state && one.entry.status == "done") known->Keep(*one.state, one.entry);
    } else {
      read.push_back(i);
    }
  }
  XSP_TRY(std::vector<CatalogueEntry> entries, ReadEntries(folders, read));
  for (std::size_t i = 0; i < read.size(); ++i) {
    Listed& one = listed[read[i]];
    one.entry = std::move(entries[i]);
    // The status of an unfinished or damaged one depends on more files.
    if (one.state && one.entry.status == "done") known->Keep(*one.state, one.entry);
  }
  known->Save(names);
  // `created` may be of whole seconds: then the file tells which of two came last.
  const auto key = [](const Listed& one) {
    const std::int64_t written = one.state ? one.state->file_ns : 0;
    return std::tuple<const std::string&, std::int64_t, const std::string&>(
        one.entry.created, written, one.entry.name);
  };
  std::ranges::sort(listed, [&](const Listed& a, const Listed& b) { return key(a) < key(b); });
  entries.clear();
  for (Listed& one : listed) entries.push_back(std::move(one.entry));
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
