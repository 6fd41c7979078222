#include "answer/report/machine_sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "answer/report/rows.h"
#include "answer/wording/quantity.h"

namespace xsp::report {
namespace {

constexpr std::string_view kSeries = "analysis-system_timeline";
constexpr std::string_view kUsage = "analysis-system_usage";

/// One core at work while the machine is not: a hint at a program of one thread.
constexpr double kCoreFull = 0.9;
constexpr double kMachineNotFull = 0.6;
/// Shares of the time from which waiting, or being slowed down, is worth a word.
constexpr double kWaitMatters = 0.05;
constexpr double kSlowMatters = 0.01;
/// Growth of memory from the first stretch to the last, of what was in use at most.
constexpr double kGrowthMatters = 0.02;
/// Bytes that a running machine moves anyway.
constexpr double kTrafficMatters = 1e6;

/// The series of one run, one row for each part of each: mean over time, greatest value, integral
/// over time, first and last segment.
class Machine {
 public:
  static Result<Machine> Of(const store::Database& database, std::int64_t run_id) {
    XSP_TRY(Rows rows, Rows::Of(database, fmt::format(R"(
        SELECT name, part, sum(mean * (until_ns - time_ns)) / nullif(sum(until_ns - time_ns), 0) AS mean,
               max(most) AS most, sum(mean * (until_ns - time_ns)) / 1e9 AS total,
               arg_min(mean, time_ns) AS first, arg_max(mean, time_ns) AS last
        FROM system_series WHERE run_id = {} GROUP BY name, part ORDER BY name, part)",
                                                      run_id)));
    return Machine(std::move(rows));
  }

  /// Row of a part, or kNone.
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t Find(std::string_view name, std::string_view part = "machine") const {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (rows_.Text(i, "name") == name && rows_.Text(i, "part") == part) return i;
    }
    return kNone;
  }
  double Mean(std::string_view name, std::string_view part = "machine") const {
    const std::size_t row = Find(name, part);
    return row == kNone ? 0 : rows_.Number(row, "mean");
  }

  /// Over the parts whose name starts with `prefix` and has no blank after it.
  struct Parts {
    int count = 0;
    double mean_sum = 0, total = 0, most = 0, busiest_mean = 0;
    std::string busiest;  ///< The part with the greatest mean.
  };
  Parts Over(std::string_view name, std::string_view prefix) const {
    Parts parts;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::string part = rows_.Text(i, "part");
      if (rows_.Text(i, "name") != name || !part.starts_with(prefix)) continue;
      if (part.find(' ', prefix.size()) != std::string::npos) continue;
      const double mean = rows_.Number(i, "mean");
      if (parts.count++ == 0 || mean > parts.busiest_mean) {
        parts.busiest_mean = mean;
        parts.busiest = part;
      }
      parts.mean_sum += mean;
      parts.total += rows_.Number(i, "total");
      parts.most = std::max(parts.most, rows_.Number(i, "most"));
    }
    return parts;
  }

  const Rows& rows() const { return rows_; }

 private:
  explicit Machine(Rows rows) : rows_(std::move(rows)) {}
  Rows rows_;
};

using SeriesTexts = std::vector<Sentence>;

void Say(SeriesTexts& texts, std::string text, std::string_view anchor = kSeries) {
  texts.push_back({std::move(text), std::string(anchor)});
}

void Cpus(const Machine& machine, double seconds, SeriesTexts& texts) {
  const std::size_t busy = machine.Find("cpu.busy_share");
  if (busy == Machine::kNone) return;
  const double mean = machine.rows().Number(busy, "mean");
  const Machine::Parts cores = machine.Over("cpu.busy_share", "cpu ");
  std::string text =
      fmt::format("{} busy {} of {}, at most {} at once",
                  cores.count == 0   ? "The CPUs were"
                  : cores.count == 1 ? "The CPU was"
                                     : fmt::format("The {} CPUs were", cores.count),
                  wording::Percent(mean), wording::FormatQuantity(seconds * 1e9, "ns"),
                  wording::Percent(machine.rows().Number(busy, "most")));
  if (cores.count > 1 && mean < kMachineNotFull && cores.busiest_mean >= kCoreFull) {
    text += fmt::format("; {} alone was busy {}: work that is not spread over the others",
                        cores.busiest, wording::Percent(cores.busiest_mean));
  }
  Say(texts, text + ".", kUsage);
}

void Gpus(const Machine& machine, SeriesTexts& texts) {
  const Machine::Parts busy = machine.Over("nvml.gpu_busy_share", "gpu ");
  if (busy.count == 0) return;
  std::string text =
      fmt::format("{} ran kernels {} of the time",
                  busy.count == 1 ? std::string("The GPU") : fmt::format("The {} GPUs", busy.count),
                  wording::Percent(busy.mean_sum / busy.count));
  if (busy.count > 1)
    text += fmt::format(" in the mean, {} the most ({})", busy.busiest,
                        wording::Percent(busy.busiest_mean));
  if (const Machine::Parts memory = machine.Over("nvml.memory_used_bytes", "gpu "); memory.most > 0)
    text += fmt::format("; at most {} of memory in use on one",
                        wording::FormatQuantity(memory.most, "byte"));
  Say(texts, text + ".", kUsage);
}

void Waiting(const Machine& machine, SeriesTexts& texts) {
  struct Wait {
    const char* series;
    const char* what;
  };
  constexpr Wait kWaits[] = {{"pressure.cpu_some_share", "a CPU"},
                             {"pressure.memory_some_share", "memory"},
                             {"pressure.io_some_share", "disks"}};
  std::string text;
  for (const Wait& wait : kWaits) {
    const double share = machine.Mean(wait.series);
    if (share >= kWaitMatters)
      text += fmt::format("{}{} {} of the time", text.empty() ? "" : ", for ", wait.what,
                          wording::Percent(share));
  }
  if (!text.empty()) Say(texts, fmt::format("Something that could run waited for {}.", text));
}

