#include "store/pending_run.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "base/step_times.h"
#include "store/duckdb_connection.h"
#include "store/folder.h"
#include "store/parquet.h"
#include "store/trace_rows.h"

namespace xsp::store {

namespace fs = std::filesystem;

struct PendingRun::State {
  fs::path folder;
  std::vector<NamedRows> tables;
  std::string run_json;
  std::vector<DuckDb> connections;
  std::vector<std::thread> threads;
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  Status status = Ok{};  ///< The last error, guarded by `mutex` while threads run.

  State(fs::path to, std::vector<NamedRows> rows, std::string json, std::vector<DuckDb> engines)
      : folder(std::move(to)),
        tables(std::move(rows)),
        run_json(std::move(json)),
        connections(std::move(engines)) {
    // The largest first: no thread shall begin with it when the others are done.
    const auto cells = [](const NamedRows& table) {
      return table.rows.rows * table.rows.columns.size();
    };
    std::stable_sort(tables.begin(), tables.end(),
                     [&](const NamedRows& a, const NamedRows& b) { return cells(a) > cells(b); });
  }

  void WriteTables(const DuckDb& db) {
    const base::StepTimer timer("write tables");
    RowFeed feed(db.connection());
    for (std::size_t i = next.fetch_add(1); i < tables.size(); i = next.fetch_add(1)) {
      Status written =
          WriteParquet(db, feed, tables[i].rows, folder / (tables[i].table + ".parquet"));
      if (written.ok()) continue;
      const std::lock_guard lock(mutex);
      status = std::move(written);
    }
  }

  Status Join() {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    return status;
  }
};

PendingRun::PendingRun(fs::path folder, std::vector<NamedRows> tables, std::string run_json,
                       std::vector<DuckDb> connections)
    : state_(std::make_unique<State>(std::move(folder), std::move(tables), std::move(run_json),
                                     std::move(connections))) {
  for (const DuckDb& db : state_->connections)
    state_->threads.emplace_back([state = state_.get(), &db] { state->WriteTables(db); });
}

PendingRun::~PendingRun() { (void)state_->Join(); }

Status PendingRun::Finish() {
  XSP_RETURN_IF_ERROR(state_->Join());
  // Last: a folder with run.json is a whole run.
  return WriteFile(state_->folder / "run.json", state_->run_json);
}

}  // namespace xsp::store
