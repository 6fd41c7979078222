#ifndef XSP_MEASURE_SESSIONS_MONITOR_SESSION_H_
#define XSP_MEASURE_SESSIONS_MONITOR_SESSION_H_

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "capture/monitor/monitor.h"
#include "capture/monitor/series_rows.h"
#include "core/progress.h"
#include "core/result.h"
#include "os/interrupt.h"
#include "os/subprocess.h"
#include "store/experiment_writer.h"
#include "store/rows/system_series_row.h"
#include "store/rows/system_usage_row.h"

namespace xsp::sessions {

/// What `xsp monitor` was asked for.
struct MonitorRequest {
  double rate_hz = 10;
  /// Without a program: how long; 0: until `interrupts` asks to stop.
  double seconds = 0;
  std::vector<std::string> program;  ///< And its arguments; empty: none.
  std::string name;                  ///< Of the experiment; empty: program and time.
  std::filesystem::path store;
  std::string command;  ///< The command line, stored.
  /// Told when sampling has begun, where there is no program. Borrowed; null: nobody is.
  core::Progress* progress = nullptr;
  /// Ends the sampling where there is no program. Borrowed; null: nothing asks for it.
  os::Interrupts* interrupts = nullptr;
};

struct MonitorOutcome {
  monitor::Series series;
  std::optional<os::ExitStatus> exit;  ///< How the program ended; nothing: there was none.
  bool interrupted = false;            ///< Asked to stop before `seconds` were over.
  /// The experiment; or why it could not be stored, though the program ran.
  Result<std::filesystem::path> stored = std::filesystem::path();
};

/// Samples this machine while the program runs (see os::ForegroundProgram) or the time passes,
/// and stores an experiment of one run, rung `monitor`. Errors, before anything runs: kUsage
/// (rate), kBadInput (no such program), kEnvironment (the store cannot be written). Threading: the
/// main thread; without a program any.
Result<MonitorOutcome> MonitorMachine(const MonitorRequest& request);

/// The tables system_usage and system_series, gathered run by run.
class UsageTables {
 public:
  /// Adds what `rows` of the series say of a run; nothing where there are none.
  void Add(std::int64_t run_id, const monitor::Series& series, std::span<const std::size_t> rows);
  /// Errors: as ExperimentWriter::AddRows.
  Status Write(store::ExperimentWriter& writer) const;

 private:
  std::vector<store::SystemUsageRow> usage_;
  std::vector<store::SystemSeriesRow> series_;
};

/// "Beside it the system monitor sampled the machine at 10 Hz, for 0.21 % of a core."
std::string CostSentence(const monitor::Series& series);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_MONITOR_SESSION_H_