/// A limit, a hypervisor or a GPU's protection that takes speed away.
void SlowedDown(const Machine& machine, SeriesTexts& texts) {
  if (const double share = machine.Mean("cpu.steal_share"); share >= kSlowMatters)
    Say(texts, fmt::format("The hypervisor gave {} of the CPUs' time to others.",
                           wording::Percent(share)));
  if (const double share = machine.Mean("cgroup.throttled_share", "cgroup"); share >= kSlowMatters)
    Say(texts, fmt::format("The CPU quota of the control group stopped it in {} of its periods.",
                           wording::Percent(share)));
  constexpr std::pair<const char*, const char*> kReasons[] = {
      {"nvml.throttled_by_power_cap", "its power limit"},
      {"nvml.throttled_by_heat", "heat"},
      {"nvml.throttled_by_hardware", "its hardware's protection"},
      {"nvml.throttled_by_hardware_heat", "heat, by its hardware"},
      {"nvml.throttled_by_power_brake", "the power brake"}};
  for (const auto& [series, reason] : kReasons) {
    const Machine::Parts gpus = machine.Over(series, "gpu ");
    if (gpus.busiest_mean >= kSlowMatters)
      Say(texts, fmt::format("{} was slowed down by {} {} of the time.", gpus.busiest, reason,
                             wording::Percent(gpus.busiest_mean)));
  }
}

void Memory(const Machine& machine, SeriesTexts& texts) {
  const std::size_t row = machine.Find("memory.used_bytes");
  if (row == Machine::kNone) return;
  const Rows& rows = machine.rows();
  const double most = rows.Number(row, "most");
  const double growth = rows.Number(row, "last") - rows.Number(row, "first");
  std::string text = fmt::format("{} of memory were in use on the machine, at most {}",
                                 wording::FormatQuantity(rows.Number(row, "mean"), "byte"),
                                 wording::FormatQuantity(most, "byte"));
  if (growth >= kGrowthMatters * most)
    text += fmt::format("; {} more at the end than at the beginning",
                        wording::FormatQuantity(growth, "byte"));
  Say(texts, text + ".", kUsage);
}

void Traffic(const Machine& machine, SeriesTexts& texts) {
  const Machine::Parts read = machine.Over("disk.read_bytes_per_s", "disk ");
  const Machine::Parts written = machine.Over("disk.write_bytes_per_s", "disk ");
  if (read.total + written.total >= kTrafficMatters)
    Say(texts,
        fmt::format("Disks read {} and wrote {}.", wording::FormatQuantity(read.total, "byte"),
                    wording::FormatQuantity(written.total, "byte")));
  const Machine::Parts received = machine.Over("network.received_bytes_per_s", "network ");
  const Machine::Parts sent = machine.Over("network.sent_bytes_per_s", "network ");
  if (received.total + sent.total < kTrafficMatters) return;
  // Interfaces may carry the same bytes one after the other: the busiest alone is reported.
  const bool mostly_in = received.busiest_mean >= sent.busiest_mean;
  const std::string& interface = mostly_in ? received.busiest : sent.busiest;
  const auto total = [&](std::string_view name) {
    const std::size_t row = machine.Find(name, interface);
    return row == Machine::kNone ? 0 : machine.rows().Number(row, "total");
  };
  Say(texts, fmt::format("`{}` received {} and sent {}.", interface,
                         wording::FormatQuantity(total("network.received_bytes_per_s"), "byte"),
                         wording::FormatQuantity(total("network.sent_bytes_per_s"), "byte")));
}

void Power(const Machine& machine, SeriesTexts& texts) {
  const std::pair<Machine::Parts, const char*> kinds[] = {
      {machine.Over("rapl.power_watts", "package-"), "processor"},
      {machine.Over("nvml.power_watts", "gpu "), "GPU"}};
  for (const auto& [parts, what] : kinds) {
    if (!(parts.total > 0)) continue;
    Say(texts,
        fmt::format("The {}{} drew {} in the mean: {} in all, idle or not.", what,
                    parts.count == 1 ? "" : "s", wording::FormatQuantity(parts.mean_sum, "W"),
                    wording::FormatQuantity(parts.total, "J")));
  }
}

}  // namespace

Result<std::vector<Sentence>> MachineSentences(const store::Database& database,
                                               std::int64_t point_id) {
  XSP_TRY(const Rows usage, Rows::Of(database, fmt::format(R"(
      SELECT run_id, seconds, monitor_share, rung IN ('recorded', 'monitor', 'imported') AS is_program
      FROM system_usage JOIN run USING (run_id)
      WHERE point_id = {} ORDER BY seconds DESC, run_id LIMIT 1)",
                                                           point_id)));
  SeriesTexts texts;
  if (usage.empty()) return texts;
  XSP_TRY(const Machine machine, Machine::Of(database, usage.Integer(0, "run_id")));
  // Of a model that XSP runs itself over and over, how busy the machine was is no finding.
  const bool is_program = usage.Truth(0, "is_program");
  if (is_program) Cpus(machine, usage.Number(0, "seconds"), texts);
  Gpus(machine, texts);
  SlowedDown(machine, texts);
  Waiting(machine, texts);
  if (is_program) Memory(machine, texts);
  if (is_program) Traffic(machine, texts);
  Power(machine, texts);
  if (!texts.empty())
    Say(texts,
        fmt::format("All programs of the machine count here; watching it took {} of a core.",
                    wording::Percent(usage.Number(0, "monitor_share"))),
        kUsage);
  return texts;
}

}  // namespace xsp::report
