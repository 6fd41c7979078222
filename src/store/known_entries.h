#ifndef XSP_STORE_KNOWN_ENTRIES_H_
#define XSP_STORE_KNOWN_ENTRIES_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "store/catalogue.h"

namespace xsp::store {

/// By what it shows that an experiment was not written since: a changed file is another one (it is
/// renamed into place), so that the resolution of the clock does not matter.
struct WrittenState {
  std::uint64_t inode = 0;  ///< Of experiment.json.
  std::int64_t size = 0, file_ns = 0, folder_ns = 0;
  bool operator==(const WrittenState&) const = default;
};

/// Of the experiment in `folder`. Nothing: there is no experiment.json.
std::optional<WrittenState> StateOf(const std::filesystem::path& folder);

/// What was read of a store's experiments, so that lists of thousands read the changed ones only:
/// in this process, and from one process to the next in `catalogues/` below the cache folder. That
/// file may be removed at any time; a damaged one, and one of another XSP, is none. Threading: any
/// thread.
class KnownEntries {
 public:
  /// That of `store` in this process.
  static std::shared_ptr<KnownEntries> Of(const std::filesystem::path& store);

  /// Reads the file of `store`.
  explicit KnownEntries(const std::filesystem::path& store);

  std::optional<CatalogueEntry> Find(const std::filesystem::path& folder,
                                     const WrittenState& state);
  void Keep(const WrittenState& state, const CatalogueEntry& entry);

  /// Writes the file if at least 100 entries are new, with those of `names` alone. An error is
  /// none: then they are read again.
  void Save(const std::unordered_set<std::string>& names);

  const std::filesystem::path& file() const { return file_; }

 private:
  void Read();

  const std::filesystem::path file_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::pair<WrittenState, CatalogueEntry>> entries_;  ///< By name.
  std::size_t unsaved_ = 0;
};

}  // namespace xsp::store

#endif  // XSP_STORE_KNOWN_ENTRIES_H_
