#include "suite/kernels/sources.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "base/counted.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "suite/data_set.h"
#include "suite/frame.h"

namespace xsp::suite::kernels {
namespace {

using store::Cell;

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

/// A table whose columns are found by name.
class Columns {
 public:
  Columns(const store::Table& table, std::string source)
      : table_(table), source_(std::move(source)) {}

  std::optional<std::size_t> Find(std::initializer_list<const char*> names) const {
    for (const char* name : names)
      for (std::size_t i = 0; i < table_.columns.size(); ++i)
        if (table_.columns[i] == name) return i;
    return std::nullopt;
  }
  bool Has(std::initializer_list<const char*> names) const { return Find(names).has_value(); }

  std::string TextAt(std::size_t row, std::initializer_list<const char*> names) const {
    const auto column = Find(names);
    return column ? TextOf(table_.rows[row][*column]) : std::string();
  }
  double NumberAt(std::size_t row, std::initializer_list<const char*> names) const {
    const auto column = Find(names);
    return column ? FiniteOf(table_.rows[row][*column]) : kMissing;
  }
  /// Milliseconds, from whichever column of time there is.
  double Time(std::size_t row) const {
    const double ms = NumberAt(row, {"time_ms", "duration_ms"});
    if (!std::isnan(ms)) return ms;
    const double us = NumberAt(row, {"time_us", "duration_us"});
    return std::isnan(us) ? NumberAt(row, {"time_ns", "duration_ns"}) / 1e6 : us / 1e3;
  }
  double Bytes(std::size_t row) const {
    const double transactions = NumberAt(row, {"transactions_32b", "transactions"});
    if (!std::isnan(transactions)) return transactions * kTransactionBytes;
    const double bytes = NumberAt(row, {"bytes"});
    if (!std::isnan(bytes)) return bytes;
    return NumberAt(row, {"read_bytes"}) + NumberAt(row, {"write_bytes"});
  }
  bool HasTime() const {
    return Has({"time_ms", "duration_ms", "time_us", "duration_us", "time_ns", "duration_ns"});
  }

  std::size_t rows() const { return table_.rows.size(); }
  const std::string& source() const { return source_; }
  const store::Table& table() const { return table_; }

 private:
  const store::Table& table_;
  std::string source_;
};

Sums SumsAt(const Columns& columns, std::size_t row) {
  Sums sums;
  sums.time_ms = OrZero(columns.Time(row));
  const double calls = columns.NumberAt(row, {"calls", "count"});
  sums.calls = std::isnan(calls) ? 1 : calls;
  sums.flops = columns.NumberAt(row, {"flops"});
  sums.bytes = columns.Bytes(row);
  if (!std::isnan(sums.flops)) sums.flops_time_ms = sums.time_ms;
  if (!std::isnan(sums.flops) && !std::isnan(sums.bytes))
    sums.paired_flops = sums.flops, sums.paired_bytes = sums.bytes;
  return sums;
}

Status CheckTimes(const Columns& columns) {
  for (std::size_t row = 0; row < columns.rows(); ++row)
    if (columns.Time(row) < 0 || columns.NumberAt(row, {"time_percent"}) < 0 ||
        columns.NumberAt(row, {"calls"}) < 0)
      return Error{
          ErrorKind::kBadInput,
          fmt::format("{}: a negative time, share or count in row {}", columns.source(), row + 1),
          "times are sums over calls and cannot be negative"};
  return Ok{};
}

/// Says how many rows have no time that is known; without any time nothing has a share.
Status SayUntimed(const Columns& columns, std::vector<std::string>* methods) {
  std::size_t unknown = 0;
  double most = 0;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    const double time = columns.Time(row);
    unknown += std::isnan(time) ? 1 : 0;
    most = std::fmax(most, time);
  }
  if (most <= 0 && columns.rows() > 0)
    return Error{ErrorKind::kBadInput, columns.source() + ": no row has a time above zero",
                 "shares are of time; correct the column of times"};
  if (unknown > 0)
    methods->push_back(
        fmt::format("{}: {} of {} {} no time, or an infinite one; {} calls count, {} time cannot.",
                    columns.source(), unknown, base::Counted(columns.rows(), "row"),
                    base::ByNumber(unknown, "has", "have"), base::ByNumber(unknown, "its", "their"),
                    base::ByNumber(unknown, "its", "their")));
  return Ok{};
}

void ReadClasses(const Columns& columns, const RuleBook& book, Summary* summary) {
  std::vector<std::pair<double, double>> shares;
  double time = 0;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    ClassSums one;
    one.kernel_class = columns.TextAt(row, {"class"});
    one.kind = KindOf(book, one.kernel_class);
    one.sums = SumsAt(columns, row);
    one.sums.unique_kernels = OrZero(columns.NumberAt(row, {"unique_kernels"}));
    time += one.sums.time_ms;
    shares.emplace_back(one.sums.time_ms,
                        columns.NumberAt(row, {"printed_time_percent", "time_percent"}));
    summary->classes.push_back(std::move(one));
  }
  summary->time_ms = ImpliedTotal(shares);
  for (ClassSums& one : summary->classes)
    one.percent = summary->time_ms > 0 ? 100 * one.sums.time_ms / summary->time_ms : 0;
  std::ranges::stable_sort(summary->classes, [](const ClassSums& a, const ClassSums& b) {
    return a.sums.time_ms > b.sums.time_ms;
  });
  ClassSums rest;
  rest.kernel_class = kNotClassed;
  rest.sums.time_ms = summary->time_ms - time;
  rest.sums.calls = rest.sums.unique_kernels = kMissing;
  rest.percent = summary->time_ms > 0 ? 100 * rest.sums.time_ms / summary->time_ms : 0;
  if (rest.percent > 0.005) summary->classes.push_back(rest);
}

