#include "answer/suite/experiment_vectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "answer/analyze/analysis.h"
#include "answer/suite/each_experiment.h"
#include "answer/suite/table_query.h"
#include "answer/suite/vectors_cache.h"
#include "core/counted.h"
#include "core/progress.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/directory.h"
#include "store/fingerprint.h"
#include "store/schema.h"

namespace xsp::suite {
namespace {

namespace fs = std::filesystem;
using store::Cell;

constexpr const char* kAnalysis = "workload_vector";

/// Columns that say what was measured, not how it did: they lead, and are no metrics.
const std::set<std::string> kWhat = {"workload", "experiment", "point_id",  "model",
                                     "backend",  "device",     "precision", "batch"};

std::int64_t WholeOf(const Cell& cell, std::int64_t otherwise) {
  const auto* whole = std::get_if<std::int64_t>(&cell);
  return whole == nullptr ? otherwise : *whole;
}

/// True when `sql` is a whole statement.
bool IsStatement(std::string_view sql) {
  std::string word;
  for (const char c : sql) {
    if (word.empty() && std::isspace(static_cast<unsigned char>(c))) continue;
    if (!std::isalpha(static_cast<unsigned char>(c))) break;
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return word == "select" || word == "with";
}

/// `sql` over the rows of one point: every table that knows its point or run is cut down to them.
std::string OnPoint(const std::string& sql, std::int64_t point) {
  std::string views;
  for (const store::TableSchema& table : store::Schema()) {
    const auto has = [&table](std::string_view name) {
      return std::ranges::any_of(table.columns, [&](const auto& c) { return c.name == name; });
    };
    std::string condition;
    if (has("point_id")) {
      condition = fmt::format("point_id = {}", point);
    } else if (table.raw || has("run_id")) {
      condition = fmt::format("run_id IN (SELECT run_id FROM main.run WHERE point_id = {})", point);
    } else {
      continue;
    }
    views += fmt::format("{}{} AS (SELECT * FROM main.{} WHERE {})", views.empty() ? "" : ",\n",
                         table.name, table.name, condition);
  }
  for (const store::SharedView& view : store::SharedViews())
    views += fmt::format(",\n{} AS ({})", view.name, view.Select(false));
  return fmt::format("WITH {}\nSELECT * FROM (\n{}\n)", views, sql);
}

Result<double> Evaluated(const SqlMetric& metric, const store::Database& database,
                         const std::string& experiment, Per per, std::int64_t point,
                         store::QueryBudget* budget) {
  std::string sql = IsStatement(metric.sql) ? metric.sql : "SELECT " + metric.sql;
  if (per == Per::kPoint) sql = OnPoint(sql, point);
  const auto answer = database.Select(sql, budget);
  if (!answer.ok())
    return Error{answer.error().kind,
                 fmt::format("metric {}: {}: {}", metric.name, answer.error().what, experiment),
                 answer.error().hint};
  const store::Table& table = answer.value();
  if (table.rows.empty()) return kMissing;
  if (table.rows.size() != 1 || table.columns.size() != 1)
    return Error{ErrorKind::kBadInput,
                 fmt::format("metric {} is not one value: {} of {} in {}", metric.name,
                             core::Counted(table.rows.size(), "row"),
                             core::Counted(table.columns.size(), "column"), experiment),
                 "let its SQL yield one row of one column, by sum(), max() or LIMIT 1"};
  const Cell& cell = table.rows[0][0];
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* truth = std::get_if<bool>(&cell)) return *truth ? 1.0 : 0.0;
  if (std::holds_alternative<std::monostate>(cell)) return kMissing;
  // HUGEINT, which sum() of whole numbers yields, and DECIMAL come as text.
  const std::string& text = std::get<std::string>(cell);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0') return value;
  return Error{
      ErrorKind::kBadInput,
      fmt::format("metric {} is text, not a number: {} in {}", metric.name, text, experiment),
      "metrics are numbers"};
}

/// The table as it grows, and what is known of each column's provenance.
struct Growing {
  Table table;
  std::map<std::string, std::set<std::string>> provenance;
};

void Begin(const std::vector<analyze::Column>& columns, const std::vector<SqlMetric>& metrics,
           Growing* all) {
  all->table.columns.push_back({"workload", "", "The workload", ""});
  for (const analyze::Column& column : columns) all->table.columns.push_back(column);
  for (const SqlMetric& metric : metrics)
    all->table.columns.push_back({metric.name, metric.unit, metric.sql, "reported:query"});
  for (const auto& column : all->table.columns) all->table.rows.columns.push_back(column.name);
}

/// The rows that stand for an experiment: all, or the first of the largest batch size.
std::vector<std::vector<Cell>> Chosen(const store::Table& table, Per per) {
  if (per == Per::kPoint || table.rows.size() < 2) return table.rows;
  const auto at =
      static_cast<std::size_t>(std::ranges::find(table.columns, "batch") - table.columns.begin());
  const auto largest = std::ranges::max_element(
      table.rows, {}, [at](const auto& row) { return WholeOf(row[at], -1); });
  return {*largest};
}

/// The vectors of the experiment in `folder`, those that are kept where nothing changed. Whether
/// new ones can be kept is no matter.
Result<ExperimentVectors> ReadVectors(const analyze::Analysis& analysis, const VectorsCache& cache,
                                      const fs::path& folder) {
  const std::string fingerprint = store::FingerprintOf(folder);
  if (auto kept = cache.Find(fingerprint)) return *std::move(kept);
  XSP_TRY(const store::Database database, store::Database::Open({folder}));
  XSP_TRY(analyze::AnalysisResult result, analyze::Run(analysis, database));
  ExperimentVectors vectors{.provenance = {}, .table = std::move(result.table)};
  for (const analyze::Column& column : result.columns)
    vectors.provenance.push_back(column.provenance);
  static_cast<void>(cache.Keep(fingerprint, vectors));
  return vectors;
}

/// The same of all.
Result<std::vector<ExperimentVectors>> ReadAllVectors(const analyze::Analysis& analysis,
                                                      const std::vector<fs::path>& experiments,
                                                      core::Progress& progress) {
  const VectorsCache cache(analysis);
  std::vector<ExperimentVectors> all(experiments.size());
  XSP_RETURN_IF_ERROR(ForEachExperiment(experiments.size(), progress, [&](std::size_t i) -> Status {
    XSP_TRY(all[i], ReadVectors(analysis, cache, experiments[i]));
    return Ok{};
  }));
  return all;
}

Status AddExperiment(const ExperimentVectors& vectors, const fs::path& folder, Per per,
                     const std::vector<SqlMetric>& metrics, store::QueryBudget* budget,
                     Growing* all) {
  const std::string name = folder.filename().string();
  // The SQL of strangers has limits of memory, and sees no paths.
  std::optional<store::Database> database;
  if (!metrics.empty()) {
    XSP_TRY(database, budget->limits().IsSet()
                          ? store::Database::Open({folder}, store::Database::Comments::kNone,
                                                  budget->limits())
                          : store::Database::Open({folder}));
  }
  for (std::size_t c = 0; c < vectors.provenance.size(); ++c)
    if (!vectors.provenance[c].empty())
      all->provenance[vectors.table.columns[c]].insert(vectors.provenance[c]);
  for (std::vector<Cell> row : Chosen(vectors.table, per)) {
    const std::int64_t point = WholeOf(row.at(1), 0);
    row.at(0) = name;
    std::string label = name;
    // Model, backend, device, precision and batch size.
    for (std::size_t c = 2; per == Per::kPoint && vectors.table.rows.size() > 1 && c < 7; ++c) {
      if (const std::string part = TextOf(row.at(c)); !part.empty())
        label += (c == 6 ? " batch " : " ") + part;
    }
    row.insert(row.begin(), std::move(label));
    for (const SqlMetric& metric : metrics) {
      XSP_TRY(const double value, Evaluated(metric, *database, name, per, point, budget));
      row.push_back(NumberCell(value));
    }
    all->table.rows.rows.push_back(std::move(row));
  }
  return Ok{};
}

/// Points that differ in their settings alone get their number behind their label.
void TellApart(store::Table* table) {
  std::map<std::string, int> uses;
  for (const auto& row : table->rows) ++uses[TextOf(row[0])];
  for (auto& row : table->rows) {
    const std::string label = TextOf(row[0]);
    if (uses[label] > 1) row[0] = fmt::format("{} (point {})", label, WholeOf(row[2], 0));
  }
}

}  // namespace

Result<SqlMetric> SqlMetricOf(const std::string& text) {
  const std::size_t equals = text.find('=');
  std::string name = text.substr(0, equals);
  std::string unit;
  if (const std::size_t open = name.find('['); open != std::string::npos && name.back() == ']') {
    unit = name.substr(open + 1, name.size() - open - 2);
    name.resize(open);
  }
  const bool is_word = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) || c == '_';
  });
  if (equals == std::string::npos || !is_word || equals + 1 == text.size())
    return Error{ErrorKind::kUsage, "a metric is not NAME=SQL or NAME[UNIT]=SQL: " + text,
                 "--metric \"convolutions=count(*) FROM layer WHERE type ILIKE '%conv%'\""};
  if (kWhat.contains(FoldedName(name)))
    return Error{ErrorKind::kUsage, "a metric cannot have this name: " + name,
                 "workload vectors have a column of that name; choose another"};
  return SqlMetric{std::move(name), std::move(unit), text.substr(equals + 1)};
}

