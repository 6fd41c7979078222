#include "store/known_entries.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/json_text.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/sha256.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// Raised when the file, or what a list shows of an experiment, changes its form.
constexpr int kCatalogueFormat = 1;
constexpr std::size_t kFileDigits = 16;
constexpr std::size_t kMostKnown = 100'000;
/// Fewer are read faster than a file of thousands is written.
constexpr std::size_t kLeastToSave = 100;

std::string CatalogueVersion() { return fmt::format("{} {}", XSP_VERSION, kCatalogueFormat); }

fs::path CanonicalOf(const fs::path& store) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(store, error);
  return error ? store : canonical;
}

std::int64_t Nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

json ToCatalogueJson(const WrittenState& state, const CatalogueEntry& entry) {
  return json::array({state.inode, state.size, state.file_ns, state.folder_ns, entry.created,
                      entry.model, entry.backend, entry.status, entry.runs, entry.tags});
}

/// Throws what the library throws where a part is of another type.
std::pair<WrittenState, CatalogueEntry> OfCatalogueJson(const std::string& name,
                                                        const json& parts) {
  const WrittenState state{parts.at(0).get<std::uint64_t>(), parts.at(1).get<std::int64_t>(),
                           parts.at(2).get<std::int64_t>(), parts.at(3).get<std::int64_t>()};
  return {state, CatalogueEntry{.name = name,
                                .path = {},
                                .created = parts.at(4).get<std::string>(),
                                .model = parts.at(5).get<std::string>(),
                                .backend = parts.at(6).get<std::string>(),
                                .status = parts.at(7).get<std::string>(),
                                .runs = parts.at(8).get<std::int64_t>(),
                                .tags = parts.at(9).get<std::map<std::string, std::string>>()}};
}

}  // namespace

std::optional<WrittenState> StateOf(const fs::path& folder) {
  struct stat of_file {
  }, of_folder{};
  if (stat((folder / "experiment.json").c_str(), &of_file) != 0) return std::nullopt;
  if (stat(folder.c_str(), &of_folder) != 0) return std::nullopt;
  return WrittenState{of_file.st_ino, of_file.st_size, Nanoseconds(of_file.st_mtim),
                      Nanoseconds(of_folder.st_mtim)};
}

std::shared_ptr<KnownEntries> KnownEntries::Of(const fs::path& store) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<KnownEntries>> all;
  const fs::path canonical = CanonicalOf(store);
  const std::lock_guard lock(mutex);
  std::shared_ptr<KnownEntries>& known = all[canonical.string()];
  if (!known) known = std::make_shared<KnownEntries>(canonical);
  return known;
}

KnownEntries::KnownEntries(const fs::path& store)
    : file_(os::CacheFolder() / "catalogues" /
            (os::Sha256(CanonicalOf(store).string()).substr(0, kFileDigits) + ".json")) {
  Read();
}

void KnownEntries::Read() {
  std::error_code error;
  if (!fs::exists(file_, error)) return;
  const auto text = os::ReadFile(file_);
  if (!text.ok()) return;
  try {
    const json object = core::ParseJson(text.value());
    if (object.at("version") != CatalogueVersion()) return;
    for (const auto& [name, parts] : object.at("experiments").items())
      entries_.emplace(name, OfCatalogueJson(name, parts));
  } catch (const json::exception&) {
    entries_.clear();
  }
}

std::optional<CatalogueEntry> KnownEntries::Find(const fs::path& folder,
                                                 const WrittenState& state) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(folder.filename().string());
  if (found == entries_.end() || found->second.first != state) return std::nullopt;
  CatalogueEntry entry = found->second.second;
  entry.path = folder;  // The store may be named in several ways.
  return entry;
}

void KnownEntries::Keep(const WrittenState& state, const CatalogueEntry& entry) {
  const std::lock_guard lock(mutex_);
  if (entries_.size() >= kMostKnown) entries_.clear();
  entries_.insert_or_assign(entry.name, std::pair(state, entry));
  ++unsaved_;
}

void KnownEntries::Save(const std::unordered_set<std::string>& names) {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    if (unsaved_ < kLeastToSave) return;
    unsaved_ = 0;
    std::erase_if(entries_, [&](const auto& entry) { return !names.contains(entry.first); });
    json experiments = json::object();
    for (const auto& [name, known] : entries_)
      experiments[name] = ToCatalogueJson(known.first, known.second);
    const json object = {{"version", CatalogueVersion()}, {"experiments", std::move(experiments)}};
    text = core::JsonText(object);
  }
  std::error_code ignored;
  fs::create_directories(file_.parent_path(), ignored);
  (void)os::WriteFileAtomically(file_, text, os::Durable::kLater);
}

}  // namespace xsp::store
