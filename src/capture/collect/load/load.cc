#include "capture/collect/load/load.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace xsp::collect::load {

namespace {

constexpr double kHeavyShareOfCpu = 0.2;

/// The first `count` words of a text.
std::string FirstWords(const std::string& text, int count) {
  std::size_t end = 0;
  for (; count > 0 && end < text.size(); --count)
    end = std::min(text.find(' ', end + 1), text.size());
  return text.substr(0, end);
}

void AddPressure(const MachineFiles& files, FactSheet& sheet) {
  for (const char* what : {"cpu", "memory", "io"}) {
    const auto some = files.Value(fmt::format("proc/pressure/{}", what), "some");
    // "avg10=0.28 avg60=0.85 ...": per cent of the time that some task waited.
    std::string share;
    if (some && some->starts_with("avg10=")) share = some->substr(6, some->find(' ') - 6);
    sheet.Add(fmt::format("pressure.{}_percent", what), share,
              "the kernel is built without pressure stall information");
  }
}

std::vector<Fact> CollectHere() {
  const MachineFiles files;
  const Snapshot before = Take(files);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return Describe(files, before, Take(files), getpid());
}

}  // namespace

Snapshot Take(const MachineFiles& files) {
  Snapshot snapshot{ReadMachineLoad(files.root()), {}};
  for (const std::string& name : files.Names("proc")) {
    const auto pid = LeadingNumber(name);
    if (pid) snapshot.cpu_ns[*pid] = CpuNsOfProcess(*pid, files.root());
  }
  return snapshot;
}

std::vector<Fact> Describe(const MachineFiles& files, const Snapshot& before, const Snapshot& after,
                           std::int64_t own_process) {
  const auto wall_ns = static_cast<double>(after.machine.time_ns - before.machine.time_ns);
  std::int64_t heavy = 0;
  std::int64_t own_ns = 0;
  for (const auto& [pid, cpu_ns] : after.cpu_ns) {
    const auto earlier = before.cpu_ns.find(pid);
    const std::int64_t used_ns = cpu_ns - (earlier == before.cpu_ns.end() ? 0 : earlier->second);
    if (pid == own_process) {
      own_ns = used_ns;
    } else if (wall_ns > 0 && static_cast<double>(used_ns) > kHeavyShareOfCpu * wall_ns) {
      ++heavy;
    }
  }
  constexpr const char* kNoCounters = "/proc/stat is not readable";
  const bool counted = after.machine.cpus > 0;
  using Text = std::optional<std::string>;
  using Number = std::optional<std::int64_t>;
  const auto percent = [&](double share) {
    return counted ? Text(fmt::format("{:.1f}", share * 100)) : Text();
  };
  FactSheet sheet("load");
  sheet.Add("average", FirstWords(files.Text("proc/loadavg").value_or(""), 3));
  sheet.Add("runnable", counted ? Number(after.machine.runnable) : Number(), kNoCounters);
  sheet.Add("other_processes_percent", percent(OtherLoad(before.machine, after.machine, own_ns)),
            kNoCounters);
  sheet.Add("heavy_processes", counted ? Number(heavy) : Number(), kNoCounters);
  sheet.Add("steal_percent", percent(StolenShare(before.machine, after.machine)), kNoCounters);
  AddPressure(files, sheet);
  return sheet.Take();
}

constinit const CollectorSpec kSpec{
    .name = "load",
    .summary = "What else the machine does: load, heavy processes, steal, pressure",
    .collect = CollectHere,
    .momentary = "*"};

}  // namespace xsp::collect::load
