#include "answer/publish/experiment_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <system_error>
#include <utility>
#include <variant>

#include "answer/publish/experiment_document.h"
#include "answer/publish/script_text.h"
#include "answer/report/report_data.h"
#include "core/json_text.h"
#include "store/database.h"
#include "store/export.h"
#include "store/many_experiments.h"
#include "store/schema.h"

namespace xsp::publish {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using store::Table;

/// The rows of `table` by experiment, without the leading column that tells which.
void Distribute(Table table, const std::string& name, std::vector<TablesByName>& parts) {
  for (auto& row : table.rows) {
    const auto experiment = static_cast<std::size_t>(std::get<std::int64_t>(row.front()));
    Table& part = parts[experiment][name];
    if (part.columns.empty()) part.columns.assign(table.columns.begin() + 1, table.columns.end());
    row.erase(row.begin());
    part.rows.push_back(std::move(row));
  }
}

struct ReadTables {
  std::vector<TablesByName> tables;  ///< By experiment.
  std::set<std::size_t> unread;
};

/// All experiment tables, by one statement each.
Result<ReadTables> ReadAllTables(std::span<const SiteExperiment> experiments) {
  std::vector<fs::path> folders;
  for (const SiteExperiment& experiment : experiments) folders.push_back(experiment.stored.path);
  XSP_TRY(store::ManyExperiments many, store::ManyExperiments::Open(std::move(folders)));
  ReadTables read{std::vector<TablesByName>(experiments.size()), {}};
  for (const store::TableSchema& schema : store::Schema()) {
    if (schema.raw) continue;
    XSP_TRY(Table table, many.Query({schema.name}, fmt::format("SELECT * FROM {}", schema.name)));
    Distribute(std::move(table), schema.name, read.tables);
  }
  for (const auto& unread : many.unread()) read.unread.insert(unread.experiment);
  return read;
}

/// Writes one table in its formats; returns SiteTable of web/src/site/site_data.ts.
Result<json> WriteTable(const SiteFolder& site, const fs::path& folder, const fs::path& experiment,
                        const std::string& name, const Table& table) {
  json formats = json::object();
  const fs::path parquet = experiment / (name + ".parquet");
  std::error_code error;
  if (const std::uintmax_t bytes = fs::file_size(parquet, error); !error) {
    XSP_RETURN_IF_ERROR(site.Link(parquet, folder / parquet.filename()));
    formats["parquet"] = bytes;
  }
  const std::pair<const char*, std::string> texts[] = {{"csv", store::ToCsv(table)},
                                                       {"json", store::ToJson(table)}};
  for (const auto& [format, text] : texts) {
    XSP_RETURN_IF_ERROR(site.Write(folder / fmt::format("{}.{}", name, format), text));
    formats[format] = text.size();
  }
  return json{{"name", name}, {"rows", table.rows.size()}, {"formats", std::move(formats)}};
}

Result<json> WriteExperiment(const SiteFolder& site, const SiteExperiment& experiment,
                             const TablesByName& tables, ExperimentDocument document) {
  const fs::path folder = fs::path("experiments") / experiment.folder;
  json files = json::array();
  for (const auto& [name, table] : tables) {
    XSP_TRY(json file, WriteTable(site, folder, experiment.stored.path, name, table));
    files.push_back(std::move(file));
  }
  document.document["files"] = std::move(files);
  XSP_RETURN_IF_ERROR(
      site.Write(folder / "experiment.js",
                 ScriptOf("experiments/" + experiment.folder + "/experiment", document.document)));
  document.entry["folder"] = experiment.folder;
  return json{{"fingerprint", experiment.fingerprint},
              {"folder", experiment.folder},
              {"entry", std::move(document.entry)}};
}

}  // namespace

Result<std::vector<std::optional<json>>> WriteExperiments(
    const SiteFolder& site, std::span<const SiteExperiment> experiments) {
  XSP_TRY(const ReadTables read, ReadAllTables(experiments));
  std::vector<std::optional<json>> entries(experiments.size());
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    if (read.unread.contains(i)) continue;
    auto document = DocumentOf(experiments[i].stored, read.tables[i]);
    if (!document.ok()) continue;
    XSP_TRY(entries[i],
            WriteExperiment(site, experiments[i], read.tables[i], std::move(document).value()));
  }
  return entries;
}

Result<std::size_t> WriteReportFiles(const SiteFolder& site, const SiteExperiment& experiment,
                                     const std::vector<analyze::Analysis>& analyses,
                                     const std::vector<findings::Rule>& rules) {
  XSP_TRY(const store::Database database, store::Database::Open({experiment.stored.path}));
  XSP_TRY(const std::string data,
          report::ReportData(experiment.stored.path, database, analyses, rules));
  const std::string key = "experiments/" + experiment.folder;
  const json report = core::ParseJson(data);
  json found = json::array();
  for (const json& finding : report.value("findings", json::array()))
    found.push_back({{"id", finding.value("id", json())},
                     {"severity", finding.value("severity", json())},
                     {"sentence", finding.value("sentence", json())},
                     {"gain", finding.value("gain", json())}});
  const std::size_t count = found.size();
  XSP_RETURN_IF_ERROR(
      site.Write(key + "/findings.js", ScriptOf(key + "/findings", json{{"findings", found}})));
  XSP_RETURN_IF_ERROR(
      site.Write(key + "/report.js", ScriptOf(key + "/report", std::string_view(data))));
  return count;
}

}  // namespace xsp::publish
