#include "answer/suite/data_frame_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "answer/suite/experiment_vectors.h"
#include "answer/suite/table_query.h"
#include "core/counted.h"

namespace xsp::suite {
namespace {

namespace fs = std::filesystem;

DataFrameColumns ColumnsFor(const DataTable& data, const DataFrameColumns& asked,
                            bool one_of_several) {
  DataFrameColumns columns = asked;
  if (columns.labels.empty()) columns.labels = data.frame.labels;
  if (columns.group.empty()) columns.group = data.frame.group;
  if (columns.metrics.empty()) columns.metrics = data.frame.metrics;
  if (!one_of_several) return columns;
  // Of several sources each has some of what was asked for.
  std::erase_if(columns.metrics, [&data](const std::string& name) {
    return std::ranges::find(data.table.rows.columns, name) == data.table.rows.columns.end();
  });
  return columns;
}

/// What sources said of one metric, in their order.
struct MetricOrigin {
  std::vector<std::string> provenances;   ///< Each once.
  std::vector<std::string> without_unit;  ///< The sources that state no unit.
};

using MetricOrigins = std::map<std::string, MetricOrigin>;

void NoteOrigin(const Metric& metric, const std::string& source, MetricOrigins* origins) {
  MetricOrigin& origin = (*origins)[metric.name];
  if (metric.unit.empty()) origin.without_unit.push_back(source);
  if (!metric.provenance.empty() &&
      std::ranges::find(origin.provenances, metric.provenance) == origin.provenances.end())
    origin.provenances.push_back(metric.provenance);
}

/// Says which sources were taken to mean the unit that another states.
void SayAdopted(const DataFrame& whole, const MetricOrigins& origins,
                std::vector<std::string>* treatments) {
  struct Adopted {
    std::vector<std::string> metrics;
    std::vector<std::string> units;
  };
  std::map<std::string, Adopted> by_source;
  for (const Metric& metric : whole.metrics) {
    if (metric.unit.empty()) continue;
    for (const std::string& source : origins.at(metric.name).without_unit) {
      by_source[source].metrics.push_back(metric.name);
      by_source[source].units.push_back(metric.unit);
    }
  }
  for (const auto& [source, adopted] : by_source)
    treatments->push_back(fmt::format("{} states no unit for {}; taken as {}.", source,
                                      fmt::join(adopted.metrics, ", "),
                                      fmt::join(adopted.units, ", ")));
}

/// Tables of one title are told apart by `given`, what the user called them.
void TellTitlesApart(const std::vector<std::string>& given, std::vector<DataTable>* tables) {
  std::map<std::string, int> uses;
  for (const DataTable& data : *tables) ++uses[data.table.title];
  for (std::size_t i = 0; i < given.size(); ++i)
    if (std::string& title = (*tables)[i].table.title; uses.at(title) > 1) title = given[i];
}

Result<std::vector<SqlMetric>> SqlMetricsOf(const std::vector<std::string>& texts) {
  std::vector<SqlMetric> metrics;
  std::set<std::string> names;
  for (const std::string& text : texts) {
    XSP_TRY(SqlMetric metric, SqlMetricOf(text));
    if (!names.insert(FoldedName(metric.name)).second)
      return Error{ErrorKind::kUsage, "two metrics have the same name: " + metric.name,
                   "name each --metric differently; SQL names are not case-sensitive"};
    metrics.push_back(std::move(metric));
  }
  return metrics;
}

Status Append(DataFrame part, DataFrame* whole) {
  std::set<std::string> labels(whole->labels.begin(), whole->labels.end());
  std::vector<std::size_t> places;
  for (const Metric& metric : part.metrics) {
    const auto found = std::ranges::find(whole->metrics, metric.name, &Metric::name);
    places.push_back(static_cast<std::size_t>(found - whole->metrics.begin()));
    if (found == whole->metrics.end()) {
      whole->metrics.push_back(metric);
      for (auto& values : whole->values) values.push_back(kMissing);
      continue;
    }
    if (found->unit != metric.unit && !found->unit.empty() && !metric.unit.empty())
      return Error{ErrorKind::kBadInput,
                   fmt::format("sources give {} in different units: {} and {}", metric.name,
                               found->unit, metric.unit),
                   "exclude it by --metrics, or convert the tables to one unit"};
    if (found->unit.empty()) found->unit = metric.unit;
  }
  for (std::size_t r = 0; r < part.rows(); ++r) {
    if (!labels.insert(part.labels[r]).second)
      return Error{ErrorKind::kBadInput,
                   "workloads of two sources have the same label: " + part.labels[r],
                   "rename one of them, or exclude it by --where"};
    whole->labels.push_back(part.labels[r]);
    whole->groups.push_back(part.groups[r]);
    std::vector<double>& values = whole->values.emplace_back(whole->metrics.size(), kMissing);
    for (std::size_t m = 0; m < places.size(); ++m) values[places[m]] = part.values[r][m];
  }
  return Ok{};
}

}  // namespace

bool IsTable(const fs::path& store, const std::string& source) {
  std::error_code error;
  // What is a file of any kind is no experiment.
  if ((fs::exists(source, error) && !fs::is_directory(source, error)) ||
      fs::exists(fs::path(source) / "suite.yaml", error))
    return true;
  const std::vector<std::string> known = DataSets();
  if (std::ranges::find(known, source) != known.end()) return true;
  if (fs::exists(fs::path(source) / "experiment.json", error)) return false;
  return !fs::exists(store / source, error);
}

void AddDataFrameOptions(core::RequestFields& fields, DataFrameOptions* options) {
  fields.Add(
      "source", &options->sources,
      {.help = "CSV or Parquet files, data sets that ship with XSP (mlperf-v0.5), experiments "
               "(names in the store, or folders); none: every experiment of the store",
       .value_name = "SOURCE",
       .refers = core::Refers::kStored,
       .positional = true});
  fields.Add("label", &options->columns.labels,
             {.help = "Columns that together name a workload (default: the first with text)",
              .value_name = "COLUMN,...",
              .list = core::ListStyle::kOneWord});
  fields.Add("group", &options->columns.group,
             {.help = "Column with the suite of the workload", .value_name = "COLUMN"});
  fields.Add("metrics", &options->columns.metrics,
             {.help = "Columns to use (default: all other numeric columns)",
              .value_name = "COLUMN,...",
              .list = core::ListStyle::kOneWord});
  fields.Add(
      "where", &options->where,
      {.help = "Only rows for which this is true, an SQL condition over the columns: 'gpus = 1'",
       .value_name = "SQL",
       .refers = core::Refers::kSql});
  fields.Add(
      "per", &options->per,
      {.help = "For experiments: one row per experiment (its point of the largest batch size) or "
               "per point (model, backend, device, precision, batch size)",
       .allowed = {"experiment", "point"}});
  fields.Add(
      "metric", &options->metrics,
      {.help = "Of experiments, one more metric: an SQL expression of one value over the views "
               "of each (repeat for more): 'convolutions=count(*) FROM layer'",
       .value_name = "NAME[UNIT]=SQL",
       .refers = core::Refers::kSql,
       .list = core::ListStyle::kRepeated});
}

Result<std::vector<DataTable>> TablesOf(const CommandContext& context,
                                        const DataFrameOptions& options,
                                        std::vector<std::string>* treatments) {
  XSP_TRY(const std::vector<SqlMetric> metrics, SqlMetricsOf(options.metrics));
  std::vector<DataTable> tables;
  std::vector<std::string> given;
  std::vector<std::string> experiments;
  for (const std::string& source : options.sources) {
    if (!IsTable(context.store, source)) {
      experiments.push_back(source);
      continue;
    }
    XSP_TRY(DataTable data, OpenTable(source, "vectors"));
    tables.push_back(std::move(data));
    given.push_back(source);
  }
  TellTitlesApart(given, &tables);
  const bool has_experiments = !experiments.empty() || options.sources.empty();
  if (!has_experiments && !metrics.empty())
    return Error{ErrorKind::kUsage, "--metric applies to experiments, and none is named",
                 "name experiments, or none for the whole store; a table's own columns are chosen "
                 "by --metrics"};
  if (has_experiments) {
    XSP_TRY(const auto folders, ExperimentsOf(context.store, experiments, treatments));
    const Per per = options.per == "point" ? Per::kPoint : Per::kExperiment;
    XSP_TRY(DataTable data, VectorsOf(context, folders, per, metrics, treatments));
    tables.push_back(std::move(data));
  }
  for (DataTable& data : tables) {
    if (options.where.empty()) continue;
    const std::size_t before = data.table.rows.rows.size();
    XSP_TRY(data.table.rows, RowsWhere(data.table.rows, options.where, context.sql.get()));
    treatments->push_back(fmt::format("Of {} {} {} kept, for which {}.",
                                      core::Counted(before, "row"), data.table.rows.rows.size(),
                                      core::ByNumber(data.table.rows.rows.size(), "is", "are"),
                                      options.where));
  }
  return tables;
}

Result<DataFrame> DataFrameOf(const CommandContext& context, const DataFrameOptions& options,
                              std::vector<std::string>* treatments) {
  XSP_TRY(const std::vector<DataTable> tables, TablesOf(context, options, treatments));
  const bool several = tables.size() > 1;
  for (const std::string& name : options.columns.metrics) {
    if (several && std::ranges::none_of(tables, [&name](const DataTable& data) {
          return std::ranges::find(data.table.rows.columns, name) != data.table.rows.columns.end();
        }))
      return Error{ErrorKind::kBadInput, "no source has such a column: " + name,
                   "`xsp suite vectors SOURCE` shows the columns of one"};
  }
  DataFrame whole;
  MetricOrigins origins;
  for (const DataTable& data : tables) {
    DataFrameColumns columns = ColumnsFor(data, options.columns, several);
    if (several && columns.metrics.empty() && !options.columns.metrics.empty())
      return Error{ErrorKind::kBadInput,
                   "a source has none of the requested metrics: " + data.source,
                   "exclude it, or request metrics that it has"};
    XSP_TRY(DataFrame frame, DataFrameOf(data.table.rows, columns, treatments));
    treatments->push_back("From " + data.source + ".");
    for (Metric& metric : frame.metrics)
      for (const auto& column : data.table.columns)
        if (column.name == metric.name)
          metric.unit = column.unit, metric.provenance = column.provenance;
    if (several && columns.group.empty()) std::ranges::fill(frame.groups, data.table.title);
    for (const Metric& metric : frame.metrics) NoteOrigin(metric, data.source, &origins);
    XSP_RETURN_IF_ERROR(Append(std::move(frame), &whole));
  }
  for (Metric& metric : whole.metrics)
    metric.provenance = fmt::format("{}", fmt::join(origins[metric.name].provenances, "+"));
  SayAdopted(whole, origins, treatments);
  return whole;
}

}  // namespace xsp::suite