Result<std::vector<fs::path>> ExperimentsOf(const fs::path& store,
                                            const std::vector<std::string>& sources,
                                            std::vector<std::string>* treatments) {
  std::vector<fs::path> folders;
  for (const std::string& source : sources) {
    XSP_TRY(const fs::path folder, store::Resolve(store, source));
    XSP_TRY(const store::Directory directory, store::Inspect(folder));
    if (directory.kind != store::Directory::Kind::kExperiment)
      return Error{ErrorKind::kBadInput, "a run, not an experiment: " + folder.string(),
                   "name the experiment that contains it"};
    folders.push_back(fs::weakly_canonical(folder));
  }
  if (!sources.empty()) return folders;
  XSP_TRY(const auto entries, store::List(store));
  std::vector<std::string> unreadable;
  for (const store::CatalogueEntry& entry : entries) {
    if (entry.status.starts_with("unreadable")) {
      unreadable.push_back(entry.name);
    } else {
      folders.push_back(entry.path);
    }
  }
  if (!unreadable.empty())
    treatments->push_back(fmt::format("Experiments that cannot be read are excluded: {}.",
                                      fmt::join(unreadable, ", ")));
  if (folders.empty())
    return Error{ErrorKind::kBadInput, "the store has no experiment: " + store.string(),
                 "measure one by `xsp run MODEL`, or name a table or data set: xsp suite vectors "
                 "mlperf-v0.5"};
  return folders;
}

