#include "os/processor.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

#include "os/files.h"

namespace xsp::os {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kSysfsLimitBytes = 16 << 20;  // cpuinfo of 1000 CPUs takes 2 MB.

std::string Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

std::string Text(const fs::path& path) {
  auto text = ReadFile(path, kSysfsLimitBytes);
  return text.ok() ? Trimmed(text.value()) : "";
}

/// "48K", "2M" or "32768" in bytes; 0 when it is none of them.
std::int64_t SizeInBytes(std::string_view text) {
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  const char suffix = rest == text.data() + text.size() ? 'B' : *rest;
  if (suffix == 'K') return value << 10;
  if (suffix == 'M') return value << 20;
  return value;
}

/// POWER has one line for the model and what the kernel lists of its features: "POWER9
/// (architected), altivec supported".
void ReadPowerCpu(std::string_view line, Processor& processor) {
  if (!processor.model.empty()) return;
  processor.model = Trimmed(line.substr(0, line.find(',')));
  if (line.ends_with("altivec supported")) processor.flags = {"altivec"};
}

void ReadCpuInfo(const fs::path& root, Processor& processor) {
  std::istringstream text(Text(root / "proc/cpuinfo"));
  std::string implementer, part;
  for (std::string line; std::getline(text, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = Trimmed(std::string_view(line).substr(0, colon));
    const std::string value = Trimmed(std::string_view(line).substr(colon + 1));
    if (key == "model name" && processor.model.empty()) processor.model = value;
    if (key == "vendor_id" && processor.vendor.empty()) processor.vendor = value;
    if (key == "microcode" && processor.microcode.empty()) processor.microcode = value;
    if (key == "CPU implementer" && implementer.empty()) implementer = value;
    if (key == "CPU part" && part.empty()) part = value;
    if (key == "cpu") ReadPowerCpu(value, processor);
    if ((key == "flags" || key == "Features") && processor.flags.empty()) {
      std::istringstream words(value);
      for (std::string word; words >> word;) processor.flags.push_back(word);
      std::sort(processor.flags.begin(), processor.flags.end());
    }
  }
  if (processor.vendor.empty() && !implementer.empty()) {
    processor.vendor = fmt::format("implementer {} part {}", implementer, part);
  }
  if (processor.model.empty()) processor.model = processor.vendor;
}

void CountCores(const fs::path& cpus, Processor& processor) {
  std::set<std::string> sockets;
  std::set<std::string> cores;
  for (const int cpu : processor.online) {
    const fs::path topology = cpus / fmt::format("cpu{}", cpu) / "topology";
    const std::string socket = Text(topology / "physical_package_id");
    const std::string core = Text(topology / "core_id");
    if (socket.empty() || core.empty()) continue;
    sockets.insert(socket);
    cores.insert(fmt::format("{}/{}/{}", socket, Text(topology / "die_id"), core));
  }
  processor.sockets = static_cast<int>(sockets.size());
  processor.cores = static_cast<int>(cores.size());
}

void ReadCaches(const fs::path& folder, Processor& processor) {
  for (int index = 0;; ++index) {
    const fs::path cache = folder / fmt::format("index{}", index);
    const std::string level = Text(cache / "level");
    if (level.empty()) break;
    processor.caches.push_back({static_cast<int>(SizeInBytes(level)), Text(cache / "type"),
                                SizeInBytes(Text(cache / "size")),
                                ParseCpuList(Text(cache / "shared_cpu_list"))});
  }
  std::stable_sort(processor.caches.begin(), processor.caches.end(),
                   [](const Cache& a, const Cache& b) {
                     return std::pair(a.level, a.type) < std::pair(b.level, b.type);
                   });
}

}  // namespace

bool Processor::Has(std::string_view flag) const {
  return std::binary_search(flags.begin(), flags.end(), flag);
}

const Cache* Processor::DataCache(int level) const {
  for (const Cache& cache : caches) {
    if (cache.level == level && cache.type != "Instruction" && cache.size_bytes > 0) return &cache;
  }
  return nullptr;
}

Processor ReadProcessor(const fs::path& root) {
  Processor processor;
  const fs::path cpus = root / "sys/devices/system/cpu";
  ReadCpuInfo(root, processor);
  processor.online = ParseCpuList(Text(cpus / "online"));
  CountCores(cpus, processor);
  ReadCaches(cpus / "cpu0/cache", processor);
  return processor;
}

std::vector<int> ParseCpuList(std::string_view list) {
  constexpr int kMaxCpu = 1 << 20;
  std::vector<int> cpus;
  std::size_t start = 0;
  while (start < list.size()) {
    const std::size_t end = std::min(list.find(',', start), list.size());
    const std::string part = Trimmed(list.substr(start, end - start));
    start = end + 1;
    int first = 0;
    const char* const stop = part.data() + part.size();
    auto [rest, error] = std::from_chars(part.data(), stop, first);
    int last = first;
    if (error == std::errc() && rest != stop && *rest == '-') {
      const auto parsed = std::from_chars(rest + 1, stop, last);
      rest = parsed.ptr;
      error = parsed.ec;
    }
    if (error != std::errc() || rest != stop || first < 0 || last > kMaxCpu) continue;
    for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
  }
  std::sort(cpus.begin(), cpus.end());
  cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
  return cpus;
}

std::string FormatCpuList(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i;
    while (end + 1 < cpus.size() && cpus[end + 1] == cpus[end] + 1) ++end;
    if (!text.empty()) text += ',';
    text += end == i ? fmt::format("{}", cpus[i]) : fmt::format("{}-{}", cpus[i], cpus[end]);
    i = end + 1;
  }
  return text;
}

std::vector<int> AllowedCpus() {
  // The kernel refuses a mask that is smaller than its own: grow until it fits.
  for (int capacity = 1024; capacity <= 1 << 16; capacity *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(
        CPU_ALLOC(static_cast<std::size_t>(capacity)), [](cpu_set_t* set) { CPU_FREE(set); });
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
    CPU_ZERO_S(size, mask.get());
    if (sched_getaffinity(0, size, mask.get()) != 0) continue;
    std::vector<int> cpus;
    for (int cpu = 0; cpu < capacity; ++cpu) {
      if (CPU_ISSET_S(static_cast<std::size_t>(cpu), size, mask.get())) cpus.push_back(cpu);
    }
    return cpus;
  }
  return {};
}

}  // namespace xsp::os
