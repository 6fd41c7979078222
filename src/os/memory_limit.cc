#include "os/memory_limit.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

namespace xsp::os {

namespace fs = std::filesystem;

namespace {

/// The number after `key` at the start of a line of `path`; nothing for "max" or no such line.
std::optional<std::int64_t> NumberIn(const fs::path& path, std::string_view key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    if (!line.starts_with(key)) continue;
    const std::size_t start = std::min(line.find_first_not_of(" \t:", key.size()), line.size());
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(line.data() + start, line.data() + line.size(), value);
    if (error == std::errc{}) return value;
  }
  return std::nullopt;
}

/// Writes without O_CREAT: where the kernel does not offer the file, it must not be made.
bool WriteControl(const fs::path& path, std::string_view text) {
  std::error_code error;
  if (!fs::exists(path, error)) return false;
  std::ofstream file(path, std::ios::in | std::ios::out);
  file << text;
  file.flush();
  return file.good();
}

}  // namespace

std::optional<fs::path> OwnCgroup(std::string_view controller) {
  std::ifstream file("/proc/self/cgroup");
  std::string line, unified;
  std::error_code error;
  const auto below = [&](const fs::path& root, std::string path) -> std::optional<fs::path> {
    // Inside a container the path is the host's; the group itself is then mounted at the root.
    for (const std::string& candidate : {path, std::string("/")}) {
      fs::path folder = fs::path(root).concat(candidate);
      if (fs::exists(folder / "cgroup.procs", error)) return folder;
    }
    return std::nullopt;
  };
  while (std::getline(file, line)) {
    std::istringstream parts(line);
    std::string id, controllers, path;
    std::getline(parts, id, ':');
    std::getline(parts, controllers, ':');
    std::getline(parts, path);
    if (("," + controllers + ",").find(fmt::format(",{},", controller)) != std::string::npos)
      return below(fs::path("/sys/fs/cgroup") / controller, path);
    if (id == "0") unified = path;
  }
  if (unified.empty() || !fs::exists("/sys/fs/cgroup/cgroup.controllers", error))
    return std::nullopt;
  return below("/sys/fs/cgroup", unified);
}

Result<MemoryLimit> MemoryLimit::Create(std::int64_t limit_bytes) {
  const std::optional<fs::path> own = OwnCgroup("memory");
  if (!own)
    return Error{ErrorKind::kNotPossible, "cannot limit memory: no memory cgroup is visible", ""};
  static std::atomic<int> serial = 0;
  const fs::path folder = *own / fmt::format("xsp-{}-{}", getpid(), ++serial);
  const auto failed = [&] {
    return Error{ErrorKind::kNotPossible,
                 fmt::format("cannot limit memory: {}: {}", folder.string(), strerror(errno)),
                 "Memory cgroups can usually be made by root only."};
  };
  if (mkdir(folder.c_str(), 0755) != 0) return failed();
  MemoryLimit limit(folder);
  const std::string text = std::to_string(limit_bytes);
  // v2 has memory.max, v1 memory.limit_in_bytes. Swap would only delay the end.
  if (!WriteControl(folder / "memory.max", text) &&
      !WriteControl(folder / "memory.limit_in_bytes", text))
    return failed();
  WriteControl(folder / "memory.swap.max", "0");
  WriteControl(folder / "memory.memsw.limit_in_bytes", text);
  return limit;
}

MemoryLimit::MemoryLimit(MemoryLimit&& other) noexcept : folder_(std::move(other.folder_)) {
  other.folder_.clear();
}

MemoryLimit::~MemoryLimit() {
  if (folder_.empty()) return;
  // The last member may still be on its way out of the group for a moment.
  for (int attempt = 0; attempt < 100 && rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++attempt)
    usleep(10'000);
}

std::optional<std::int64_t> AvailableMemoryBytes() {
  std::optional<std::int64_t> available = NumberIn("/proc/meminfo", "MemAvailable:");
  if (available) *available *= 1024;
  if (const auto group = OwnCgroup("memory")) {
    auto limit = NumberIn(*group / "memory.max", "");
    auto used = NumberIn(*group / "memory.current", "");
    auto cache = NumberIn(*group / "memory.stat", "inactive_file");
    if (!limit) limit = NumberIn(*group / "memory.limit_in_bytes", "");
    if (!used) used = NumberIn(*group / "memory.usage_in_bytes", "");
    if (limit && used) {
      const std::int64_t left = std::max<std::int64_t>(0, *limit - *used + cache.value_or(0));
      available = available ? std::min(*available, left) : left;
    }
  }
  return available;
}

std::optional<std::int64_t> OutOfMemoryKills() { return NumberIn("/proc/vmstat", "oom_kill"); }

}  // namespace xsp::os
