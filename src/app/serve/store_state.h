#ifndef XSP_APP_SERVE_STORE_STATE_H_
#define XSP_APP_SERVE_STORE_STATE_H_

#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::serve {

/// Tells whether a store has changed since an answer was computed from it. Other programs change
/// the store, too, so it is looked at again: at most every half second, when somebody asks.
/// Threading: any thread.
class StoreState {
 public:
  explicit StoreState(std::filesystem::path store) : store_(std::move(store)) {}

  /// A short text that is another one once an experiment was added, removed, renamed or changed, or
  /// a baseline set or removed.
  /// Errors: kEnvironment (the store is not there any more, or cannot be read).
  Result<std::string> Stamp();

  /// Likewise, but another one only once one of these experiments (names) was changed, replaced or
  /// removed. Stamp() if one of them is not in the store.
  Result<std::string> StampOf(const std::vector<std::string>& experiments);

  /// This server changed the store: the next stamp looks at it.
  void Changed();

 private:
  /// Under the lock. Looks at the store unless it did so lately.
  Status Look();

  const std::filesystem::path store_;
  std::mutex mutex_;
  std::map<std::string, std::string> experiments_;  ///< The stamp of each, by name.
  std::string stamp_;
  std::chrono::steady_clock::time_point looked_;
  long changes_ = 0;
  long looks_ = 0;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_STORE_STATE_H_
