#ifndef XSP_MEASURE_PROTOCOLS_SAMPLING_H_
#define XSP_MEASURE_PROTOCOLS_SAMPLING_H_

#include <cstddef>
#include <random>
#include <vector>

#include "core/statistics.h"

namespace xsp::protocols {

/// A block of calls lasts as long at least: threads of a process that waits spin for up to 200 ms,
/// and the first calls after a switch find cold caches (design, section 4).
inline constexpr double kMinBlockS = 0.3;

/// How long a run is sampled.
struct SamplingRule {
  int iterations = 30;          ///< Without a target: exactly as many calls.
  double precision_target = 0;  ///< Half the width of the latency's 95 % interval over the latency,
                                ///< at which sampling ends: 0.05. 0: none.
  double time_limit_s = 15;     ///< With a target: sampling ends after this time of turns, of one
                                ///< process.
  int loads = 1;                ///< Within `iterations` calls, how often a process loads the model.
};

/// Decides block by block whether a run needs more calls. It looks at the width of the latency's
/// interval, never at a verdict. Threading: none.
class Sampling {
 public:
  explicit Sampling(const SamplingRule& rule) : rule_(rule) {}

  /// A block of calls was made: `latencies_ns` in their order (empty: the worker did not send
  /// them, then the number of calls decides), `calls` of them; its turn took `elapsed_s`, baseline
  /// calls included.
  void AddBlock(std::vector<double> latencies_ns, int calls, double elapsed_s);

  /// Calls of the next block, when a call takes `call_s`; 0: the run is complete.
  int NextBlock(double call_s) const;

  /// Whether the model is to be loaded anew before the next block.
  bool LoadsNext() const;
  /// Calls from one time that the model is loaded to the next.
  int CallsOfLoad() const { return (rule_.iterations + rule_.loads - 1) / rule_.loads; }

  int calls() const { return calls_; }
  /// Trimmed mean of all calls, ns; NaN: not known.
  double latency_ns() const { return latency_ns_; }
  /// Half the width of its interval over it; NaN: fewer than 2 blocks.
  double relative_half_width() const { return relative_half_width_; }
  /// Sampling ended by time, before the target was reached.
  bool ended_by_time() const;

 private:
  bool HasTarget() const { return rule_.precision_target > 0 && !blocks_.empty(); }
  bool IsPrecise() const;

  SamplingRule rule_;
  std::vector<std::vector<double>> blocks_;
  int calls_ = 0;
  int precise_in_a_row_ = 0;  ///< Blocks after which the interval was narrow enough.
  double elapsed_s_ = 0;
  double latency_ns_ = core::Mean({});
  double relative_half_width_ = core::Mean({});
};

/// `members` in an order drawn anew: what slows the machine for a while hits all of them alike, and
/// none always follows the same other (randomised block design, Fisher 1935). The same state of
/// `random` gives the same order on every machine.
std::vector<std::size_t> Shuffled(std::vector<std::size_t> members, std::mt19937_64& random);

}  // namespace xsp::protocols

#endif  // XSP_MEASURE_PROTOCOLS_SAMPLING_H_