ClassInWorkload* PairOf(Summary* summary, const std::string& kernel_class,
                        const std::string& workload) {
  for (ClassInWorkload& pair : summary->in_workloads)
    if (pair.kernel_class == kernel_class && pair.workload == workload) return &pair;
  return nullptr;
}

void ReadWorkloads(const Columns& columns, const RuleBook& book, Summary* summary) {
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    ClassInWorkload pair;
    pair.kernel_class = columns.TextAt(row, {"class"});
    pair.kind = KindOf(book, pair.kernel_class);
    pair.workload = columns.TextAt(row, {"workload"});
    pair.percent = OrZero(columns.NumberAt(row, {"time_percent"}));
    pair.calls = OrZero(columns.NumberAt(row, {"calls"}));
    auto workload = std::ranges::find_if(summary->workloads, [&](const WorkloadSums& known) {
      return known.workload == pair.workload;
    });
    if (workload == summary->workloads.end())
      workload = summary->workloads.insert(summary->workloads.end(), {pair.workload});
    workload->calls += pair.calls;
    if (pair.kernel_class != kNotClassed) workload->classed_percent += pair.percent;
    summary->in_workloads.push_back(std::move(pair));
  }
  std::ranges::stable_sort(summary->in_workloads,
                           [](const auto& a, const auto& b) { return a.percent > b.percent; });
}

/// A class that one workload alone has is unique to it; without names, no more can be said.
void ReadUnique(const Columns& columns, Summary* summary) {
  std::map<std::string, std::vector<std::pair<std::string, double>>> holders;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    const std::string workload = columns.TextAt(row, {"workload"});
    const std::string kernel_class = columns.TextAt(row, {"class"});
    const double unique = OrZero(columns.NumberAt(row, {"unique_kernels"}));
    if (workload == "all" || unique <= 0) continue;
    holders[kernel_class].emplace_back(workload, unique);
    if (ClassInWorkload* pair = PairOf(summary, kernel_class, workload))
      pair->unique_kernels = unique;
    else
      summary->in_workloads.push_back({kernel_class, "", workload, kMissing, 0, 0, unique});
    for (WorkloadSums& known : summary->workloads)
      if (known.workload == workload) known.unique_kernels = OrZero(known.unique_kernels) + unique;
  }
  for (const auto& [kernel_class, in] : holders)
    if (in.size() == 1)
      summary->only_in_one.push_back({in.front().first, kernel_class,
                                      fmt::format("all {} of the class", in.front().second), "",
                                      kMissing, kMissing, kMissing});
}

Result<std::vector<Observed>> ReadNames(const Columns& columns) {
  if (!columns.HasTime())
    return Error{ErrorKind::kBadInput, columns.source() + ": no column of times",
                 "kernels need time_ms, time_us or duration_ns; calls, type, workload, flops and "
                 "bytes may stand beside it"};
  std::vector<Observed> observed;
  for (std::size_t row = 0; row < columns.rows(); ++row) {
    Observed one;
    one.workload = columns.TextAt(row, {"workload"});
    if (one.workload.empty())
      one.workload = std::filesystem::path(columns.source()).stem().string();
    one.name = columns.TextAt(row, {"name", "kernel", "kernel_name", "Kernel_Name"});
    one.type = columns.TextAt(row, {"type"});
    one.sums = SumsAt(columns, row);
    observed.push_back(std::move(one));
  }
  return observed;
}

