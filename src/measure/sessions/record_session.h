#ifndef XSP_MEASURE_SESSIONS_RECORD_SESSION_H_
#define XSP_MEASURE_SESSIONS_RECORD_SESSION_H_

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/progress.h"
#include "core/result.h"
#include "core/statistics.h"
#include "os/subprocess.h"

namespace xsp::sessions {

/// What `xsp record` was asked for.
struct RecordRequest {
  std::vector<std::string> program;  ///< And its arguments; not empty.
  std::string name;                  ///< Of the experiment; empty: program and time.
  std::string depth = "kernel";      ///< See attach::LevelsOf.
  double delay_s = 0;                ///< Recorded from then on.
  double duration_s = 0;             ///< And for so long; 0: to the end.
  bool starts_off = false;           ///< Recorded only once `toggle_signal` says so.
  int toggle_signal = 0;             ///< Sent to us it switches recording on or off; 0: none does.
  std::string range;                 ///< Record only inside ranges of this name; empty: everywhere.
  double stack_rate_hz = 0;          ///< Samples of native call stacks a second; 0: none.
  double python_rate_hz = 0;         ///< Of Python's; 0: none.
  double monitor_rate_hz = 10;       ///< Of the system monitor; 0: it does not run.
  int overhead_pairs = 0;  ///< Times that the program runs bare and recorded, alternately; 0: once,
                           ///< recorded, and what recording costs is not known.
  /// Sets of CUDA kernel metrics and raw names ("roofline,l2"): the program runs once more for
  /// them, and its times of that run are discarded. Empty: none.
  std::string cuda_metrics;
  bool roofs = true;  ///< Store this machine's roofs (measured when not cached).
  std::filesystem::path store;
  std::string command;                 ///< The command line, stored.
  core::Progress* progress = nullptr;  ///< Borrowed; null: not reported.
};

/// What recording costs the program as a whole.
struct RecordOverhead {
  std::vector<double> bare_s, recorded_s;  ///< Wall time of each run, in order.
  double ratio = 0;                        ///< Of the trimmed means, recorded to bare.
  int pairs_asked = 0;                     ///< More than bare_s has: it was interrupted.
  core::Interval interval;                 ///< 95 %, of the ratio.
};

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
/// stored are kept where the error says. SIGINT or SIGTERM while the program is repeated for
/// `overhead_pairs` ends the repeating: what was measured until then is reported. Errors, before
/// anything runs: kUsage (depth, metrics), kBadInput (no such program), kNotPossible (the
/// libraries), kEnvironment (the store). Threading: the main thread.
Result<RecordOutcome> RecordProgram(const RecordRequest& request);

/// What a command line runs, for people: "train.py" of "python3 -u train.py", else the program.
std::string NameOfProgram(const std::vector<std::string>& argv);

/// "Recording changed the program's wall time by +1.2 % (95 % interval +0.3 to +2.1 %; 6 pairs of
/// alternating runs)."
std::string OverheadSentence(const RecordOverhead& overhead);

/// The same for programs: bare_s, recorded_s (arrays), ratio, ratio_low, ratio_high.
nlohmann::json OverheadJson(const RecordOverhead& overhead);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_RECORD_SESSION_H_
