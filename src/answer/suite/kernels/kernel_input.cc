#include "answer/suite/kernels/kernel_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "answer/suite/data_frame.h"
#include "answer/suite/data_set.h"
#include "answer/suite/each_experiment.h"
#include "answer/suite/kernels/columns.h"
#include "answer/suite/kernels/published.h"
#include "store/catalogue.h"
#include "store/database.h"

namespace xsp::suite::kernels {
namespace {

using store::Cell;

constexpr const char* kNoName = "(no name)";

// Sums that know which kernels they rest on; a name's type tells copies and primitives from
// kernels.
constexpr const char* kKernelsOfPoints = R"sql(
  SELECT p.point_id, p.model, p.backend, p.precision, p.batch, k.name, k.type,
         count(*)::DOUBLE AS calls, coalesce(sum(k.duration_ns), 0) / 1e6 AS time_ms,
         sum(k.flops) AS flops, sum(k.read_bytes + k.write_bytes) AS bytes,
         coalesce(sum(k.duration_ns) FILTER (k.flops IS NOT NULL), 0) / 1e6 AS flops_time_ms,
         coalesce(sum(k.flops) FILTER (k.read_bytes + k.write_bytes IS NOT NULL), 0)
           AS paired_flops,
         coalesce(sum(k.read_bytes + k.write_bytes) FILTER (k.flops IS NOT NULL), 0)
           AS paired_bytes
  FROM kernel k JOIN point p USING (point_id)
  GROUP BY ALL ORDER BY p.point_id, time_ms DESC, k.name, k.type)sql";

/// As NumberOf(); no sum can be made with an infinite one.
double FiniteOf(const Cell& cell) {
  const double number = NumberOf(cell);
  return std::isfinite(number) ? number : kMissing;
}

double OrZero(double value) { return std::isnan(value) ? 0 : value; }

/// A kernel's name; some traces hold kernels without one.
std::string NameOrNone(std::string name) { return name.empty() ? kNoName : std::move(name); }

Result<std::vector<Observed>> ReadNames(const Columns& columns) {
  if (!columns.HasTime())
    return columns.Wrong("no column of times",
                         "kernels need time_ms, time_us or duration_ns; calls, type, workload, "
                         "flops and bytes may stand beside it");
  std::vector<Observed> observed;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    Observed one;
    one.workload = columns.TextAt(row, {"workload"});
    if (one.workload.empty())
      one.workload = std::filesystem::path(columns.source()).stem().string();
    one.name = NameOrNone(columns.TextAt(row, {"name", "kernel", "kernel_name", "Kernel_Name"}));
    one.type = columns.TextAt(row, {"type"});
    one.sums = columns.SumsAt(row);
    if (std::isnan(one.sums.calls)) one.sums.calls = 1;  // A row for each launch.
    observed.push_back(std::move(one));
  }
  return observed;
}

/// Reads one table, told by its columns.
Status ReadTable(const DataTable& data, const std::string& source, PublishedClasses* published,
                 KernelInput* into) {
  const Columns columns(data.table.rows, source);
  XSP_RETURN_IF_ERROR(columns.CheckNumbers());
  into->provenance = data.table.columns.empty() ? "" : data.table.columns.front().provenance;
  const bool is_class = columns.Has({"class"});
  const bool in_workload = columns.Has({"workload"});
  if (columns.Has({"name", "kernel", "kernel_name", "Kernel_Name"})) {
    XSP_TRY(std::vector<Observed> observed, ReadNames(columns));
    XSP_RETURN_IF_ERROR(columns.SayUntimed(&into->methods));
    std::ranges::move(observed, std::back_inserter(into->observed));
  } else if (is_class && in_workload && columns.Has({"time_percent"})) {
    XSP_RETURN_IF_ERROR(published->AddShares(columns));
  } else if (is_class && in_workload && columns.Has({"unique_kernels"})) {
    XSP_RETURN_IF_ERROR(published->AddUnique(columns));
  } else if (is_class && !in_workload && columns.HasTime()) {
    XSP_RETURN_IF_ERROR(columns.SayUntimed(&into->methods));
    XSP_RETURN_IF_ERROR(published->AddClasses(columns));
  } else {
    return columns.Wrong(fmt::format("neither kernels nor classes of kernels; its columns: {}",
                                     fmt::join(columns.table().columns, ", ")),
                         "kernels: name and time_ms; classes: class and time_ms; by workload: "
                         "class, workload and time_percent, or unique_kernels");
  }
  into->methods.push_back("From " + data.source + ".");
  return Ok{};
}

