#ifndef XSP_STORE_CATALOGUE_H_
#define XSP_STORE_CATALOGUE_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::store {

struct CatalogueEntry {
  std::string name;
  std::filesystem::path path;
  std::string created;  ///< RFC 3339, UTC.
  std::string model;    ///< Empty when not known.
  std::string backend;
  std::string status;  ///< done, partial, interrupted, failed, or unreadable: <why>.
  std::int64_t runs = 0;
  std::map<std::string, std::string> tags = {};
};

/// The folders of `store` by name, without those that are being written. Reads nothing of them. A
/// store that does not exist has none. Errors: kEnvironment.
Result<std::vector<std::filesystem::path>> ExperimentFolders(const std::filesystem::path& store);

/// Every experiment in `store`, oldest first. A folder that cannot be read is listed as unreadable.
/// A store that does not exist has no entries.
Result<std::vector<CatalogueEntry>> List(const std::filesystem::path& store);

/// What List() says of the experiment in `folder`. Errors: kEnvironment.
Result<CatalogueEntry> EntryOf(const std::filesystem::path& folder);

/// The directory that RUN of the command line names: a path, a name in the store,
/// "EXPERIMENT/RUN", or "latest" (also when empty). In a mirror its files are fetched. Errors:
/// kBadInput, naming the nearest names; as Fetch().
Result<std::filesystem::path> Resolve(const std::filesystem::path& store, std::string_view run);

}  // namespace xsp::store

#endif  // XSP_STORE_CATALOGUE_H_
