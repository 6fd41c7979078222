#include "derive/compare/gate_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/nearest_word.h"
#include "derive/compare/latency.h"

namespace xsp::compare {
namespace {

constexpr std::size_t kMaxNearestRows = 3;
constexpr std::size_t kMaxRowNames = 1000;

/// One value of each process as CompareProcesses() takes it.
std::vector<std::vector<double>> AsBlocks(const std::vector<double>& values) {
  std::vector<std::vector<double>> blocks;
  for (const double value : values)
    if (value > 0) blocks.push_back({value});
  return blocks;
}

std::optional<double> Finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// The ratio of two values, of which nothing more is known.
void SetValues(GateRatio& found, double a, double b) {
  found.a = a;
  found.b = b;
  found.ratio = Finite(b / a);
}

/// The interval of the ratio where both sides have several processes. `sessions`: of two
/// experiments, where the machine changes the value.
void SetInterval(GateRatio& found, const std::vector<double>& a, const std::vector<double>& b,
                 const std::optional<SessionNoise>& sessions = {}) {
  const auto of_a = AsBlocks(a), of_b = AsBlocks(b);
  found.processes = std::max<std::size_t>(std::min(of_a.size(), of_b.size()), 1);
  if (of_a.size() < 2 || of_b.size() < 2) return;
  const core::ProcessRatio of_processes = core::CompareProcesses(of_b, of_a);
  const core::ProcessRatio ratio =
      WidenedBySessions(of_processes, sessions.value_or(SessionNoise()));
  found.is_of_sessions = ratio.ratio.interval.high > of_processes.ratio.interval.high;
  found.ratio = Finite(ratio.ratio.centre);
  found.low = Finite(ratio.ratio.interval.low);
  found.high = Finite(ratio.ratio.interval.high);
}

/// A time of the model calls of each process, which `field` names.
std::vector<double> OfProcesses(const Side& side, double SideTrees::*field) {
  std::vector<double> times_ns = {side.trees.*field};
  for (const SideTrees& process : side.processes) times_ns.push_back(process.*field);
  return times_ns;
}

}  // namespace

std::vector<GateRatio> GateValues::Of(const Gate& gate) {
  switch (gate.metric) {
    case GateMetric::kLatency:
      return {LatencyOf()};
    case GateMetric::kThroughput:
      return {ThroughputOf()};
    case GateMetric::kMemory:
      return {MemoryOf()};
    case GateMetric::kDevice:
      return {DeviceOf()};
    case GateMetric::kEnergy:
      return EnergyOf();
    default:
      return {RowsOf(gate)};
  }
}

GateRatio GateValues::LatencyOf() const {
  GateRatio found{.unit = "ns"};
  if (!sides_.a.calls.empty() && !sides_.b.calls.empty()) {
    SetValues(found, Latency(sides_.a.calls), Latency(sides_.b.calls));
    found.ratio = compared_.ratio;
    found.low = compared_.low;
    found.high = compared_.high;
    found.is_of_sessions = compared_.is_interval_of_sessions;
    found.processes = std::min(sides_.a.calls.size(), sides_.b.calls.size());
    return found;
  }
  SetValues(found, sides_.a.trees.wall_ns, sides_.b.trees.wall_ns);
  SetInterval(found, OfProcesses(sides_.a, &SideTrees::wall_ns),
              OfProcesses(sides_.b, &SideTrees::wall_ns), compared_.sessions);
  found.note = "calls with profiling: a side has none without";
  return found;
}

/// Sides with other batch sizes are not comparable, so calls stand for items.
GateRatio GateValues::ThroughputOf() const {
  GateRatio found = LatencyOf();
  found.unit = "calls/s";
  const auto inverted = [](std::optional<double> value, double of) {
    return value && *value > 0 ? std::optional(of / *value) : std::nullopt;
  };
  constexpr double kNsPerSecond = 1e9;
  found.a = inverted(found.a, kNsPerSecond);
  found.b = inverted(found.b, kNsPerSecond);
  found.ratio = inverted(found.ratio, 1);
  std::swap(found.low, found.high);
  found.low = inverted(found.low, 1);
  found.high = inverted(found.high, 1);
  return found;
}

GateRatio GateValues::MemoryOf() const {
  GateRatio found{.unit = "byte", .is_time = false};
  if (a_.allocated_peak_bytes && b_.allocated_peak_bytes) {
    SetValues(found, *a_.allocated_peak_bytes, *b_.allocated_peak_bytes);
    found.is_exact = true;
    found.note = "allocated by the framework during a call";
    return found;
  }
  if (a_.resident_peak_bytes.empty() || b_.resident_peak_bytes.empty()) {
    found.missing = WhyNoMemory();
    return found;
  }
  SetValues(found, core::Mean(a_.resident_peak_bytes), core::Mean(b_.resident_peak_bytes));
  SetInterval(found, a_.resident_peak_bytes, b_.resident_peak_bytes);
  found.note = "of the process, with model and framework";
  return found;
}

std::string GateValues::WhyNoMemory() const {
  const auto knows_none = [](const SideMeasures& side) {
    return !side.allocated_peak_bytes && side.resident_peak_bytes.empty();
  };
  if (!knows_none(a_) && !knows_none(b_))
    return "one side knows the peak memory of the framework, the other that of the process";
  return fmt::format("the peak memory of {} is not known",
                     (knows_none(a_) ? sides_.a : sides_.b).source.name);
}

GateRatio GateValues::DeviceOf() const {
  GateRatio found{.unit = "ns"};
  if (sides_.basis != Basis::kDevice) {
    const bool is_a = sides_.a.trees.device_spans == 0;
    found.missing = fmt::format("{} has no device work", (is_a ? sides_.a : sides_.b).source.name);
    return found;
  }
  SetValues(found, sides_.a.trees.device_ns, sides_.b.trees.device_ns);
  SetInterval(found, OfProcesses(sides_.a, &SideTrees::device_ns),
              OfProcesses(sides_.b, &SideTrees::device_ns), compared_.sessions);
  return found;
}

std::vector<GateRatio> GateValues::EnergyOf() const {
  std::vector<GateRatio> all;
  for (const auto& [part, of_a] : a_.call_joules) {
    const auto of_b = b_.call_joules.find(part);
    if (of_b == b_.call_joules.end()) continue;
    GateRatio& found = all.emplace_back(GateRatio{.unit = "J"});
    SetValues(found, core::Mean(of_a), core::Mean(of_b->second));
    SetInterval(found, of_a, of_b->second);
    found.note = part;
  }
  if (all.empty())
    all.push_back({.unit = "J",
                   .missing = "no part of the machine has a known energy of model calls on both "
                              "sides (`xsp analyze energy` says why)"});
  return all;
}

GateRatio GateValues::RowsOf(const Gate& gate) {
  GateRatio found{.unit = "ns"};
  const GateRows rows = FindGateRows(compared_.trees, gate);
  if (rows.rows.empty()) {
    found.missing = NoRow(gate, rows.of_kind);
    return found;
  }
  double a_ns = 0, b_ns = 0;
  std::vector<std::int32_t> a_nodes, b_nodes;
  for (const std::size_t row : rows.rows) {
    const ComparedNode& node = compared_.trees.nodes[row];
    a_ns += node.a_ns.value_or(0);
    b_ns += node.b_ns.value_or(0);
    if (node.a_node >= 0) a_nodes.push_back(node.a_node);
    if (node.b_node >= 0) b_nodes.push_back(node.b_node);
  }
  SetValues(found, a_ns, b_ns);
  found.note = fmt::format("{} row{} together", rows.rows.size(), rows.rows.size() == 1 ? "" : "s");
  if (sides_.a.processes.empty() || sides_.b.processes.empty()) return found;
  const ProcessTimes &of_a = TimesOfA(), &of_b = TimesOfB();
  if (of_a.IsShown(a_nodes, a_ns) && of_b.IsShown(b_nodes, b_ns))
    SetInterval(found, of_a.SumOf(a_nodes), of_b.SumOf(b_nodes), compared_.sessions);
  return found;
}

const ProcessTimes& GateValues::TimesOfA() {
  if (!times_of_a_) times_of_a_.emplace(sides_.a, sides_.basis);
  return *times_of_a_;
}

const ProcessTimes& GateValues::TimesOfB() {
  if (!times_of_b_) times_of_b_.emplace(sides_.b, sides_.basis);
  return *times_of_b_;
}

std::string GateValues::NoRow(const Gate& gate, std::size_t of_kind) const {
  const std::string_view kind = ToString(gate.metric);
  if (of_kind == 0)
    return fmt::format("the comparison has no row of a {}{}", kind,
                       sides_.basis == Basis::kHost && gate.metric == GateMetric::kKernel
                           ? ": a side has no device work"
                           : "");
  std::vector<std::string_view> names;
  Gate all = gate;
  all.pattern = "*";
  for (const std::size_t row : FindGateRows(compared_.trees, all).rows) {
    const std::string_view path = compared_.trees.nodes[row].path;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    if (names.size() == kMaxRowNames) break;
  }
  return fmt::format("no {} matches {}; the nearest of {} rows are {}", kind, gate.pattern, of_kind,
                     fmt::join(core::NearestWords(gate.pattern, names, kMaxNearestRows), ", "));
}

}  // namespace xsp::compare
