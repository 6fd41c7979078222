#include "store/store_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "store/baselines.h"
#include "store/catalogue.h"
#include "store/directory.h"
#include "store/duckdb_connection.h"
#include "store/listed_tables.h"
#include "store/mirrored_store.h"
#include "store/sql_text.h"
#include "store/staging_folder.h"
#include "store/views.h"

namespace xsp::store {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

using Problems = std::vector<StoreProblem>;

std::string HeadOf(const std::string& text) { return text.substr(0, text.find('\n')); }

/// The files of the tables directly in `folder`.
std::vector<std::string> TableFilesIn(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".parquet") files.push_back(it->path().string());
  std::ranges::sort(files);
  return files;
}

/// The first of `files` that cannot be read, with why; empty: all can.
std::string UnreadableOf(const DuckDb& db, const std::vector<std::string>& files, bool all_data) {
  for (const std::string& file : files) {
    const std::string path = Quoted(WithoutWildcards(file));
    const std::string sql =
        all_data ? fmt::format("SELECT count(COLUMNS(*)) FROM read_parquet({})", path)
                 : fmt::format("SELECT num_rows FROM parquet_file_metadata({})", path);
    const auto read = db.Query(sql, ErrorKind::kBadInput);
    if (!read.ok()) return HeadOf(read.error().what);
  }
  return {};
}

/// Which of the tables that `json` lists is not in `folder`, or has other rows; empty: none.
std::string DifferenceOf(const DuckDb& db, const fs::path& folder, const json& json) {
  if (std::string lost = LostTable(folder, json); !lost.empty()) return lost;
  const auto found = TablesIn(db, folder);
  if (!found.ok()) return HeadOf(found.error().what);
  for (const TableRows& listed : ListedTables(json))
    for (const TableRows& table : found.value())
      if (table.table == listed.table && table.rows != listed.rows)
        return fmt::format("{}.parquet has {} rows, and was written with {}", table.table,
                           table.rows, listed.rows);
  return {};
}

/// What is wrong with the tables directly in `folder`, whose run.json or experiment.json is `json`;
/// empty: nothing.
std::string FaultOf(const DuckDb& db, const fs::path& folder, const json& json, bool all_data) {
  std::string why = UnreadableOf(db, TableFilesIn(folder), all_data);
  return why.empty() ? DifferenceOf(db, folder, json) : why;
}

void CheckExperiment(const DuckDb& db, const fs::path& folder, bool all_data, Problems& problems) {
  const std::string name = folder.filename().string();
  const auto inspected = Inspect(folder);
  if (!inspected.ok()) return problems.push_back({name, HeadOf(inspected.error().what), false});
  if (inspected.value().json.is_null())
    return problems.push_back({name, "experiment.json is missing", false});
  const std::string fault = FaultOf(db, folder, inspected.value().json, all_data);
  if (!fault.empty()) problems.push_back({name, fault, false});
  for (const RunFolder& run : inspected.value().runs) {
    const auto of_run = Inspect(run.path);
    const std::string why = of_run.ok() ? FaultOf(db, run.path, of_run.value().json, all_data)
                                        : HeadOf(of_run.error().what);
    if (!why.empty()) problems.push_back({fmt::format("{}/{}", name, run.name), why, false});
  }
}

/// What processes of this machine left when they were killed.
void CheckLeftovers(const fs::path& store, bool repair, Problems& problems) {
  for (const fs::path& folder : StaleFolders(store))
    problems.push_back({folder.filename().string(), "is what a killed process left", repair});
  if (repair) RemoveStaleFolders(store);
}

Status CheckBaselines(const fs::path& store, Problems& problems) {
  XSP_TRY(const std::vector<BaselineEntry> baselines, ListBaselines(store));
  for (const BaselineEntry& one : baselines)
    if (one.status != "ok")
      problems.push_back(
          {one.baseline.name, fmt::format("the baseline's experiment is {}", one.status), false});
  return Ok{};
}

}  // namespace

Result<std::vector<StoreProblem>> CheckStore(const fs::path& store, const CheckRequest& request,
                                             core::Progress& progress) {
  Problems problems;
  XSP_TRY(const auto mirror, MirroredStore::Of(store));
  if (mirror) XSP_RETURN_IF_ERROR(mirror->CheckObjects(request.repair, problems));
  XSP_TRY(const std::vector<fs::path> folders, ExperimentFolders(store));
  XSP_TRY(const DuckDb db, DuckDb::Open());
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(folders.size());
    progress.Step(fmt::format("checking {}", folders[i].filename().string()), share, -1);
    // Of what the server alone has, sizes were compared; all data means to fetch it.
    std::error_code error;
    const bool is_elsewhere = fs::exists(folders[i] / kMirroredFile, error) && !request.all_data;
    if (is_elsewhere) continue;
    if (const Status fetched = FetchFolder(folders[i]); !fetched.ok()) {
      problems.push_back({folders[i].filename().string(), HeadOf(fetched.error().what), false});
      continue;
    }
    CheckExperiment(db, folders[i], request.all_data, problems);
  }
  CheckLeftovers(store, request.repair, problems);
  XSP_RETURN_IF_ERROR(CheckBaselines(store, problems));
  return problems;
}

}  // namespace xsp::store
