#include "answer/suite/kernels/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/counted.h"
#include "core/json_text.h"

namespace xsp::suite::kernels {
namespace {

using nlohmann::json;
using store::Cell;

constexpr std::size_t kMostNames = 1000;
constexpr double kAllPercent = 99.995;  // What is printed as 100.00.

/// A count: whole where it is.
Cell CountCell(double value) {
  if (std::isnan(value)) return {};
  if (value == std::floor(value) && std::abs(value) < 1e15)
    return Cell(static_cast<std::int64_t>(value));
  return value;
}

/// A count that is a mean per model call, and so perhaps not whole, with its word.
std::string Counted(double count, const char* one) {
  const std::string whole = fmt::format("{:.0f}", count);
  return fmt::format("{} {}{}", whole, one, whole == "1" ? "" : "s");
}

/// A time with three digits that count, or to a tenth of a millisecond: "854.3 ms", "5.25 µs".
std::string KernelTimeText(double ms) {
  if (ms >= 100) return fmt::format("{:.1f} ms", ms);
  // What would be printed as 1000 of one unit is 1 of the next.
  if (ms >= 0.9995 || ms <= 0) return fmt::format("{:.3g} ms", ms);
  if (ms >= 0.9995e-3) return fmt::format("{:.3g} \u00b5s", ms * 1e3);
  return fmt::format("{:.3g} ns", ms * 1e6);
}

/// What a class counts as in tables of kinds.
std::string KindName(const std::string& kernel_class, const std::string& kind) {
  if (kernel_class == kNotClassed) return kNotClassed;
  return kind.empty() ? "(other)" : kind;
}

Table ClassTable(const Summary& summary, const std::string& from) {
  Table table = EmptyTable(
      "classes", "Classes of kernels",
      {{"class", "", "Class of kernels", ""},
       {"kind", "", "Kind of work that the class is of", ""},
       {"time_percent", "%", "Share of all kernel time", from},
       {"accumulated_percent", "%", "Share of this class and those above it", from},
       {"time_ms", "ms", "Time in kernels of the class", from},
       {"calls", "", "Calls", from},
       {"unique_kernels", "", "Kernels of different names", from},
       {"flops", "flop", "Floating-point operations, if known", from},
       {"transactions_32b", "", "DRAM transactions of 32 bytes, or bytes / 32", from},
       {"flops_per_byte", "flop/byte", "FLOPs / bytes, of kernels that have both", from},
       {"gflops_per_s", "Gflop/s", "FLOPs / time, of kernels whose FLOPs are known", from}});
  double accumulated = 0;
  for (const ClassSums& row : summary.classes) {
    accumulated += row.percent;
    const Sums& sums = row.sums;
    table.rows.rows.push_back({row.kernel_class, KindName(row.kernel_class, row.kind), row.percent,
                               accumulated, sums.time_ms, CountCell(sums.calls),
                               CountCell(sums.unique_kernels), CountCell(sums.flops),
                               CountCell(sums.Transactions()), NumberCell(sums.FlopsPerByte()),
                               NumberCell(sums.GflopsPerSecond())});
  }
  return table;
}

Table WorkloadTable(const Summary& summary, const std::string& from) {
  Table table =
      EmptyTable("workloads", "Classified share of each workload",
                 {{"workload", "", "The workload", ""},
                  {"classed_percent", "%", "Share of its kernel time that a rule classifies", from},
                  {"time_ms", "ms", "Its kernel time, per model call", from},
                  {"calls", "", "Calls of kernels, per model call", from},
                  {"unique_kernels", "", "Kernels of different names", from}});
  for (const WorkloadSums& row : summary.workloads)
    table.rows.rows.push_back({row.workload, row.classed_percent, NumberCell(row.time_ms),
                               CountCell(row.calls), CountCell(row.unique_kernels)});
  return table;
}

Table PairTable(const Summary& summary, const std::string& from) {
  Table table = EmptyTable("by_workload", "Classes in each workload",
                           {{"class", "", "Class of kernels", ""},
                            {"kind", "", "Kind of work", ""},
                            {"workload", "", "The workload; pairs without a row are zero", ""},
                            {"time_percent", "%", "Share of the workload's kernel time", from},
                            {"time_ms", "ms", "Time", from},
                            {"calls", "", "Calls", from},
                            {"unique_kernels", "", "Kernels of different names", from}});
  for (const ClassInWorkload& row : summary.in_workloads)
    table.rows.rows.push_back({row.kernel_class, row.kind, row.workload, NumberCell(row.percent),
                               NumberCell(row.time_ms), CountCell(row.calls),
                               CountCell(row.unique_kernels)});
  return table;
}

Table KindTable(const Summary& summary, const std::string& from) {
  std::map<std::string, Sums> kinds;
  for (const ClassSums& row : summary.classes)
    kinds[KindName(row.kernel_class, row.kind)].Add(row.sums);
  std::vector<std::pair<std::string, Sums>> sorted(kinds.begin(), kinds.end());
  std::ranges::stable_sort(
      sorted, [](const auto& a, const auto& b) { return a.second.time_ms > b.second.time_ms; });
  Table table = EmptyTable(
      "kinds", "Kinds of work",
      {{"kind", "", "Kind of work", ""},
       {"time_percent", "%", "Share of all kernel time", from},
       {"time_ms", "ms", "Time", from},
       {"calls", "", "Calls", from},
       {"unique_kernels", "", "Kernels of different names", from},
       {"gflops_per_s", "Gflop/s", "FLOPs / time, of kernels whose FLOPs are known", from}});
  for (const auto& [kind, sums] : sorted)
    table.rows.rows.push_back({kind, summary.time_ms > 0 ? 100 * sums.time_ms / summary.time_ms : 0,
                               sums.time_ms, CountCell(sums.calls), CountCell(sums.unique_kernels),
                               NumberCell(sums.GflopsPerSecond())});
  return table;
}

/// Shares of kinds in each workload, with what is missing to 100 %.
Table KindsInWorkloads(const Summary& summary, const std::string& from) {
  Table table = EmptyTable("kinds_by_workload", "Kinds of work in each workload",
                           {{"workload", "", "The workload", ""},
                            {"kind", "", "Kind of work", ""},
                            {"time_percent", "%", "Share of the workload's kernel time", from}});
  std::map<std::string, std::map<std::string, double>> workloads;
  for (const ClassInWorkload& row : summary.in_workloads)
    if (!std::isnan(row.percent))
      workloads[row.workload][KindName(row.kernel_class, row.kind)] += row.percent;
  for (const WorkloadSums& workload : summary.workloads) {
    std::map<std::string, double>& kinds = workloads[workload.workload];
    double sum = 0;
    for (const auto& [kind, percent] : kinds) sum += percent;
    if (100 - sum > 0.005) kinds[kNotClassed] += 100 - sum;
    for (const auto& [kind, percent] : kinds)
      table.rows.rows.push_back({workload.workload, kind, percent});
  }
  return table;
}

Table LibraryTable(const Summary& summary, const std::string& from) {
  Table table = EmptyTable("libraries", "Libraries that the kernels are of",
                           {{"library", "", "Library, as its kernels are named", ""},
                            {"time_percent", "%", "Share of all kernel time", from},
                            {"time_ms", "ms", "Time", from},
                            {"calls", "", "Calls", from},
                            {"unique_kernels", "", "Kernels of different names", from}});
  for (const auto& [library, sums] : summary.libraries)
    table.rows.rows.push_back({library.empty() ? "(unknown from the name)" : library,
                               summary.time_ms > 0 ? 100 * sums.time_ms / summary.time_ms : 0,
                               sums.time_ms, CountCell(sums.calls),
                               CountCell(sums.unique_kernels)});
  return table;
}

Table NameTable(const std::vector<NamedKernel>& names, const char* id, const char* title,
                const std::string& from) {
  Table table = EmptyTable(id, title,
                           {{"workload", "", "The workload; empty: of several", ""},
                            {"class", "", "Class", ""},
                            {"kernel", "", "Its name", ""},
                            {"library", "", "Library", ""},
                            {"time_percent", "%", "Share of all kernel time", from},
                            {"time_ms", "ms", "Time", from},
                            {"calls", "", "Calls", from}});
  for (std::size_t i = 0; i < std::min(names.size(), kMostNames); ++i) {
    const NamedKernel& row = names[i];
    table.rows.rows.push_back({row.workload, row.kernel_class, row.name, row.library,
                               NumberCell(row.percent), NumberCell(row.time_ms),
                               CountCell(row.calls)});
  }
  return table;
}

/// Kinds of work, those of the most time first: the page has hues for the first few. What no rule
/// classes is last, whatever its time: it is no kind.
json KindsByTime(const Summary& summary) {
  std::map<std::string, double> time_ms;
  for (const ClassSums& row : summary.classes)
    time_ms[KindName(row.kernel_class, row.kind)] += row.sums.time_ms;
  for (const ClassInWorkload& row : summary.in_workloads)
    time_ms.try_emplace(KindName(row.kernel_class, row.kind), 0);
  time_ms.erase(kNotClassed);
  std::vector<std::pair<double, std::string>> order;
  for (const auto& [kind, time] : time_ms) order.emplace_back(-time, kind);
  std::ranges::sort(order);
  json kinds = json::array();
  for (const auto& [time, kind] : order) kinds.push_back(kind);
  kinds.push_back(kNotClassed);
  return kinds;
}

/// A colour for each kind of work, the same in every picture.
json KindColour(const Summary& summary) {
  return {{"field", "kind"},
          {"type", "nominal"},
          {"title", "kind of work"},
          {"scale", {{"domain", KindsByTime(summary)}}}};
}

Chart BarChart(const json& colour) {
  const json spec = {
      {"mark", {{"type", "bar"}}},
      {"height", {{"step", 16}}},
      {"transform",
       {{{"window", {{{"op", "row_number"}, {"as", "rank"}}}},
         {"sort", {{{"field", "time_percent"}, {"order", "descending"}}}}},
        {{"filter", "datum.rank <= 30"}}}},
      {"encoding",
       {{"y", {{"field", "class"}, {"type", "nominal"}, {"sort", "-x"}, {"title", nullptr}}},
        {"x",
         {{"field", "time_percent"},
          {"type", "quantitative"},
          {"title", "share of all kernel time (%)"}}},
        {"color", colour},
        {"tooltip",
         {{{"field", "class"}},
          {{"field", "kind"}},
          {{"field", "time_percent"}, {"title", "share (%)"}, {"format", ".2f"}},
          {{"field", "time_ms"}, {"title", "time (ms)"}, {"format", ",.4~r"}},
          {{"field", "calls"}, {"format", ",.0f"}}}}}}};
  return {"classes", "The 30 classes with the most time", "classes", core::JsonText(spec)};
}

Chart StackedChart(const json& colour) {
  const json rank = {{{"calculate", fmt::format("indexof({}, datum.kind)",
                                                core::JsonText(colour["scale"]["domain"]))},
                      {"as", "_rank"}}};
  const json spec = {
      {"mark", {{"type", "bar"}}},
      {"height", {{"step", 28}}},
      {"transform", rank},
      {"encoding",
       {{"y", {{"field", "workload"}, {"type", "nominal"}, {"title", nullptr}}},
        {"x",
         {{"field", "time_percent"},
          {"type", "quantitative"},
          {"stack", "zero"},
          {"scale", {{"domain", {0, 100}}, {"clamp", true}}},
          {"title", "share of the workload's kernel time (%)"}}},
        {"color", colour},
        {"order", {{"field", "_rank"}, {"type", "quantitative"}}},
        {"tooltip",
         {{{"field", "workload"}},
          {{"field", "kind"}},
          {{"field", "time_percent"}, {"title", "share (%)"}, {"format", ".2f"}}}}}}};
  return {"kinds_by_workload", "Time of each workload by class", "kinds_by_workload",
          core::JsonText(spec)};
}

/// `before`, and "15 calls of 3 different kernels" as far as it is known; else empty.
std::string CallsText(std::string_view before, const Sums& sums) {
  const bool calls = !std::isnan(sums.calls);
  const bool kernels = !std::isnan(sums.unique_kernels);
  if (!calls && !kernels) return {};
  return fmt::format("{}{}{}{}", before, calls ? Counted(sums.calls, "call") : "",
                     calls && kernels ? " of " : "",
                     kernels ? Counted(sums.unique_kernels, "different kernel") : "");
}

/// What the classes take. The first sentence is also the one that a report of the suite quotes.
void SayClasses(const Summary& summary, Answer* answer) {
  Sums classed;
  Sums others;
  double percent = 0;
  std::size_t count = 0;
  for (const ClassSums& row : summary.classes) {
    (row.kernel_class == kNotClassed ? others : classed).Add(row.sums);
    if (row.kernel_class == kNotClassed) continue;
    percent += row.percent;
    ++count;
  }
  if (summary.classes.empty()) return;
  if (count == 0) {
    answer->sentences.push_back(fmt::format("No kernel is of a known class: {}{}.",
                                            KernelTimeText(others.time_ms),
                                            CallsText(" in ", others)));
    return;
  }
  const ClassSums& first = summary.classes.front();
  answer->sentences.push_back(fmt::format("Most time is in {}: {}, {:.2f} % of all kernel time.",
                                          first.kernel_class, KernelTimeText(first.sums.time_ms),
                                          first.percent));
  answer->sentences.push_back(fmt::format(
      "{} {} {}, {:.2f} % of all kernel time{}.", core::Counted(count, "class", "classes"),
      core::ByNumber(count, "takes", "take"), KernelTimeText(classed.time_ms), percent,
      CallsText(core::ByNumber(count, "; it has ", "; they have "), classed)));
}

/// How much of several workloads is classed.
void SayWorkloads(const Summary& summary, Answer* answer) {
  const WorkloadSums* least = nullptr;
  for (const WorkloadSums& row : summary.workloads)
    if (row.time_ms != 0 && (least == nullptr || row.classed_percent < least->classed_percent))
      least = &row;
  if (summary.workloads.size() < 2 || least == nullptr) return;
  const bool from_names = !summary.libraries.empty();  // Published tables have no names to class.
  if (least->classed_percent < kAllPercent)
    answer->sentences.push_back(
        fmt::format("Of {} workloads, {} has the smallest classified share: {:.2f} %.",
                    summary.workloads.size(), least->workload, least->classed_percent));
  else if (from_names && summary.not_classed.empty())
    answer->sentences.push_back(
        fmt::format("Rules classify every kernel of all {} workloads.", summary.workloads.size()));
  else
    answer->sentences.push_back(fmt::format("{} at least 99.99 % of each workload's time.",
                                            from_names ? "Rules class" : "Classes hold"));
}

void Say(const Summary& summary, Answer* answer) {
  SayClasses(summary, answer);
  if (!summary.not_classed.empty()) {
    double percent = 0;
    for (const NamedKernel& row : summary.not_classed) percent += row.percent;
    answer->sentences.push_back(
        fmt::format("No rule classifies {} with {:.2f} % of the time; the longest: {}.",
                    core::Counted(summary.not_classed.size(), "kernel"), percent,
                    summary.not_classed.front().name.substr(0, 80)));
  }
  SayWorkloads(summary, answer);
}

}  // namespace

Answer AnswerOf(const Summary& summary, const std::string& provenance) {
  Answer answer{"kernels", "Kinds of kernels by time", {}, {}, {}, {}};
  Say(summary, &answer);
  const auto add = [&](Table table) {
    if (!table.rows.rows.empty()) answer.tables.push_back(std::move(table));
  };
  add(ClassTable(summary, provenance));
  add(KindTable(summary, provenance));
  add(WorkloadTable(summary, provenance));
  add(PairTable(summary, provenance));
  add(KindsInWorkloads(summary, provenance));
  add(LibraryTable(summary, provenance));
  add(NameTable(summary.not_classed, "not_classed", "Kernels without a rule", provenance));
  add(NameTable(summary.only_in_one, "only_in_one", "Classes of a single workload", provenance));
  const json colour = KindColour(summary);
  if (!summary.classes.empty()) answer.charts.push_back(BarChart(colour));
  if (!summary.workloads.empty()) answer.charts.push_back(StackedChart(colour));
  return answer;
}

}  // namespace xsp::suite::kernels
