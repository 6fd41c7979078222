#ifndef XSP_MEASURE_PROTOCOLS_EXPECTED_TIME_H_
#define XSP_MEASURE_PROTOCOLS_EXPECTED_TIME_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "measure/protocols/measurement.h"

namespace xsp::protocols {

/// How long a run took that was measured before. Times in seconds.
struct PastRun {
  std::int64_t batch = 1;
  SamplingRule rule;  ///< Its `iterations` are those that were asked for.
  int calls = 0;      ///< After warm-up, of its own rung. Above 0.
  int warmup_calls = 0;
  double call_s = 0;           ///< Of one call in its rung. Above 0.
  double baseline_call_s = 0;  ///< Of the rung above; 0: it made no baseline calls.
  /// Half the width of the latency's 95 % interval over the latency; NaN: not known.
  double relative_half_width = 0;
  std::optional<double> start_s;  ///< From the start of its process until it was warm.
  std::optional<double> turns_s;  ///< Of all its turns.
  double load_s = 0;              ///< Loading the model and the first call; where start_s lacks.
};

/// What a run will take.
struct ExpectedTime {
  double start_s = 0;         ///< Starting the process, loading the model, warming up.
  double turns_s = 0;         ///< Its calls.
  bool ends_by_time = false;  ///< The limit of time, not the precision, is expected to end it.

  double seconds() const { return start_s + turns_s; }
};

/// What `run` will take if it goes as `past` did, a run of the same rung:
///
/// - Of the same batch size and rule of sampling: as long as it took.
/// - Of another batch size, a call takes in proportion to it.
/// - Of another precision target, the number of calls grows with the square of the ratio of the
///   half width that was reached and the one that is asked for, as that of a mean does, at least
///   what Sampling asks for, until the limit of time.
///
/// Where `past` lacks its times, they follow from its calls; starting a process is missing then.
ExpectedTime ExpectTime(const PlannedRun& run, const PastRun& past);

/// The same for `calls` model calls that nothing ends early, such as those of a data set.
ExpectedTime ExpectTimeOfCalls(const PlannedRun& run, std::int64_t calls, const PastRun& past);

/// The limits of warm-up and sampling of `run`, s. Loading the model comes on top of them, and at
/// least three blocks of calls are made however long they take. Nothing: it has no such limit.
std::optional<double> LimitOf(const PlannedRun& run);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_EXPECTED_TIME_H_
