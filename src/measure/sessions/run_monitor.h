#ifndef XSP_MEASURE_SESSIONS_RUN_MONITOR_H_
#define XSP_MEASURE_SESSIONS_RUN_MONITOR_H_

#include <cstdint>
#include <string>

#include "capture/monitor/monitor.h"
#include "core/result.h"
#include "measure/sessions/monitor_session.h"
#include "store/experiment_writer.h"
#include "trace/trace.h"

namespace xsp::sessions {

/// What the system monitor sampled beside the workers of an experiment, shared out to its runs and
/// made rows of tables. Threading: one thread.
class RunMonitor {
 public:
  /// `rate_hz` 0: never on. Errors of a rate: kUsage.
  static Status CheckRate(double rate_hz);

  /// Takes what was sampled while a group of runs was measured; kept until the next one.
  void Take(monitor::Series series);

  /// Adds to a run, and to the tables, the rows that its own calls fill by at least half: runs
  /// alternate in blocks, and a row that two of them share belongs to neither. `trace`: of our
  /// clock, with calls as model spans.
  void AddTo(std::int64_t run_id, trace::Trace& trace);

  /// The tables system_usage and system_series, where a run has a row. Errors: as AddRows.
  Status Write(store::ExperimentWriter& writer) const;

  /// Share of one core that the sampling took so far; 0: it was never on.
  double CostShare() const { return cost_.CostShare(); }

  /// "Beside it the system monitor sampled ..."; empty: it was never on.
  std::string Sentence() const;

 private:
  monitor::Series series_;
  monitor::Series cost_;  ///< Sums of CPU and wall time over all groups; no rows.
  UsageTables tables_;
  bool has_rows_ = false, said_what_is_hidden_ = false;
};

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_RUN_MONITOR_H_
