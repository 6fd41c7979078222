#include "store/pending_run.h"

#include <thread>
#include <utility>

#include "core/step_times.h"
#include "store/duckdb_connection.h"
#include "store/listed_tables.h"
#include "store/parquet.h"
#include "store/staging_folder.h"
#include "store/trace_rows.h"

namespace xsp::store {

namespace fs = std::filesystem;

struct PendingRun::State {
  fs::path folder;
  std::vector<NamedRows> tables;
  std::string run_json;
  DuckDb db;
  Status status = Ok{};  ///< Of the tables, once the thread has ended.
  std::thread thread = {};

  Status WriteTables() const {
    const core::StepTimer timer("write tables");
    RowFeed feed(db.connection());
    for (const NamedRows& table : tables) {
      XSP_RETURN_IF_ERROR(WriteParquet(db, feed, table.rows, folder / (table.table + ".parquet")));
    }
    return Ok{};
  }

  Status Join() {
    if (thread.joinable()) thread.join();
    return status;
  }
};

PendingRun::PendingRun(fs::path folder, std::vector<NamedRows> tables, std::string run_json,
                       DuckDb db)
    : state_(new State{std::move(folder), std::move(tables), std::move(run_json), std::move(db)}) {
  state_->thread = std::thread([state = state_.get()] { state->status = state->WriteTables(); });
}

PendingRun::~PendingRun() { (void)state_->Join(); }

Status PendingRun::Finish() {
  XSP_RETURN_IF_ERROR(state_->Join());
  XSP_TRY(const std::string listed, WithTables(state_->db, state_->folder, state_->run_json));
  // Last: a folder with run.json is a whole run.
  return WriteFile(state_->folder / "run.json", listed);
}

}  // namespace xsp::store