Result<DataTable> VectorsOf(const CommandContext& context, const std::vector<fs::path>& experiments,
                            Per per, const std::vector<SqlMetric>& metrics,
                            std::vector<std::string>* treatments) {
  XSP_TRY(const auto analyses, analyze::LoadAnalyses(context.analyses));
  const analyze::Analysis* analysis = analyze::Find(analyses, kAnalysis);
  if (analysis == nullptr)
    return Error{ErrorKind::kEnvironment, fmt::format("there is no analysis {}", kAnalysis),
                 "it is part of XSP: install XSP again"};
  for (const SqlMetric& metric : metrics)
    for (const analyze::Column& column : analysis->columns)
      if (FoldedName(column.name) == FoldedName(metric.name))
        return Error{ErrorKind::kUsage, "a metric cannot have this name: " + metric.name,
                     "workload vectors have a column of that name; choose another"};
  XSP_TRY(const std::vector<ExperimentVectors> vectors,
          ReadAllVectors(*analysis, experiments, *context.progress));
  Growing all{{"vectors", "Experiments", {}, {}}, {}};
  if (!experiments.empty()) Begin(analysis->columns, metrics, &all);
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    if (!metrics.empty())
      context.progress->Step(fmt::format("metrics of experiment {} of {}: {}", i + 1,
                                         experiments.size(), experiments[i].filename().string()),
                             -1, -1);
    XSP_RETURN_IF_ERROR(
        AddExperiment(vectors[i], experiments[i], per, metrics, context.sql.get(), &all));
  }
  TellApart(&all.table.rows);
  for (analyze::Column& column : all.table.columns)
    if (const auto known = all.provenance.find(column.name); known != all.provenance.end())
      column.provenance = fmt::format("{}", fmt::join(known->second, "+"));
  if (per == Per::kExperiment)
    treatments->push_back(
        "An experiment with several points is represented by the first point of the largest batch "
        "size; --per point shows all.");
  DataFrameColumns frame{{"workload"}, "", {}};
  for (const analyze::Column& column : all.table.columns)
    if (!kWhat.contains(column.name)) frame.metrics.push_back(column.name);
  const std::string source = experiments.size() == 1
                                 ? "the experiment " + experiments[0].filename().string()
                                 : fmt::format("{} experiments", experiments.size());
  return DataTable{"vectors", source, std::move(frame), std::move(all.table)};
}

}  // namespace xsp::suite
