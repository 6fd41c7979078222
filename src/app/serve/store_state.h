#ifndef XSP_APP_SERVE_STORE_STATE_H_
#define XSP_APP_SERVE_STORE_STATE_H_

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>

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

  /// This server changed the store: the next Stamp() looks at it.
  void Changed();

 private:
  const std::filesystem::path store_;
  std::mutex mutex_;
  std::string stamp_;
  std::chrono::steady_clock::time_point looked_;
  long changes_ = 0;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_STORE_STATE_H_
