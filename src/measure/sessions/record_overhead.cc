#include "measure/sessions/record_overhead.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/counted.h"
#include "core/estimate.h"
#include "os/scratch_folder.h"

namespace xsp::sessions {

namespace {

/// A run that failed or was ended took a time of its own.
Status MustHaveSucceeded(const Execution& execution) {
  if (execution.exit.success()) return Ok{};
  return Error{ErrorKind::kNotPossible,
               execution.exit.signal != 0
                   ? fmt::format("a repeated run of the program was ended by signal {}",
                                 execution.exit.signal)
                   : fmt::format("a repeated run of the program failed with exit status {}",
                                 execution.exit.code),
               "--overhead needs a program that can be run again and again."};
}

}  // namespace

Result<RecordOverhead> MeasureOverhead(const RecordRequest& request, const ProgramRuns& runs,
                                       double first_s, const os::Interrupts& interrupts,
                                       bool& interrupted) {
  RecordOverhead overhead;
  overhead.pairs_asked = request.overhead_pairs;
  // A run that was told to stop took a time of its own, however it ended.
  const auto stopped_now = [&] { return interrupted |= interrupts.stop(); };
  const auto stopped = [&](const Execution& made) {
    interrupted |= made.told_to_stop;
    return stopped_now();
  };
  for (int pair = 0; pair < request.overhead_pairs; ++pair) {
    if (request.progress != nullptr)
      request.progress->Step("running it bare and recorded, alternately",
                             static_cast<double>(pair) / request.overhead_pairs, -1);
    // The first recorded run was made already; the order of the others changes from pair to pair,
    // so that drift favours neither.
    double bare_s = 0, recorded_s = pair == 0 ? first_s : 0;
    for (const bool bare : {pair % 2 != 0, pair % 2 == 0}) {
      if (!bare && pair == 0) continue;
      if (stopped_now()) break;
      XSP_TRY(const os::ScratchFolder unread, os::ScratchFolder::Create());
      std::vector<std::string> left_out;
      XSP_TRY(const Execution made, bare ? runs.Bare() : runs.Recorded(unread.path(), &left_out));
      if (stopped(made)) break;
      XSP_RETURN_IF_ERROR(MustHaveSucceeded(made));
      (bare ? bare_s : recorded_s) = made.seconds;
    }
    if (bare_s == 0 || recorded_s == 0) break;
    overhead.bare_s.push_back(bare_s);
    overhead.recorded_s.push_back(recorded_s);
  }
  if (overhead.bare_s.empty())
    return Error{ErrorKind::kInterrupted, "interrupted before a run without recording had ended",
                 ""};
  const core::Estimate ratio = core::PairedRatio(overhead.recorded_s, overhead.bare_s);
  overhead.ratio = ratio.centre;
  overhead.interval = ratio.interval;
  return overhead;
}

std::string OverheadSentence(const RecordOverhead& overhead) {
  const auto percent = [](double ratio) { return 100 * (ratio - 1); };
  const auto pairs = static_cast<int>(overhead.bare_s.size());
  const std::string made =
      fmt::format("{}, alternating{}", core::Counted(pairs, "pair of runs", "pairs of runs"),
                  pairs < overhead.pairs_asked
                      ? fmt::format(", of {} requested: interrupted", overhead.pairs_asked)
                      : std::string());
  if (std::isnan(overhead.interval.low)) {
    return fmt::format(
        "Recording changed the program's wall time by {:+.1f} % ({}); for an interval, use "
        "--overhead 6 or more.",
        percent(overhead.ratio), made);
  }
  return fmt::format(
      "Recording changed the program's wall time by {:+.1f} % (95 % interval {:+.1f} to {:+.1f} %; "
      "{}).",
      percent(overhead.ratio), percent(overhead.interval.low), percent(overhead.interval.high),
      made);
}

nlohmann::json OverheadJson(const RecordOverhead& overhead) {
  return {{"bare_s", overhead.bare_s},           {"recorded_s", overhead.recorded_s},
          {"pairs_asked", overhead.pairs_asked}, {"ratio", overhead.ratio},
          {"ratio_low", overhead.interval.low},  {"ratio_high", overhead.interval.high}};
}

}  // namespace xsp::sessions
