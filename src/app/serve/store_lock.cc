#include "app/serve/store_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace xsp::serve {

Result<StoreLock> StoreLock::Take(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const std::string file = (folder / "lock").string();
  const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (descriptor < 0)
    return Error{ErrorKind::kEnvironment,
                 fmt::format("cannot write {}: {}", file, std::strerror(errno)),
                 "A server needs a store that it can write."};
  StoreLock lock(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return lock;
  return Error{ErrorKind::kEnvironment, "another server serves this store: " + folder.string(),
               "Use that one, or stop it first."};
}

StoreLock::StoreLock(StoreLock&& other) noexcept : descriptor_(other.descriptor_) {
  other.descriptor_ = -1;
}

StoreLock::~StoreLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace xsp::serve
