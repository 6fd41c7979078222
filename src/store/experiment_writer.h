#ifndef XSP_STORE_EXPERIMENT_WRITER_H_
#define XSP_STORE_EXPERIMENT_WRITER_H_

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "store/argument_stream.h"
#include "store/pending_run.h"
#include "trace/trace.h"

namespace xsp::store {

struct RowSource;

/// Writes one experiment: a temporary folder beside its final place, renamed there by Commit().
/// Destroyed without Commit(), it removes what it wrote. Many writers, of many processes, may
/// write into one store. Errors: kEnvironment (not writable, disk full) with the path.
class ExperimentWriter {
 public:
  /// `name` is made unique in the store by a suffix -2, -3, ... when taken.
  static Result<ExperimentWriter> Create(const std::filesystem::path& store, std::string_view name);

  ExperimentWriter(ExperimentWriter&&) noexcept;
  ExperimentWriter& operator=(ExperimentWriter&&) noexcept;
  ~ExperimentWriter();

  /// Writes a run's raw tables and its run.json. `run_json` is a JSON object with the stack, rung,
  /// clock, status and losses; format version, facts and diagnostics are added here.
  Status AddRun(std::string_view run_name, const trace::Trace& trace, std::string_view run_json);

  /// Starts a run whose arguments come while its trace is still read; AddRun() or StartRun() of the
  /// same name adds the rest, after the stream's Finish(). The stream must not outlive the writer.
  Result<std::unique_ptr<ArgumentStream>> StreamArguments(std::string_view run_name);

  /// As AddRun(), on a thread of its own while the caller goes on: `trace` is borrowed and must not
  /// change until the run is finished, which must be before Commit().
  Result<std::unique_ptr<PendingRun>> StartRun(std::string_view run_name, const trace::Trace& trace,
                                               std::string_view run_json);

  /// Writes the experiment table that `rows` are of. Row: of store/rows (tools/generate_rows.py).
  template <typename Row>
  Status AddRows(const std::vector<Row>& rows);

  /// Adds a raw file of another tool (copied) to a run's attachments/.
  Status Attach(std::string_view run_name, const std::filesystem::path& file);

  /// The folder being written; runs in it can be opened with Database::Open before Commit().
  const std::filesystem::path& folder() const;

  /// Writes experiment.json (a JSON object: what was asked) and moves the folder into place.
  /// Returns the final path.
  Result<std::filesystem::path> Commit(std::string_view experiment_json);

 private:
  struct State;
  explicit ExperimentWriter(std::unique_ptr<State> state);
  Status WriteTable(std::string_view name, const RowSource& rows);

  std::unique_ptr<State> state_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_EXPERIMENT_WRITER_H_
