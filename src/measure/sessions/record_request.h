#ifndef XSP_MEASURE_SESSIONS_RECORD_REQUEST_H_
#define XSP_MEASURE_SESSIONS_RECORD_REQUEST_H_

#include <filesystem>
#include <string>
#include <vector>

#include "core/progress.h"
#include "measure/live/live_streams.h"
#include "os/interrupt.h"

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
  bool roofs = true;       ///< Store this machine's roofs (measured when not cached).
  live::LiveRequest live;  ///< Where spans go while the program runs.
  std::filesystem::path store;
  std::string command;                 ///< The command line, stored.
  core::Progress* progress = nullptr;  ///< Borrowed; null: not reported.
  /// Ends the repeating for `overhead_pairs`, and the program where it has a `program_output`; that
  /// it was signalled to us is then a request, too. Borrowed; null: nothing asks for it.
  os::Interrupts* interrupts = nullptr;
  /// A file to which the program's stdout and stderr are appended; its stdin is empty then. Empty:
  /// all three are ours.
  std::filesystem::path program_output;
};

/// What a command line runs, for people: "train.py" of "python3 -u train.py", else the program.
std::string NameOfProgram(const std::vector<std::string>& argv);

}  // namespace xsp::sessions

#endif  // XSP_MEASURE_SESSIONS_RECORD_REQUEST_H_
