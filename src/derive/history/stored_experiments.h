#ifndef XSP_DERIVE_HISTORY_STORED_EXPERIMENTS_H_
#define XSP_DERIVE_HISTORY_STORED_EXPERIMENTS_H_

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "derive/history/series.h"

namespace xsp::history {

/// One experiment of a store, as far as experiment.json tells.
struct StoredExperiment {
  std::string name;
  std::filesystem::path path;
  std::string created;  ///< RFC 3339, UTC.
  bool has_own_date = true;
  std::optional<bool> was_busy;
  std::string xsp_version = {};
  std::string model = {};    ///< Empty: not known.
  std::string session = {};  ///< As Entry::session.
};

struct StoredExperiments {
  std::vector<StoredExperiment> wanted;  ///< Oldest first; of equal dates by file, then by name.
  std::vector<LeftOut> unreadable;
  std::size_t all = 0;  ///< In the store.
};

/// The experiments of `store` with all `tags` (KEY or KEY=VALUE) that were created at `since` or
/// later (the beginning of an RFC 3339 date; empty: any). Error: kEnvironment.
Result<StoredExperiments> ListExperiments(const std::filesystem::path& store,
                                          const std::string& since,
                                          const std::vector<std::string>& tags);

}  // namespace xsp::history

#endif  // XSP_DERIVE_HISTORY_STORED_EXPERIMENTS_H_
