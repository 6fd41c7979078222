#ifndef XSP_STORE_PENDING_RUN_H_
#define XSP_STORE_PENDING_RUN_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"

namespace xsp::store {

class DuckDb;
struct NamedRows;

/// A run whose raw tables are being written, by a thread of its own. Made by
/// ExperimentWriter::StartRun().
class PendingRun {
 public:
  /// Starts to write table after table into `folder`.
  PendingRun(std::filesystem::path folder, std::vector<NamedRows> tables, std::string run_json,
             DuckDb db);
  PendingRun(const PendingRun&) = delete;
  PendingRun& operator=(const PendingRun&) = delete;
  /// Waits for the thread; without Finish() the folder is no run.
  ~PendingRun();

  /// Waits for the tables, then makes the folder a run. Errors: kEnvironment.
  Status Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_PENDING_RUN_H_
