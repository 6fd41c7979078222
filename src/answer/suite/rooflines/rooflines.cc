#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "answer/suite/data_frame_options.h"
#include "answer/suite/rooflines/chart.h"
#include "answer/suite/rooflines/workloads.h"
#include "answer/suite/suite_command.h"
#include "core/counted.h"

namespace xsp::suite::rooflines {
namespace {

Table Workloads(const Suite& suite) {
  std::string provenance;
  for (const Workload& workload : suite.workloads)
    if (provenance.find(workload.provenance) == std::string::npos)
      provenance += (provenance.empty() ? "" : "+") + workload.provenance;
  Table table = EmptyTable(
      "workloads", "Workloads under the roofs",
      {{"workload", "", "The workload", ""},
       {"group", "",
        suite.grouped_by.empty() ? "None was named" : "What it is coloured by: " + suite.grouped_by,
        ""},
       {"intensity_flops_per_byte", "flop/byte", "Empty without traffic", provenance},
       {"throughput_flops_per_s", "flop/s", "FLOPs / kernel time", provenance},
       {"bound", "", "memory: intensity below the ridge, else compute", "analytic"},
       {"roof_fraction", "1", "Throughput divided by the roof at this intensity", provenance},
       {"flops", "flop", "Floating-point operations", provenance},
       {"traffic_bytes", "byte", "Read and written", provenance},
       {"kernel_ns", "ns", "Time in kernels", provenance}});
  for (const Workload& w : suite.workloads) {
    const store::Cell bound = w.place.bound;
    table.rows.rows.push_back({w.label, w.group, NumberCell(w.place.intensity),
                               NumberCell(w.place.throughput), bound,
                               NumberCell(w.place.roof_fraction), NumberCell(w.work.flops),
                               NumberCell(w.work.bytes), NumberCell(w.work.seconds * 1e9)});
  }
  return table;
}

Table Roofs(const Suite& suite) {
  Table table = EmptyTable("roofs", "Roofs",
                           {{"name", "", "What was measured", ""},
                            {"peak_flops_per_s", "flop/s", "Of a ceiling", "roof"},
                            {"peak_bytes_per_s", "byte/s", "Of a slope", "roof"},
                            {"provenance", "", "Source of the workload", ""}});
  for (const Roof& roof : suite.roofs)
    table.rows.rows.push_back({roof.name, NumberCell(roof.is_bandwidth ? kMissing : roof.value),
                               NumberCell(roof.is_bandwidth ? roof.value : kMissing),
                               roof.provenance});
  return table;
}

/// What is missing where it is not known what bounds a workload.
std::string LackOf(const Workload& workload, const std::vector<Roof>& roofs) {
  const bool flops = !std::isnan(workload.work.flops), traffic = workload.work.bytes > 0;
  if (!flops || !traffic) return flops ? "traffic" : traffic ? "FLOPs" : "FLOPs and traffic";
  if (!SlopeFor(roofs)) return Greatest(roofs, false) ? "bandwidth" : "roofs";
  return "ceiling of the data type";
}

/// What bounds how many, and why that is not known of the others.
std::string WhatBounds(const Suite& suite) {
  std::size_t memory = 0, compute = 0;
  std::map<std::string, std::size_t> lacking;
  for (const Workload& workload : suite.workloads) {
    memory += workload.place.bound == "memory" ? 1 : 0;
    compute += workload.place.bound == "compute" ? 1 : 0;
    if (workload.place.bound.empty()) ++lacking[LackOf(workload, suite.roofs)];
  }
  std::string why;
  for (const auto& [what, count] : lacking)
    why += fmt::format("{}{} without known {}", why.empty() ? "" : ", ", count, what);
  const std::string all = core::Counted(suite.workloads.size(), "workload");
  if (memory + compute == 0) return fmt::format("The bound of {} is not known: {}.", all, why);
  const std::size_t unknown = suite.workloads.size() - memory - compute;
  return fmt::format("Of {} {} {} bound by memory, {} by compute{}.", all, memory,
                     core::ByNumber(memory, "is", "are"), compute,
                     unknown == 0 ? "" : fmt::format("; of {} it is not known: {}", unknown, why));
}

std::vector<std::string> Sentences(const Suite& suite) {
  const Workload* best = nullptr;
  const Workload* worst = nullptr;
  std::vector<std::string> undrawn;
  for (const Workload& workload : suite.workloads) {
    if (!CanBeDrawn(workload)) undrawn.push_back(workload.label);
    const double share = workload.place.roof_fraction;
    if (std::isnan(share)) continue;
    if (best == nullptr || share > best->place.roof_fraction) best = &workload;
    if (worst == nullptr || share < worst->place.roof_fraction) worst = &workload;
  }
  std::vector<std::string> sentences = {WhatBounds(suite)};
  if (best != nullptr && best != worst)
    sentences.push_back(fmt::format(
        "{} is nearest to its roof with {:.1f} %, {} furthest from it with {:.1f} %.", best->label,
        100 * best->place.roof_fraction, worst->label, 100 * worst->place.roof_fraction));
  if (best != nullptr && best->place.roof_fraction > 1)
    sentences.push_back(fmt::format(
        "{} is above its roof: what it reads and writes was counted as if all of it came from "
        "memory, and a part stayed in a cache; or the roof was measured on a busy machine.",
        best->label));
  if (suite.roofs.empty())
    sentences.push_back(
        "No roof is known: set --peak and --bandwidth, or use measured ones by --roofs "
        "EXPERIMENT.");
  if (!undrawn.empty())
    sentences.push_back(
        fmt::format("Workloads without FLOPs, traffic or time are not in the chart: {}.",
                    fmt::join(undrawn, ", ")));
  return sentences;
}

Result<Answer> Run(const CommandContext& context, const Options& options) {
  std::vector<std::string> method;
  XSP_TRY(const Suite suite, Read(context, options, &method));
  Answer answer{"rooflines", "All workloads on one roofline", Sentences(suite), {}, {}, {}};
  method.push_back(
      "Roofline: Williams, Waterman, Patterson (2009). Intensity = FLOPs / (read + written bytes); "
      "memory-bound below peak FLOP/s over peak byte/s.");
  answer.method = std::move(method);
  answer.tables = {Workloads(suite), Roofs(suite)};
  if (std::ranges::any_of(suite.workloads, CanBeDrawn)) answer.charts = {ChartOf(suite)};
  return answer;
}

Action Declare(core::RequestFields& fields, const CommandContext& context) {
  auto options = std::make_shared<Options>();
  fields.Add(
      "source", &options->sources,
      {.help = "Experiments (names in the store, or folders), CSV or Parquet files, data sets; "
               "none: every experiment of the store",
       .value_name = "SOURCE",
       .refers = core::Refers::kStored,
       .positional = true});
  fields.Add(
      "kind", &options->kind,
      {.help = "Table of a data set, such as vectors or kernel_classes", .value_name = "TABLE"});
  fields.Add("label", &options->columns.labels,
             {.help = "Columns that together name a workload",
              .value_name = "COLUMN,...",
              .list = core::ListStyle::kOneWord});
  fields.Add(
      "group", &options->columns.group,
      {.help = "Column that sets the colour (experiments: backend, experiment, model or precision)",
       .value_name = "COLUMN"});
  fields.Add("where", &options->where,
             {.help = "Only rows of tables for which this is true",
              .value_name = "SQL",
              .refers = core::Refers::kSql});
  fields.Add("flops", &options->flops,
             {.help = "Of tables: FLOPs, an SQL expression over the columns",
              .value_name = "SQL",
              .refers = core::Refers::kSql});
  fields.Add("bytes", &options->bytes,
             {.help = "Of tables: bytes read and written",
              .value_name = "SQL",
              .refers = core::Refers::kSql});
  fields.Add("time", &options->seconds,
             {.help = "Of tables: time in s", .value_name = "SQL", .refers = core::Refers::kSql});
  fields.Add("dtype", &options->dtype,
             {.help = "Of tables: the data type whose ceiling counts (default: a column dtype or "
                      "precision, else float32)",
              .value_name = "TYPE"});
  fields.Add("peak", &options->peak,
             {.help = "Ceiling in FLOP/s, instead of measured ones",
              .value_name = "FLOP/S",
              .range = core::kPositive});
  fields.Add("bandwidth", &options->bandwidth,
             {.help = "Bandwidth in byte/s, instead of measured ones",
              .value_name = "BYTE/S",
              .range = core::kPositive});
  fields.Add("roofs", &options->roofs,
             {.help = "Experiments whose measured roofs are drawn, too",
              .value_name = "EXPERIMENT,...",
              .refers = core::Refers::kStored,
              .list = core::ListStyle::kOneWord});
  return [&context, options] { return Run(context, *options); };
}

}  // namespace

extern const SuiteSpec kSpec;
constinit const SuiteSpec kSpec = {
    .name = "rooflines",
    .summary = "Shows all workloads on one roofline, under measured roofs",
    .example =
        "xsp suite rooflines mlperf-v0.5 --kind kernel_classes --bytes 'transactions_32b * "
        "32' --time 'time_ms / 1000' --peak 15.7e12 --bandwidth 900e9",
    .declare = Declare,
};

}  // namespace xsp::suite::rooflines
