#ifndef XSP_APP_SERVE_STORE_LOCK_H_
#define XSP_APP_SERVE_STORE_LOCK_H_

#include <filesystem>

#include "core/result.h"

namespace xsp::serve {

/// A store's place for one server: two would both perform its jobs. Held while it lives; the system
/// frees it when the process ends, however it ends.
class StoreLock {
 public:
  /// Takes `folder`/lock. Errors: kEnvironment (another server has it; it cannot be written).
  static Result<StoreLock> Take(const std::filesystem::path& folder);
  StoreLock(StoreLock&& other) noexcept;
  StoreLock& operator=(StoreLock&&) = delete;
  ~StoreLock();

 private:
  explicit StoreLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_STORE_LOCK_H_