Status ReadTable(const DataTable& data, const std::string& source, const RuleBook& book,
                 Sources* into) {
  const Columns columns(data.table.rows, source);
  XSP_TRY(const Ok fine, CheckTimes(columns));
  static_cast<void>(fine);
  into->provenance = data.table.columns.empty() ? "" : data.table.columns.front().provenance;
  const bool is_class = columns.Has({"class"});
  const bool in_workload = columns.Has({"workload"});
  if (columns.Has({"name", "kernel", "kernel_name", "Kernel_Name"})) {
    XSP_TRY(std::vector<Observed> observed, ReadNames(columns));
    XSP_RETURN_IF_ERROR(SayUntimed(columns, &into->methods));
    std::ranges::move(observed, std::back_inserter(into->observed));
  } else if (is_class && in_workload && columns.Has({"time_percent"})) {
    ReadWorkloads(columns, book, &into->published);
  } else if (is_class && in_workload && columns.Has({"unique_kernels"})) {
    ReadUnique(columns, &into->published);
  } else if (is_class && !in_workload && columns.HasTime()) {
    XSP_RETURN_IF_ERROR(SayUntimed(columns, &into->methods));
    ReadClasses(columns, book, &into->published);
  } else {
    return Error{ErrorKind::kBadInput,
                 fmt::format("{}: neither kernels nor classes of kernels; its columns: {}", source,
                             fmt::join(columns.table().columns, ", ")),
                 "kernels: name and time_ms; classes: class and time_ms; by workload: class, "
                 "workload and time_percent, or unique_kernels"};
  }
  into->is_published = into->is_published || (is_class && !columns.Has({"name", "kernel"}));
  into->methods.push_back("From " + data.source + ".");
  return Ok{};
}

/// Reads a table or a data set; false: `source` is neither.
Result<bool> TryTables(const std::string& source, const RuleBook& book, Sources* into) {
  XSP_TRY(const std::vector<std::string> kinds, TableKinds(source));
  bool any = false;
  for (const char* kind :
       {"kernel_classes", "kernel_classes_by_workload", "unique_kernels", "kernels"}) {
    if (std::ranges::find(kinds, kind) == kinds.end()) continue;
    XSP_TRY(const DataTable data, OpenTable(source, kind));
    XSP_TRY(const Ok read, ReadTable(data, source, book, into));
    static_cast<void>(read);
    any = true;
  }
  if (any) return true;
  if (!kinds.empty())
    return Error{ErrorKind::kBadInput, "no table of kernels in " + source,
                 fmt::format("it has: {}", fmt::join(kinds, ", "))};
  std::error_code error;
  if (!std::filesystem::is_regular_file(source, error)) return false;
  XSP_TRY(const DataTable data, OpenTable(source, "kernels"));
  XSP_TRY(const Ok read, ReadTable(data, source, book, into));
  static_cast<void>(read);
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

Status ReadExperiment(const std::filesystem::path& path, Sources* into) {
  XSP_TRY(const auto database, store::Database::Open({path}));
  XSP_TRY(const store::Table table, database.Query(kKernelsOfPoints));
  const bool several =
      !table.rows.empty() && TextOf(table.rows.front()[0]) != TextOf(table.rows.back()[0]);
  const std::string name = path.filename().string();
  if (table.rows.empty()) into->methods.push_back(name + " has no kernels and is left out.");
  for (const auto& row : table.rows) {
    Observed one;
    one.workload = WorkloadOf(name, row, several);
    one.name = TextOf(row[5]);
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
  return Ok{};
}

Result<std::vector<std::string>> WholeStore(const Surroundings& surroundings) {
  XSP_TRY(const auto entries, store::List(surroundings.store));
  std::vector<std::string> names;
  for (const auto& entry : entries)
    if (!entry.status.starts_with("unreadable")) names.push_back(entry.name);
  if (names.empty())
    return Error{ErrorKind::kBadInput,
                 "the store has no experiment: " + surroundings.store.string(),
                 "name a source: xsp suite kernels mlperf-v0.5"};
  return names;
}

}  // namespace

Result<Sources> ReadSources(const Surroundings& surroundings, const std::vector<std::string>& names,
                            const RuleBook& book) {
  Sources sources;
  std::vector<std::string> all = names;
  if (all.empty()) {
    XSP_TRY(all, WholeStore(surroundings));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    surroundings.progress(fmt::format("reading {} ({} of {})", all[i], i + 1, all.size()));
    XSP_TRY(const bool is_table, TryTables(all[i], book, &sources));
    if (is_table) continue;
    auto path = store::Resolve(surroundings.store, all[i]);
    if (!path.ok())
      return Error{path.error().kind, path.error().what,
                   fmt::format("{}{}a table of kernels or one of the data sets {} will do, too",
                               path.error().hint, path.error().hint.empty() ? "" : "; ",
                               fmt::join(DataSets(), ", "))};
    XSP_TRY(const Ok read, ReadExperiment(path.value(), &sources));
    static_cast<void>(read);
    sources.provenance = "xsp";
  }
  if (sources.is_published && !sources.observed.empty())
    return Error{ErrorKind::kBadInput, "kernels and tables of classes cannot be joined",
                 "ask for them one after the other"};
  if (!sources.is_published && sources.observed.empty())
    return Error{ErrorKind::kBadInput, "the sources hold no kernels",
                 "xsp run MODEL --depth kernel records them"};
  return sources;
}

}  // namespace xsp::suite::kernels
