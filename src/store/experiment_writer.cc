#include "store/experiment_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "core/step_times.h"
#include "store/duckdb_connection.h"
#include "store/listed_tables.h"
#include "store/parquet.h"
#include "store/run_json.h"
#include "store/staging_folder.h"
#include "store/trace_rows.h"

namespace xsp::store {

namespace fs = std::filesystem;

namespace {

bool IsPlainName(std::string_view name) { return !name.empty() && SafeName(name) == name; }

Error Usage(std::string what) { return {ErrorKind::kUsage, std::move(what), ""}; }

}  // namespace

struct ExperimentWriter::State {
  fs::path store;
  std::string name;
  fs::path folder;
  std::optional<DuckDb> db;
  std::unique_ptr<RowFeed> feed;
  std::string streamed;  ///< The run whose arguments are written by an ArgumentStream.

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    std::error_code ignored;
    if (!folder.empty()) fs::remove_all(folder, ignored);
  }

  Status Write(const RowSource& rows, const fs::path& file) {
    return WriteParquet(*db, *feed, rows, file);
  }

  /// Makes the folder of a run, unless its arguments are there already.
  Result<fs::path> MakeRun(std::string_view run_name) {
    if (!IsPlainName(run_name)) return Usage(fmt::format("not a run's name: '{}'", run_name));
    const fs::path run_folder = folder / run_name;
    std::error_code error;
    if (fs::exists(run_folder, error) && run_name != streamed)
      return Usage(fmt::format("two runs of one name: {}", run_name));
    XSP_RETURN_IF_ERROR(MakeFolder(run_folder));
    return run_folder;
  }

  /// The tables of `trace` that are still to be written.
  std::vector<NamedRows> Tables(std::string_view run_name, const trace::Trace& trace) const {
    std::vector<NamedRows> tables = TraceRows(trace);
    if (run_name == streamed)
      std::erase_if(tables, [](const NamedRows& table) { return table.table == "argument"; });
    return tables;
  }
};

ExperimentWriter::ExperimentWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}
ExperimentWriter::ExperimentWriter(ExperimentWriter&&) noexcept = default;
ExperimentWriter& ExperimentWriter::operator=(ExperimentWriter&&) noexcept = default;
ExperimentWriter::~ExperimentWriter() = default;

Result<ExperimentWriter> ExperimentWriter::Create(const fs::path& store, std::string_view name) {
  auto state = std::make_unique<State>();
  std::error_code error;
  // Absolute: the program may change its folder before Commit().
  state->store = fs::absolute(store, error);
  XSP_RETURN_IF_ERROR(MakeFolder(state->store));
  RemoveStaleFolders(state->store);
  state->name = SafeName(name);
  const fs::path folder = state->store / TemporaryName(state->name);
  XSP_RETURN_IF_ERROR(MakeFolder(folder));
  state->folder = folder;
  // One: a table is written by the thread that asks for it, and several by several threads.
  XSP_TRY(DuckDb db, DuckDb::Open(1));
  state->db.emplace(std::move(db));
  state->feed = std::make_unique<RowFeed>(state->db->connection());
  return ExperimentWriter(std::move(state));
}

Status ExperimentWriter::AddRun(std::string_view run_name, const trace::Trace& trace,
                                std::string_view run_json) {
  XSP_TRY(const std::string json, CompleteRunJson(trace, run_json));
  XSP_TRY(const fs::path folder, state_->MakeRun(run_name));
  for (const NamedRows& table : state_->Tables(run_name, trace)) {
    XSP_RETURN_IF_ERROR(state_->Write(table.rows, folder / (table.table + ".parquet")));
  }
  XSP_TRY(const std::string listed, WithTables(*state_->db, folder, json));
  // Last: a folder with run.json is a whole run.
  return WriteFile(folder / "run.json", listed);
}

Result<std::unique_ptr<ArgumentStream>> ExperimentWriter::StreamArguments(
    std::string_view run_name) {
  XSP_TRY(const fs::path folder, state_->MakeRun(run_name));
  XSP_TRY(DuckDb db, state_->db->Connect());
  state_->streamed = run_name;
  return std::make_unique<ArgumentStream>(std::move(db), folder / "argument.parquet");
}

Result<std::unique_ptr<PendingRun>> ExperimentWriter::StartRun(std::string_view run_name,
                                                               const trace::Trace& trace,
                                                               std::string_view run_json) {
  XSP_TRY(std::string json, CompleteRunJson(trace, run_json));
  XSP_TRY(const fs::path folder, state_->MakeRun(run_name));
  XSP_TRY(DuckDb db, state_->db->Connect());
  return std::make_unique<PendingRun>(folder, state_->Tables(run_name, trace), std::move(json),
                                      std::move(db));
}

Status ExperimentWriter::WriteTable(std::string_view name, const RowSource& rows) {
  return state_->Write(rows, state_->folder / fmt::format("{}.parquet", name));
}

Status ExperimentWriter::Attach(std::string_view run_name, const fs::path& file) {
  if (!IsPlainName(run_name)) return Usage(fmt::format("not a run's name: '{}'", run_name));
  return CopyInto(file, state_->folder / run_name / "attachments");
}

const fs::path& ExperimentWriter::folder() const { return state_->folder; }

Result<fs::path> ExperimentWriter::Commit(std::string_view experiment_json) {
  if (state_->folder.empty()) return Usage("the experiment is committed already");
  std::string name = state_->name;
  for (int suffix = 2;; ++suffix) {
    XSP_TRY(const std::string json, CompleteExperimentJson(name, experiment_json));
    XSP_TRY(const std::string listed, WithTables(*state_->db, state_->folder, json));
    XSP_RETURN_IF_ERROR(WriteFile(state_->folder / "experiment.json", listed));
    if (suffix == 2) {
      const core::StepTimer timer("sync files");
      XSP_RETURN_IF_ERROR(SyncTree(state_->folder));
    }
    const fs::path place = state_->store / name;
    XSP_TRY(const bool moved, MoveIntoPlace(state_->folder, place));
    if (moved) {
      state_->folder.clear();
      return place;
    }
    name = fmt::format("{}-{}", state_->name, suffix);
  }
}

}  // namespace xsp::store
