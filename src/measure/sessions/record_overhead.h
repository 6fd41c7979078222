#ifndef XSP_MEASURE_SESSIONS_RECORD_OVERHEAD_H_
#define XSP_MEASURE_SESSIONS_RECORD_OVERHEAD_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/statistics.h"
#include "measure/sessions/program_runs.h"
#include "os/interrupt.h"

namespace xsp::sessions {

/// What recording costs the program as a whole.
struct RecordOverhead {
  std::vector<double> bare_s, recorded_s;  ///< Wall time of each run, in order.
  double ratio = 0;                        ///< Of the trimmed means, recorded to bare.
  int pairs_asked = 0;                     ///< More than bare_s has: it was interrupted.
  core::Interval interval;                 ///< 95 %, of the ratio.
};

/// Runs the program again and again, bare and recorded, alternating. `first_s`: of the recorded run
/// that was made already.
///
/// SIGINT or SIGTERM, also between two runs, ends it: then `interrupted`, and with what was
/// measured until then. Errors: kInterrupted when no bare run had ended.
Result<RecordOverhead> MeasureOverhead(const RecordRequest& request, const ProgramRuns& runs,
                                       double first_s, const os::Interrupts& interrupts,
                                       bool& interrupted);

/// "Recording changed the program's wall time by +1.2 % (95 % interval +0.3 to +2.1 %; 6 pairs of
/// alternating runs)."
std::string OverheadSentence(const RecordOverhead& overhead);

/// The same for programs: bare_s, recorded_s (arrays), ratio, ratio_low, ratio_high.
nlohmann::json OverheadJson(const RecordOverhead& overhead);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_RECORD_OVERHEAD_H_
