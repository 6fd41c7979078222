#include "answer/suite/rooflines/workloads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "answer/analyze/analysis.h"
#include "answer/suite/data_frame_options.h"
#include "answer/suite/data_set.h"
#include "answer/suite/experiment_vectors.h"
#include "answer/suite/table_query.h"
#include "store/database.h"

namespace xsp::suite::rooflines {
namespace {

namespace fs = std::filesystem;
using store::Cell;

/// The cell of `column` in a row of an analysis.
const Cell& At(const analyze::AnalysisResult& result, const std::vector<Cell>& row,
               std::string_view column) {
  const auto& names = result.table.columns;
  const auto place = std::ranges::find(names, column) - names.begin();
  return row.at(static_cast<std::size_t>(place));
}

Status AddRoofs(const store::Database& database, std::vector<Roof>* roofs) {
  XSP_TRY(const store::Table table,
          database.Query("SELECT kind, name, value, provenance, dtype FROM roof "
                         "WHERE used AND value > 0 ORDER BY kind, value DESC, name"));
  for (const auto& row : table.rows)
    roofs->push_back({TextOf(row[0]) == "bandwidth", TextOf(row[1]), NumberOf(row[2]),
                      TextOf(row[3]), TextOf(row[4])});
  return Ok{};
}

/// Workloads of several kinds of groups have the kind "group".
void GroupBy(const std::string& what, Suite* suite) {
  if (what.empty() || what == suite->grouped_by) return;
  suite->grouped_by = suite->grouped_by.empty() ? what : "group";
}

Status AddExperiment(const analyze::Analysis& analysis, const fs::path& folder,
                     const std::string& group, Suite* suite) {
  const std::string name = folder.filename().string();
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  XSP_TRY(const analyze::AnalysisResult result, analyze::Run(analysis, database));
  XSP_RETURN_IF_ERROR(AddRoofs(database, &suite->roofs));
  std::set<std::string> provenance;
  for (const analyze::Column& column : result.columns)
    if (column.name == "intensity_flops_per_byte") provenance.insert(column.provenance);
  for (const auto& row : result.table.rows) {
    Workload workload;
    workload.label = name;
    if (result.table.rows.size() > 1) {
      workload.label += fmt::format(" {} {}", TextOf(At(result, row, "model")),
                                    TextOf(At(result, row, "backend")));
      if (const double batch = NumberOf(At(result, row, "batch")); !std::isnan(batch))
        workload.label += fmt::format(" batch {:.0f}", batch);
    }
    workload.group = group == "experiment" ? name : TextOf(At(result, row, group));
    workload.work = {
        NumberOf(At(result, row, "flops")),
        NumberOf(At(result, row, "read_bytes")) + NumberOf(At(result, row, "write_bytes")),
        NumberOf(At(result, row, "kernel_ns")) * 1e-9};
    workload.place = {NumberOf(At(result, row, "intensity_flops_per_byte")),
                      NumberOf(At(result, row, "throughput_flops_per_s")),
                      TextOf(At(result, row, "bound")), NumberOf(At(result, row, "roof_fraction"))};
    workload.provenance = fmt::format("{}", fmt::join(provenance, "+"));
    suite->workloads.push_back(std::move(workload));
  }
  return Ok{};
}

Status AddExperiments(const CommandContext& context, const Options& options,
                      const std::vector<std::string>& names, Suite* suite,
                      std::vector<std::string>* treatments) {
  const std::string group = options.columns.group.empty() ? "backend" : options.columns.group;
  const std::set<std::string> known = {"backend", "experiment", "model", "precision"};
  if (!known.contains(group))
    return Error{ErrorKind::kUsage, "experiments cannot be coloured by " + group,
                 fmt::format("--group takes one of {}", fmt::join(known, ", "))};
  XSP_TRY(const auto folders, ExperimentsOf(context.store, names, treatments));
  XSP_TRY(const auto analyses, analyze::LoadAnalyses(context.analyses));
  const analyze::Analysis* analysis = analyze::Find(analyses, "A15");
  if (analysis == nullptr)
    return Error{ErrorKind::kEnvironment, "there is no analysis A15",
                 "it is part of XSP: install XSP again"};
  GroupBy(group, suite);
  std::vector<std::string> without;
  for (const fs::path& folder : folders) {
    context.progress->Step("reading experiment " + folder.filename().string(), -1, -1);
    const std::size_t before = suite->workloads.size();
    XSP_RETURN_IF_ERROR(AddExperiment(*analysis, folder, group, suite));
    if (suite->workloads.size() == before) without.push_back(folder.filename().string());
  }
  if (!without.empty())
    treatments->push_back(
        fmt::format("Experiments without kernels are excluded: {}.", fmt::join(without, ", ")));
  treatments->push_back(
      "Experiments: FLOPs, bytes and time of all kernels of a model call, under the roofs of the "
      "data types in use (analysis A15).");
  return Ok{};
}

/// The first line of a message of the SQL engine, which else shows the whole statement.
std::string FirstLine(const std::string& message) { return message.substr(0, message.find('\n')); }

/// What --flops, --bytes and --time can be of this table.
std::string HowToName(const std::vector<std::string>& columns,
                      const std::vector<std::string>& kinds) {
  return fmt::format(
      "set --flops, --bytes and --time to SQL expressions over its columns (--bytes NULL if "
      "unknown); its columns: {}{}",
      fmt::join(columns, ", "),
      kinds.empty() ? ""
                    : fmt::format("; --kind selects another table: {}", fmt::join(kinds, ", ")));
}

/// The values of one of --flops, --bytes and --time, by row of the table.
Result<std::vector<double>> Evaluated(const DataTable& data, const std::string& source,
                                      const char* option, const std::string& sql,
                                      const std::vector<std::string>& kinds,
                                      store::QueryBudget* budget) {
  const std::vector<std::string>& columns = data.table.rows.columns;
  const std::string hint = HowToName(columns, kinds);
  const std::string name = FoldedName(sql);  // As SQL knows names.
  const bool is_word =
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  const bool is_column = std::ranges::find(columns, name, FoldedName) != columns.end();
  const bool is_number = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0;
  if (is_word && !is_number && name != "null" && !is_column)
    return Error{ErrorKind::kBadInput,
                 fmt::format("{} has no column {}, which {} needs", source, sql, option), hint};
  auto values = NumbersOf(data.table.rows, sql, budget);
  if (!values.ok())
    return Error{ErrorKind::kBadInput,
                 fmt::format("{} cannot be computed for {}: {}: {}", option, source, sql,
                             FirstLine(values.error().what)),
                 hint};
  std::ranges::replace_if(
      values.value(), [](double value) { return !std::isfinite(value); }, kMissing);
  return values;
}

/// The data types of a table's workloads, by row: what was asked for, else what a column says.
std::vector<std::string> DataTypes(const store::Table& table, const std::string& asked) {
  std::vector<std::string> types(table.rows.size(), DataTypeOf(asked));
  if (!asked.empty()) return types;
  const auto says = [](const std::string& column) {
    const std::string name = FoldedName(column);
    return name == "dtype" || name == "data_type" || name == "precision";
  };
  const auto column = std::ranges::find_if(table.columns, says) - table.columns.begin();
  const auto place = static_cast<std::size_t>(column);
  for (std::size_t i = 0; i < types.size() && place < table.columns.size(); ++i)
    types[i] = DataTypeOf(TextOf(table.rows[i][place]));
  return types;
}

Status AddTable(const Options& options, const std::string& source, store::QueryBudget* budget,
                Suite* suite, std::vector<std::string>* treatments) {
  XSP_TRY(const std::vector<std::string> kinds, TableKinds(source));
  if (!kinds.empty() && std::ranges::find(kinds, options.kind) == kinds.end())
    return Error{ErrorKind::kUsage, fmt::format("no table of kind {} in {}", options.kind, source),
                 fmt::format("--kind takes one of: {}", fmt::join(kinds, ", "))};
  XSP_TRY(DataTable data, OpenTable(source, options.kind));
  if (!options.where.empty()) {
    XSP_TRY(data.table.rows, RowsWhere(data.table.rows, options.where, budget));
  }
  DataFrameColumns columns = options.columns;
  if (columns.labels.empty()) columns.labels = data.frame.labels;
  if (columns.group.empty()) columns.group = data.frame.group;
  GroupBy(columns.group, suite);
  XSP_TRY(const auto flops, Evaluated(data, source, "--flops", options.flops, kinds, budget));
  XSP_TRY(const auto bytes, Evaluated(data, source, "--bytes", options.bytes, kinds, budget));
  XSP_TRY(const auto seconds, Evaluated(data, source, "--time", options.seconds, kinds, budget));
  const auto types = DataTypes(data.table.rows, options.dtype);
  XSP_TRY(const DataFrame frame, DataFrameOf(data.table.rows, columns, treatments));
  for (std::size_t i = 0; i < frame.rows(); ++i) {
    Workload workload{
        frame.labels[i],      frame.groups[i], {flops.at(i), bytes.at(i), seconds.at(i)}, {},
        "reported:" + source, types.at(i)};
    if (workload.work.flops < 0 || workload.work.bytes < 0 || workload.work.seconds <= 0)
      return Error{ErrorKind::kBadInput,
                   fmt::format("work and time of a workload cannot be: {}: {} flop, {} byte, {} s",
                               workload.label, workload.work.flops, workload.work.bytes,
                               workload.work.seconds),
                   "times are positive, work is not negative; exclude rows by --where"};
    suite->workloads.push_back(std::move(workload));
  }
  treatments->push_back(fmt::format("From {}: FLOPs are {}, bytes {}, seconds {}.", data.source,
                                    options.flops, options.bytes, options.seconds));
  return Ok{};
}

/// A data type that was asked for, of which no ceiling is known, would leave all without a place.
Status CheckAskedType(const Suite& suite, const std::string& asked) {
  const std::string type = DataTypeOf(asked);
  std::set<std::string> known;
  for (const Roof& roof : suite.roofs)
    if (!roof.is_bandwidth) known.insert(roof.dtype);
  if (asked.empty() || known.empty() || CeilingFor(suite.roofs, type)) return Ok{};
  return Error{ErrorKind::kUsage, "no ceiling is known for data type " + type,
               fmt::format("known of: {}; --peak gives one", fmt::join(known, ", "))};
}

/// Places the first `count` workloads, those of tables, and says under which roofs.
void PlaceWorkloads(std::size_t count, Suite* suite, std::vector<std::string>* treatments) {
  const auto bandwidth = SlopeFor(suite->roofs);
  std::set<std::string> ceilings, without;
  bool by_type = true;
  for (std::size_t i = 0; i < count; ++i) {
    Workload& workload = suite->workloads[i];
    const auto peak = CeilingFor(suite->roofs, workload.dtype);
    workload.place = PlaceOf(workload.work, peak ? peak->value : kMissing,
                             bandwidth ? bandwidth->value : kMissing);
    if (peak) {
      ceilings.insert(peak->name);
      if (workload.dtype.empty() && !peak->dtype.empty()) by_type = false;
    } else if (!workload.dtype.empty()) {
      without.insert(workload.dtype);
    }
  }
  if (!ceilings.empty())
    treatments->push_back(fmt::format(
        "Workloads of tables are compared with: {}{}{}.", fmt::join(ceilings, ", "),
        bandwidth ? " and " + bandwidth->name : "",
        by_type ? "" : " (the data type is unknown: use --dtype, or a column dtype or precision)"));
  if (!without.empty() && Greatest(suite->roofs, false))
    treatments->push_back(
        fmt::format("No ceiling is known for data types of tables: {}.", fmt::join(without, ", ")));
}

}  // namespace

Result<Suite> Read(const CommandContext& context, const Options& options,
                   std::vector<std::string>* treatments) {
  Suite suite;
  std::vector<std::string> experiments;
  for (const std::string& source : options.sources) {
    if (!IsTable(context.store, source)) {
      experiments.push_back(source);
    } else {
      XSP_RETURN_IF_ERROR(AddTable(options, source, context.sql.get(), &suite, treatments));
    }
  }
  const std::size_t of_tables = suite.workloads.size();
  if (!experiments.empty() || options.sources.empty()) {
    XSP_RETURN_IF_ERROR(AddExperiments(context, options, experiments, &suite, treatments));
  }
  if (!options.roofs.empty()) {
    XSP_TRY(const auto folders, ExperimentsOf(context.store, options.roofs, treatments));
    for (const fs::path& folder : folders) {
      XSP_TRY(const store::Database database, store::Database::Open({folder}));
      XSP_RETURN_IF_ERROR(AddRoofs(database, &suite.roofs));
    }
  }
  if (options.peak) suite.roofs.push_back({false, "given peak", *options.peak, kGivenRoof});
  if (options.bandwidth)
    suite.roofs.push_back({true, "given bandwidth", *options.bandwidth, kGivenRoof});
  std::vector<std::string> differing;
  suite.roofs = Merged(suite.roofs, &differing);
  if (!differing.empty())
    treatments->push_back(
        fmt::format("Roofs of the same name differ by more than 10 % between experiments, and the "
                    "highest is drawn: {}. Do they come from one machine?",
                    fmt::join(differing, ", ")));
  if (of_tables > 0) XSP_RETURN_IF_ERROR(CheckAskedType(suite, options.dtype));
  PlaceWorkloads(of_tables, &suite, treatments);
  if (suite.workloads.empty())
    return Error{ErrorKind::kBadInput, "no source has a workload with kernels",
                 "`xsp run MODEL --depth kernel` records them"};
  return suite;
}

}  // namespace xsp::suite::rooflines
