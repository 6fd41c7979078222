#include "measure/protocols/expected_time.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "measure/protocols/sampling.h"

namespace xsp::protocols {
namespace {

bool HasTarget(const SamplingRule& rule) { return rule.precision_target > 0; }

bool AreSame(const SamplingRule& a, const SamplingRule& b) {
  if (HasTarget(a) != HasTarget(b) || a.loads != b.loads) return false;
  return HasTarget(a) ? a.precision_target == b.precision_target && a.time_limit_s == b.time_limit_s
                      : a.iterations == b.iterations;
}

/// Calls after which the interval is as narrow as `target`, by those of the past run.
double CallsFor(double target, const PastRun& past) {
  if (!(past.relative_half_width > 0)) return past.calls;
  const double ratio = past.relative_half_width / target;
  return past.calls * ratio * ratio;
}

/// The turns of `rule`, when a call takes `call_s` and an iteration, baseline calls included,
/// `iteration_s`.
ExpectedTime TurnsOf(const SamplingRule& rule, double call_s, double iteration_s,
                     const PastRun& past) {
  ExpectedTime expected;
  // Without noise, Sampling asks for the fewest blocks that it ever does.
  Sampling sampling(rule);
  const double load_s = past.load_s + past.warmup_calls * call_s;
  int block = 1;
  while (const int calls = sampling.NextBlock(call_s)) {
    block = calls;
    double turn_s = (calls + 1) * iteration_s;  // One more call leads in.
    if (sampling.LoadsNext()) turn_s += load_s;
    expected.turns_s += turn_s;
    std::vector<double> latencies_ns;
    if (HasTarget(rule)) latencies_ns.assign(static_cast<std::size_t>(calls), call_s * 1e9);
    sampling.AddBlock(std::move(latencies_ns), calls, turn_s);
  }
  if (!HasTarget(rule)) return expected;
  const double missing_calls = CallsFor(rule.precision_target, past) - sampling.calls();
  if (missing_calls <= 0) return expected;
  double turn_s = (block + 1) * iteration_s;
  if (rule.loads > 1) turn_s += load_s * block / sampling.CallsOfLoad();
  const double wanted_turns = std::ceil(missing_calls / block);
  const double turns_in_time =
      std::max(0.0, std::ceil((rule.time_limit_s - expected.turns_s) / turn_s));
  expected.ends_by_time = turns_in_time < wanted_turns;
  expected.turns_s += std::min(wanted_turns, turns_in_time) * turn_s;
  return expected;
}

/// A call and an iteration of `run`, s.
struct CallTimes {
  double call_s, iteration_s;
};

CallTimes TimesOf(const PlannedRun& run, const PastRun& past) {
  const double scale = static_cast<double>(run.batch) / static_cast<double>(past.batch);
  const double call_s = past.call_s * scale;
  const bool makes_baseline_calls =
      !run.baseline_rung.empty() && run.switching != workers::WorkerProgram::Switch::kProcess;
  const double baseline_s =
      past.baseline_call_s > 0 ? past.baseline_call_s * scale : past.call_s * scale;
  return {call_s, call_s + (makes_baseline_calls ? baseline_s : 0)};
}

double StartOf(const PlannedRun& run, const PastRun& past, double call_s) {
  const double start_s = past.start_s.value_or(past.load_s + past.warmup_calls * past.call_s);
  if (run.batch == past.batch) return start_s;
  return std::max(0.0, start_s + past.warmup_calls * (call_s - past.call_s));
}

}  // namespace

ExpectedTime ExpectTime(const PlannedRun& run, const PastRun& past) {
  const CallTimes times = TimesOf(run, past);
  ExpectedTime expected;
  if (past.turns_s && run.batch == past.batch && AreSame(run.sampling, past.rule)) {
    expected.turns_s = *past.turns_s;
    expected.ends_by_time =
        HasTarget(past.rule) && past.relative_half_width > past.rule.precision_target;
  } else {
    expected = TurnsOf(run.sampling, times.call_s, times.iteration_s, past);
  }
  expected.start_s = StartOf(run, past, times.call_s);
  return expected;
}

ExpectedTime ExpectTimeOfCalls(const PlannedRun& run, std::int64_t calls, const PastRun& past) {
  const CallTimes times = TimesOf(run, past);
  return {.start_s = StartOf(run, past, times.call_s),
          .turns_s = static_cast<double>(calls) * times.call_s};
}

std::optional<double> LimitOf(const PlannedRun& run) {
  const auto limit = run.session.job.find("warmup");
  if (!(run.sampling.precision_target > 0) || limit == run.session.job.end()) return std::nullopt;
  const double warmup_s = limit->value("max_seconds", 0.0);
  if (!(warmup_s > 0)) return std::nullopt;
  return warmup_s + run.sampling.time_limit_s;
}

}  // namespace xsp::protocols
