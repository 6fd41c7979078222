#ifndef XSP_OS_MEMORY_LIMIT_H_
#define XSP_OS_MEMORY_LIMIT_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "core/result.h"

namespace xsp::os {

/// A memory cgroup (v1 or v2) below this process's own, which processes join through
/// SpawnOptions::cgroup. The kernel kills a member when together they pass the limit. The
/// destructor removes the group; its members must have ended by then.
class MemoryLimit {
 public:
  /// Errors: kNotPossible where cgroups cannot be written (no permission, no memory controller).
  static Result<MemoryLimit> Create(std::int64_t limit_bytes);

  MemoryLimit(MemoryLimit&& other) noexcept;
  MemoryLimit& operator=(MemoryLimit&&) = delete;
  ~MemoryLimit();

  const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit MemoryLimit(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

/// This process's cgroup folder for `controller` ("memory", "cpu"; v1 or v2), or nothing where it
/// is not visible.
std::optional<std::filesystem::path> OwnCgroup(std::string_view controller);

/// Bytes that this process and its children may still take: the kernel's MemAvailable, or what is
/// left in the memory cgroup if that is less. Nothing where /proc does not say.
std::optional<std::int64_t> AvailableMemoryBytes();

/// How often the kernel has killed a process for lack of memory, machine or cgroup, since boot
/// (oom_kill of /proc/vmstat). Nothing where it is not visible.
std::optional<std::int64_t> OutOfMemoryKills();

}  // namespace xsp::os

#endif  // XSP_OS_MEMORY_LIMIT_H_
