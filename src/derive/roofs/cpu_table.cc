#include "derive/roofs/cpu_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "os/paths.h"
#include "os/published_table.h"

namespace xsp::roofs {

namespace {

struct Clock {
  double ghz = 0;
  const char* what = "";
};

Clock ClockOf(const os::PublishedTable& table, const os::PublishedTable::Row& row, int cores) {
  const auto all = table.Number(row, "all_core_ghz");
  const auto most = table.Number(row, "max_ghz");
  const auto base = table.Number(row, "base_ghz");
  if (cores > 1 && all) return {*all, "boost of all cores"};
  if (most) return {*most, cores == 1 ? "highest boost" : "highest boost of one core, a bound"};
  return {base.value_or(0), "base clock"};
}

const os::PublishedTable::Row* Find(const os::PublishedTable& table, std::string_view column,
                                    std::string_view value) {
  for (const os::PublishedTable::Row& row : table.rows())
    if (table.Text(row, column) == value) return &row;
  return nullptr;
}

void AddDram(const os::PublishedTable& table, const os::PublishedTable::Row& row, int sockets,
             std::vector<Roof>& roofs) {
  constexpr double kBytesPerTransfer = 8;
  const auto channels = table.Number(row, "channels");
  const auto rate = table.Number(row, "mt_per_s");
  const auto stated = table.Number(row, "dram_gb_per_s");
  double value = 0;
  std::string how;
  if (channels && rate) {
    value = *channels * *rate * 1e6 * kBytesPerTransfer * sockets;
    how = fmt::format("{:g} channels x {:g} MT/s x 8 B", *channels, *rate);
  } else if (stated) {
    value = *stated * 1e9 * sockets;
    how = fmt::format("{:g} GB/s as stated", *stated);
  } else {
    return;
  }
  if (sockets > 1) how += fmt::format(" x {} sockets", sockets);
  roofs.push_back(
      {"bandwidth", "DRAM", "", "", 0, value, "data_sheet",
       fmt::format("{}: {}; {}", table.Text(row, "cpu"), how, table.Text(row, "source")), true});
}

}  // namespace

Result<std::vector<Roof>> CpuDataSheet(std::string_view name, const CpuShare& share) {
  return CpuDataSheetFrom(os::DataRoot() / "machine", name, share);
}

Result<std::vector<Roof>> CpuDataSheetFrom(const std::filesystem::path& folder,
                                           std::string_view name, const CpuShare& share) {
  XSP_TRY(
      const os::PublishedTable cpus,
      os::PublishedTable::Read(folder / "cpus.csv", {"cpu", "match", "cores", "core", "source"}));
  XSP_TRY(const os::PublishedTable kinds,
          os::PublishedTable::Read(folder / "cores.csv", {"core", "source"}));
  const os::PublishedTable::Row* const cpu = cpus.BestMatch(name);
  if (cpu == nullptr) {
    return Error{ErrorKind::kNotPossible,
                 fmt::format("no data sheet is known for the CPU: {}",
                             name.empty() ? "it has no name here" : name),
                 "Add a line for it to machine/cpus.csv. A virtual machine may hide what it is."};
  }
  const os::PublishedTable::Row* const kind = Find(kinds, "core", cpus.Text(*cpu, "core"));
  if (kind == nullptr) {
    return Error{ErrorKind::kEnvironment,
                 fmt::format("CPU table is damaged: no core is called {}", cpus.Text(*cpu, "core")),
                 "Install XSP again, or mend machine/cores.csv."};
  }
  const int own = static_cast<int>(cpus.Number(*cpu, "cores").value_or(0));
  const int sockets = std::max(1, share.sockets);
  const int cores = share.cores > 0 ? share.cores : own * sockets;
  const Clock clock = ClockOf(cpus, *cpu, cores);
  std::vector<Roof> roofs;
  for (const std::string& column : kinds.header()) {
    const auto per_cycle = kinds.Number(*kind, column);
    const auto underscore = column.find('_');
    if (!per_cycle || underscore == std::string::npos || clock.ghz <= 0) continue;
    const std::string dtype = column.substr(0, underscore), unit = column.substr(underscore + 1);
    roofs.push_back(
        {"flops", fmt::format("{} {}", dtype, unit), dtype, unit, cores,
         cores * *per_cycle * clock.ghz * 1e9, "data_sheet",
         fmt::format("{}: {} cores x {:g} a cycle ({}) x {:g} GHz ({}), computed; {}; {}",
                     cpus.Text(*cpu, "cpu"), cores, *per_cycle, kinds.Text(*kind, "core"),
                     clock.ghz, clock.what, cpus.Text(*cpu, "source"), kinds.Text(*kind, "source")),
         true});
  }
  AddDram(cpus, *cpu, sockets, roofs);
  return roofs;
}

}  // namespace xsp::roofs