/// Reads a table or a data set; false: `source` is neither.
Result<bool> TryTables(const std::string& source, PublishedClasses* published, KernelInput* into) {
  XSP_TRY(const std::vector<std::string> kinds, TableKinds(source));
  bool any = false;
  for (const char* kind :
       {"kernel_classes", "kernel_classes_by_workload", "unique_kernels", "kernels"}) {
    if (std::ranges::find(kinds, kind) == kinds.end()) continue;
    XSP_TRY(const DataTable data, OpenTable(source, kind));
    XSP_RETURN_IF_ERROR(ReadTable(data, source, published, into));
    any = true;
  }
  if (any) return true;
  if (!kinds.empty())
    return Error{ErrorKind::kBadInput, "no table of kernels in " + source,
                 fmt::format("it has: {}", fmt::join(kinds, ", "))};
  std::error_code error;
  if (!std::filesystem::is_regular_file(source, error)) return false;
  XSP_TRY(const DataTable data, OpenTable(source, "kernels"));
  XSP_RETURN_IF_ERROR(ReadTable(data, source, published, into));
  return true;
}

/// "name", or "name backend precision b8" where an experiment has several points.
std::string WorkloadOf(const std::string& name, const std::vector<Cell>& row, bool several) {
  if (!several) return name;
  std::string label = name;
  for (const std::size_t place : {2, 3})
    if (const std::string part = TextOf(row[place]); !part.empty() && part != "unknown")
      label += " " + part;
  if (const std::string batch = TextOf(row[4]); !batch.empty()) label += " b" + batch;
  return label + " #" + TextOf(row[0]);
}

Status ReadExperiment(const std::filesystem::path& path, KernelInput* into) {
  XSP_TRY(const auto database, store::Database::Open({path}));
  XSP_TRY(const store::Table table, database.Query(kKernelsOfPoints));
  const bool several =
      !table.rows.empty() && TextOf(table.rows.front()[0]) != TextOf(table.rows.back()[0]);
  const std::string name = path.filename().string();
  if (table.rows.empty()) into->methods.push_back(name + " has no kernels and is left out.");
  for (const auto& row : table.rows) {
    Observed one;
    one.workload = WorkloadOf(name, row, several);
    one.name = NameOrNone(TextOf(row[5]));
    one.type = TextOf(row[6]);
    one.sums.calls = FiniteOf(row[7]);
    one.sums.time_ms = OrZero(FiniteOf(row[8]));
    one.sums.flops = FiniteOf(row[9]);
    one.sums.bytes = FiniteOf(row[10]);
    one.sums.flops_time_ms = OrZero(FiniteOf(row[11]));
    one.sums.paired_flops = OrZero(FiniteOf(row[12]));
    one.sums.paired_bytes = OrZero(FiniteOf(row[13]));
    into->observed.push_back(std::move(one));
  }
  into->provenance = "xsp";
  return Ok{};
}

Result<std::vector<std::string>> WholeStore(const CommandContext& context) {
  XSP_TRY(const auto entries, store::List(context.store));
  std::vector<std::string> names;
  for (const auto& entry : entries)
    if (!entry.status.starts_with("unreadable")) names.push_back(entry.name);
  if (names.empty())
    return Error{ErrorKind::kBadInput, "the store has no experiment: " + context.store.string(),
                 "name a source: xsp suite kernels mlperf-v0.5"};
  return names;
}

}  // namespace

Result<KernelInput> ReadSources(const CommandContext& context,
                                const std::vector<std::string>& names, const RuleBook& book) {
  KernelInput sources;
  PublishedClasses published(book);
  std::vector<std::string> all = names;
  if (all.empty()) {
    XSP_TRY(all, WholeStore(context));
  }
  std::vector<KernelInput> parts(all.size());
  std::vector<std::pair<std::size_t, std::filesystem::path>> experiments;
  for (std::size_t i = 0; i < all.size(); ++i) {
    XSP_TRY(const bool is_table, TryTables(all[i], &published, &parts[i]));
    if (is_table) continue;
    auto path = store::Resolve(context.store, all[i]);
    if (!path.ok())
      return Error{path.error().kind, path.error().what,
                   fmt::format("{}{}a table of kernels or one of the data sets {} will do, too",
                               path.error().hint, path.error().hint.empty() ? "" : "; ",
                               fmt::join(DataSets(), ", "))};
    experiments.emplace_back(i, std::move(path).value());
  }
  XSP_RETURN_IF_ERROR(ForEachExperiment(experiments.size(), *context.progress, [&](std::size_t i) {
    const auto& [part, path] = experiments[i];
    return ReadExperiment(path, &parts[part]);
  }));
  for (KernelInput& part : parts) {
    if (!part.provenance.empty()) sources.provenance = std::move(part.provenance);
    std::ranges::move(part.observed, std::back_inserter(sources.observed));
    std::ranges::move(part.methods, std::back_inserter(sources.methods));
  }
  sources.is_published = !published.empty();
  if (sources.is_published && !sources.observed.empty())
    return Error{ErrorKind::kBadInput, "kernels and tables of classes cannot be joined",
                 "ask for them one after the other"};
  if (!sources.is_published && sources.observed.empty())
    return Error{ErrorKind::kBadInput, "the sources hold no kernels",
                 "xsp run MODEL --depth kernel records them"};
  if (sources.is_published) sources.published = published.Take();
  return sources;
}

}  // namespace xsp::suite::kernels
