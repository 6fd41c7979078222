#ifndef XSP_MEASURE_SESSIONS_RECORD_SESSION_H_
#define XSP_MEASURE_SESSIONS_RECORD_SESSION_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "measure/sessions/record_overhead.h"
#include "measure/sessions/record_request.h"
#include "os/subprocess.h"

namespace xsp::sessions {

struct RecordOutcome {
  os::ExitStatus exit;  ///< How the program ended: the first recorded time.
  double seconds = 0;   ///< That it took.
  int processes = 0;    ///< That left a recording.
  std::vector<std::pair<std::string, std::int64_t>> spans;  ///< Level and count, shallow to deep.
  std::vector<std::string> notes;  ///< What is not recorded and why, and what it cost: sentences.
  std::optional<RecordOverhead> overhead;
  bool interrupted = false;  ///< While what recording costs was measured.
  /// The experiment; or why it could not be stored, though the program ran.
  Result<std::filesystem::path> stored = std::filesystem::path();
};

/// Runs an unchanged program (see os::ForegroundProgram) with our libraries in it and stores an
/// experiment of one run, of what all its processes recorded; with `cuda_metrics` of a second run,
/// of rung `counters`, whose kernels are matched with the first one's. Recordings that could not be
/// stored are kept where the error says. A request of `interrupts` while the program is
/// repeated for `overhead_pairs` ends the repeating: what was measured until then is reported.
/// Errors, before anything runs: kUsage (depth, metrics), kBadInput (no such program), kNotPossible
/// (the libraries), kEnvironment (the store). Threading: the main thread.
Result<RecordOutcome> RecordProgram(const RecordRequest& request);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_RECORD_SESSION_H_
