#include "capture/collect/cpu/cpu.h"

#include <fmt/format.h>

#include "os/processor.h"

namespace xsp::collect::cpu {

namespace {

// What decides which code a framework's libraries choose.
constexpr const char* kInstructionSets[] = {"sse4_2",      "avx",
                                            "f16c",        "fma",
                                            "avx2",        "avx512f",
                                            "avx512bw",    "avx512vl",
                                            "avx512dq",    "avx512_vnni",
                                            "avx512_bf16", "avx512_fp16",
                                            "avx_vnni",    "avx_ne_convert",
                                            "amx_tile",    "amx_int8",
                                            "amx_bf16",    "amx_fp16",
                                            "asimd",       "asimdhp",
                                            "asimddp",     "i8mm",
                                            "bf16",        "sve",
                                            "sve2"};

std::string InstructionSets(const os::Processor& processor) {
  std::string list;
  for (const char* name : kInstructionSets) {
    if (processor.Has(name)) list += fmt::format("{}{}", list.empty() ? "" : " ", name);
  }
  return list;
}

std::optional<std::int64_t> Counted(int count) {
  return count > 0 ? std::optional<std::int64_t>(count) : std::nullopt;
}

void AddCaches(const os::Processor& processor, FactSheet& sheet) {
  constexpr const char* kWhy = "the hypervisor or kernel does not describe the caches";
  for (int level = 1; level <= 3; ++level) {
    const os::Cache* cache = processor.DataCache(level);
    const std::string name = level == 1 ? "l1d" : fmt::format("l{}", level);
    using Size = std::optional<std::int64_t>;
    sheet.Add(fmt::format("caches.{}_bytes", name), cache ? Size(cache->size_bytes) : Size(), kWhy);
    if (cache == nullptr || cache->shared_by.empty()) continue;
    sheet.Add(fmt::format("caches.{}_shared_by", name),
              Size(static_cast<std::int64_t>(cache->shared_by.size())));
  }
}

std::string Hypervisor(const os::Processor& processor, const MachineFiles& files) {
  if (const auto type = files.Text("sys/hypervisor/type"); type && !type->empty()) return *type;
  const auto product = files.Text("sys/class/dmi/id/product_name");
  if (!processor.Has("hypervisor")) return "none seen";
  return product && !product->empty() ? *product : "present, not named";
}

std::vector<Fact> CollectHere() { return Collect(MachineFiles()); }

}  // namespace

std::vector<Fact> Collect(const MachineFiles& files) {
  const os::Processor processor = os::ReadProcessor(files.root());
  FactSheet sheet("cpu");
  sheet.Add("model", processor.model, "/proc/cpuinfo names none");
  sheet.Add("vendor", processor.vendor, "/proc/cpuinfo names none");
  sheet.Add("sockets", Counted(processor.sockets));
  sheet.Add("cores", Counted(processor.cores));
  sheet.Add("threads", Counted(static_cast<int>(processor.online.size())));
  sheet.Add("smt", files.Text("sys/devices/system/cpu/smt/control"));
  sheet.Add("instruction_sets", InstructionSets(processor), "/proc/cpuinfo lists none of interest");
  AddCaches(processor, sheet);
  int nodes = 0;
  for (const std::string& name : files.Names("sys/devices/system/node")) {
    nodes += name.starts_with("node") && LeadingNumber(name.substr(4)) ? 1 : 0;
  }
  sheet.Add("numa_nodes", Counted(nodes), "the kernel is built without NUMA");
  sheet.Add("microcode", processor.microcode, "hidden by the hypervisor, or none on this CPU");
  sheet.Add("hypervisor", Hypervisor(processor, files));
  const std::vector<int> allowed = os::AllowedCpus();
  sheet.Add("affinity", fmt::format("{} ({} of {})", os::FormatCpuList(allowed), allowed.size(),
                                    processor.online.size()));
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "cpu",
    .summary = "Model, cores, instruction sets, caches and affinity of the CPUs",
    .collect = CollectHere};

}  // namespace xsp::collect::cpu
