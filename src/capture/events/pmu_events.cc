#include "capture/events/pmu_events.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <optional>
#include <string_view>

#include "os/paths.h"
#include "os/published_table.h"

namespace xsp::events {

namespace {

std::string_view Trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

template <typename Number>
std::optional<Number> Parse(std::string_view text, int base) {
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// "00-2f 55": hexadecimal numbers and ranges. Nothing: it is no such list.
std::optional<bool> Holds(std::string_view ranges, int model) {
  bool holds = false;
  while (!(ranges = Trimmed(ranges)).empty()) {
    const std::string_view range = ranges.substr(0, ranges.find(' '));
    ranges.remove_prefix(range.size());
    const std::size_t minus = range.find('-');
    const auto low = Parse<int>(range.substr(0, minus), 16);
    const auto high =
        minus == std::string_view::npos ? low : Parse<int>(range.substr(minus + 1), 16);
    if (!low || !high || *low > *high) return std::nullopt;
    holds |= *low <= model && model <= *high;
  }
  return holds;
}

Error Damaged(std::string_view table, std::string_view what) {
  return {ErrorKind::kEnvironment, fmt::format("table of counters is damaged: {}", what),
          fmt::format("Install XSP again, or mend machine/{}.", table)};
}

Result<std::string> SetOf(const CpuIdentity& cpu, const os::PublishedTable& cpus) {
  for (const os::PublishedTable::Row& row : cpus.rows()) {
    const auto family = Parse<int>(cpus.Text(row, "family"), 10);
    const auto holds = Holds(cpus.Text(row, "models"), cpu.model);
    if (!family || !holds)
      return Damaged("pmu_cpus.csv",
                     fmt::format("models are no numbers: {}", cpus.Text(row, "models")));
    if (cpus.Text(row, "vendor") == cpu.vendor && *family == cpu.family && *holds)
      return std::string(cpus.Text(row, "set"));
  }
  return std::string();
}

std::optional<counters::Event> EventOf(const os::PublishedTable& table,
                                       const os::PublishedTable::Row& row) {
  const auto type = Parse<std::uint32_t>(table.Text(row, "type"), 10);
  const auto config = Parse<std::uint64_t>(table.Text(row, "config"), 16);
  const auto group = Parse<int>(table.Text(row, "group"), 10);
  const auto factor = table.Number(row, "factor");
  const std::string_view name = table.Text(row, "name");
  if (!type || !config || !group || !factor || *factor <= 0 || name.empty()) return std::nullopt;
  return counters::Event{
      std::string(name), std::string(table.Text(row, "unit")), *type, *config, *factor, *group};
}

}  // namespace

CpuIdentity ReadCpuIdentity(const std::filesystem::path& root) {
  CpuIdentity cpu;
  std::ifstream file(root / "proc/cpuinfo");
  // Of the first processor: all are alike where the tables know them.
  for (std::string line; std::getline(file, line) && !line.empty();) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string_view key = Trimmed(std::string_view(line).substr(0, colon));
    const std::string_view value = Trimmed(std::string_view(line).substr(colon + 1));
    if (key == "vendor_id") cpu.vendor = value;
    if (key == "cpu family") cpu.family = Parse<int>(value, 10).value_or(-1);
    if (key == "model") cpu.model = Parse<int>(value, 10).value_or(-1);
  }
  return cpu;
}

Result<PmuEvents> EventsOf(const CpuIdentity& cpu, const std::filesystem::path& folder) {
  XSP_TRY(const os::PublishedTable cpus,
          os::PublishedTable::Read(folder / "pmu_cpus.csv",
                                   {"vendor", "family", "models", "set", "source"}));
  XSP_TRY(
      const os::PublishedTable table,
      os::PublishedTable::Read(folder / "pmu_events.csv", {"set", "name", "unit", "type", "config",
                                                           "factor", "group", "source"}));
  PmuEvents chosen;
  XSP_TRY(chosen.set, SetOf(cpu, cpus));
  chosen.events = counters::SoftwareEvents();
  for (const os::PublishedTable::Row& row : table.rows()) {
    const auto event = EventOf(table, row);
    if (!event)
      return Damaged("pmu_events.csv",
                     fmt::format("an event is none: {}", table.Text(row, "name")));
    const std::string_view set = table.Text(row, "set");
    if (set == "any" || (!chosen.set.empty() && set == chosen.set)) chosen.events.push_back(*event);
  }
  if (chosen.events.size() > counters::kMostEvents)
    return Damaged("pmu_events.csv", fmt::format("{} has {} events, of {} at most", chosen.set,
                                                 chosen.events.size(), counters::kMostEvents));
  return chosen;
}

Result<PmuEvents> EventsHere() { return EventsOf(ReadCpuIdentity(), os::DataRoot() / "machine"); }

}  // namespace xsp::events
