#include "capture/collect/memory/memory.h"

#include <fmt/format.h>

namespace xsp::collect::memory {

namespace {

std::optional<std::int64_t> Bytes(const MachineFiles& files, std::string_view key) {
  const auto kib = files.NumberOf("proc/meminfo", key);
  return kib ? std::optional(*kib * 1024) : std::nullopt;
}

/// The choice in brackets: "always [madvise] never" gives "madvise".
std::string Chosen(const std::optional<std::string>& choices) {
  if (!choices) return "";
  const auto start = choices->find('[');
  const auto end = choices->find(']');
  if (start == choices->npos || end == choices->npos || end < start) return *choices;
  return choices->substr(start + 1, end - start - 1);
}

void AddNodes(const MachineFiles& files, FactSheet& sheet) {
  constexpr const char* kNodes = "sys/devices/system/node";
  for (const std::string& name : files.Names(kNodes)) {
    if (!name.starts_with("node") || !LeadingNumber(name.substr(4))) continue;
    const std::string file = fmt::format("{}/{}/meminfo", kNodes, name);
    const auto kib = files.NumberOf(file, fmt::format("Node {} MemTotal", name.substr(4)));
    sheet.Add(fmt::format("numa.{}_bytes", name),
              kib ? std::optional(*kib * 1024) : std::optional<std::int64_t>());
  }
}

std::vector<Fact> CollectHere() { return Collect(MachineFiles()); }

}  // namespace

std::vector<Fact> Collect(const MachineFiles& files) {
  constexpr const char* kNoMemInfo = "/proc/meminfo is not readable";
  FactSheet sheet("memory");
  sheet.Add("total_bytes", Bytes(files, "MemTotal"), kNoMemInfo);
  sheet.Add("available_bytes", Bytes(files, "MemAvailable"), kNoMemInfo);
  sheet.Add("swap_total_bytes", Bytes(files, "SwapTotal"), kNoMemInfo);
  sheet.Add("swap_free_bytes", Bytes(files, "SwapFree"), kNoMemInfo);
  sheet.Add("huge_pages", files.NumberOf("proc/meminfo", "HugePages_Total"),
            "the kernel is built without huge pages");
  sheet.Add("huge_page_bytes", Bytes(files, "Hugepagesize"),
            "the kernel is built without huge pages");
  sheet.Add("transparent_huge_pages",
            Chosen(files.Text("sys/kernel/mm/transparent_hugepage/enabled")),
            "the kernel is built without transparent huge pages");
  AddNodes(files, sheet);
  return sheet.Take();
}

constinit const CollectorSpec kSpec{.name = "memory",
                                    .summary = "Memory, huge pages, swap and NUMA nodes",
                                    .collect = CollectHere,
                                    .momentary = "available_bytes swap_free_bytes"};

}  // namespace xsp::collect::memory
