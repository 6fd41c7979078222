#include "measure/protocols/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <thread>
#include <utility>

#include "core/statistics.h"
#include "core/turns.h"
#include "measure/protocols/conditions.h"
#include "measure/protocols/early_stopping.h"
#include "measure/protocols/lone_worker.h"
#include "measure/protocols/rate_search.h"
#include "os/signals_blocked.h"

namespace xsp::protocols {

using Seconds = workers::WorkerSession::Seconds;

namespace {

/// What a scenario takes where the user leaves it open. Percentiles and samples a query are those
/// of MLPerf Inference; queries are far fewer than its 600 seconds give (docs/scenarios.md).
struct Defaults {
  std::string_view kind;
  double percentile;
  int queries;
};
constexpr std::array<Defaults, 4> kDefaults = {{{"single-stream", 90, 256},
                                                {"offline", 0, 100},
                                                {"server", 99, 1000},
                                                {"multi-stream", 99, 700}}};
constexpr int kStreams = 8;
constexpr int kMostQueries = 1'000'000;
constexpr std::int64_t kMostStreams = 1 << 20;

/// One could be the machine's noise; a second costs as much as all that are saved at a lower rate.
constexpr int kMostTriesTooLong = 2;

/// Least time of a turn in a closed loop (design, section 4: blocks).
constexpr double kTurnS = 0.3;

/// What the first call may be expected to take.
constexpr double kFirstCallS = 30;

Error ScenarioUsage(std::string what, std::string hint) {
  return {ErrorKind::kUsage, std::move(what), std::move(hint)};
}

const Defaults* DefaultsOf(std::string_view kind) {
  const auto it = std::find_if(kDefaults.begin(), kDefaults.end(),
                               [&](const Defaults& one) { return one.kind == kind; });
  return it == kDefaults.end() ? nullptr : it;
}

Status CheckPercentile(const requests::ScenarioRequest& scenario) {
  if (scenario.percentile == 0) return Ok{};
  if (!(scenario.percentile > 0 && scenario.percentile < 100))
    return ScenarioUsage(
        fmt::format("percentile is not between 0 and 100: {}", scenario.percentile), "");
  if (scenario.kind == "offline")
    return ScenarioUsage(
        "--percentile cannot be combined with offline, which has no latency of a query", "");
  return Ok{};
}

Status CheckServer(const requests::ScenarioRequest& scenario) {
  if (scenario.latency_bound_ns <= 0)
    return ScenarioUsage("the server scenario needs a latency bound",
                         "Give one: --latency-bound 50ms.");
  const Defaults& defaults = *DefaultsOf("server");
  const double percentile = scenario.percentile == 0 ? defaults.percentile : scenario.percentile;
  const int queries = scenario.queries == 0 ? defaults.queries : scenario.queries;
  // Beyond what a run can have, the fewest are not worth counting.
  if (AllowedAbove(kMostQueries, percentile) < 0)
    return ScenarioUsage(
        fmt::format("no run has enough queries for the percentile: {}", percentile), "");
  const std::int64_t fewest = FewestQueries(0, percentile);
  if (queries < fewest) {
    return ScenarioUsage(
        fmt::format("too few queries for the {:g}th percentile: {}", percentile, queries),
        fmt::format("Use at least --queries {}, and more for a result that does not depend on one "
                    "late query.",
                    fewest));
  }
  return Ok{};
}

Status CheckStreams(const requests::ExperimentRequest& request) {
  const requests::ScenarioRequest& scenario = request.scenario;
  const bool multi = scenario.kind == "multi-stream";
  if (scenario.streams != 0 && !multi)
    return ScenarioUsage(fmt::format("--streams cannot be combined with {}", scenario.kind),
                         "It belongs to --scenario multi-stream.");
  if (scenario.streams < 0 || scenario.streams > kMostStreams)
    return ScenarioUsage(
        fmt::format("streams are not between 1 and {}: {}", kMostStreams, scenario.streams), "");
  const bool fixed_batch = multi || scenario.kind == "single-stream";
  if (fixed_batch && request.batches != std::vector<std::int64_t>{1})
    return ScenarioUsage(fmt::format("--batch cannot be combined with {}", scenario.kind),
                         multi ? "--streams N sets the number of samples per query."
                               : "Its queries have one sample each.");
  return Ok{};
}

/// Measures one process, in its turns; holds what the steps share.
class ScenarioRun {
 public:
  ScenarioRun(const PlannedRun& plan, const requests::ExperimentRequest& request,
              os::Interrupts& interrupts, core::Progress& progress, core::Turns& turns,
              std::size_t member)
      : request_(request),
        worker_(plan, request, interrupts, progress, request.scenario.kind),
        turns_(turns),
        member_(member) {}

  MeasuredScenario Measure() {
    turns_.Join(member_);
    measured_.run = worker_.Measure([this]() -> Status {
      XSP_RETURN_IF_ERROR(TimeOneCall());
      turns_.Pass(member_);  // Until all have loaded and are warm.
      return request_.scenario.kind == "server" ? Server() : ClosedLoop();
    });
    turns_.Leave(member_);
    return std::move(measured_);
  }

 private:
  /// One call tells how long a block may take.
  Status TimeOneCall() {
    XSP_RETURN_IF_ERROR(worker_.Run(1, worker_.Deadline(kFirstCallS)));
    XSP_TRY(const ScenarioTry one, Read(0, 1, std::nullopt));
    call_s_ = one.service_ns.front() / 1e9;
    return Ok{};
  }

  Status ClosedLoop() {
    XSP_TRY(ScenarioTry made, Loop(request_.scenario.queries));
    measured_.tries.push_back(std::move(made));
    measured_.chosen = 0;
    return Ok{};
  }

  Status Server() {
    XSP_TRY(ScenarioTry loop, Loop(request_.iterations));
    const double median_ns = core::Median(loop.service_ns);
    const double rate = static_cast<double>(loop.service_ns.size()) * 1e9 / loop.DurationNs();
    measured_.tries.push_back(std::move(loop));
    if (median_ns > static_cast<double>(request_.scenario.latency_bound_ns)) {
      worker_.Note(
          fmt::format("{}: no rate keeps the bound, because the median of calls without a queue is "
                      "above it: {:.4g} ms",
                      worker_.plan().name, median_ns / 1e6));
      return Ok{};
    }
    XSP_TRY(const std::optional<double> highest,
            FindHighestRate(rate, [&](double tried) { return Try(tried); }));
    if (!highest) {
      worker_.Note(fmt::format("{}: no rate down to {:.3g} per second kept the bound: {}",
                               worker_.plan().name, *measured_.tries.back().offered_rate,
                               Judge(measured_.tries.back(), request_.scenario).reason));
      return Ok{};
    }
    for (std::size_t i = 0; i < measured_.tries.size(); ++i)
      if (measured_.tries[i].offered_rate == highest) measured_.chosen = i;
    return Ok{};
  }

  Result<ScenarioTry> Loop(int calls) {
    const std::int64_t first = worker_.calls();
    std::vector<std::int64_t> resumed;
    for (int made = 0; made < calls;) {
      if (made > 0) {
        turns_.Pass(member_);
        resumed.push_back(first + made);
      }
      const int now = turns_.alone() ? calls - made : std::min(calls - made, CallsOfATurn());
      worker_.Say(fmt::format("call {} of {}, one after another", made + 1, calls));
      XSP_RETURN_IF_ERROR(worker_.Run(now, worker_.Deadline(now * call_s_)));
      made += now;
    }
    return Read(first, calls, std::nullopt, resumed);
  }

  int CallsOfATurn() const {
    return static_cast<int>(std::clamp(std::ceil(kTurnS / call_s_), 1.0, double{kMostQueries}));
  }

  Result<bool> Try(double rate) {
    // Lower rates have shorter queues, but the same calls.
    if (tries_too_long_ >= kMostTriesTooLong) return false;
    const int queries = request_.scenario.queries;
    turns_.Pass(member_);
    worker_.Say(fmt::format("{} queries at {:.4g} per second", queries, rate));
    // What the requests alone take to arrive comes on top.
    workers::WorkerSession::Deadline deadline = worker_.Deadline(queries * call_s_);
    for (Seconds* time : {&deadline.quiet, &deadline.busy}) *time += Seconds(2 * queries / rate);
    XSP_RETURN_IF_ERROR(worker_.session().Serve(queries, rate, request_.seed, deadline));
    const std::int64_t first = worker_.calls();
    worker_.CountCalls(queries);
    XSP_TRY(ScenarioTry made, Read(first, queries, rate));
    const Verdict verdict = Judge(made, request_.scenario);
    measured_.tries.push_back(std::move(made));
    any_passed_ = any_passed_ || verdict.passed;
    tries_too_long_ = verdict.by_calls_alone && !any_passed_ ? tries_too_long_ + 1 : 0;
    return verdict.passed;
  }

  Result<ScenarioTry> Read(std::int64_t first, std::int64_t queries, std::optional<double> rate,
                           const std::vector<std::int64_t>& resumed = {}) const {
    XSP_TRY(const trace::Trace trace, worker_.Recorded());
    return TakeTry(trace, first, queries, rate, resumed);
  }

  const requests::ExperimentRequest& request_;
  LoneWorker worker_;
  core::Turns& turns_;
  std::size_t member_;
  MeasuredScenario measured_;
  double call_s_ = 0;
  bool any_passed_ = false;
  int tries_too_long_ = 0;  ///< In a row, of calls that are above the bound alone; none passed.
};

}  // namespace

Result<std::int64_t> ParseLatency(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits = {
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  constexpr double kLongestNs = 1e15;  // 11 days: whoever means more has mistaken the unit.
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, factor] : kUnits) {
    if (error != std::errc() || unit != name) continue;
    const double ns = number * factor;
    if (ns >= 1 && ns <= kLongestNs) return std::llround(ns);
  }
  return ScenarioUsage(fmt::format("not a latency: {}", text),
                       "Write a number and a unit: 500us, 50ms, 2s.");
}

Status CheckScenario(const requests::ExperimentRequest& request) {
  const requests::ScenarioRequest& scenario = request.scenario;
  if (scenario.kind.empty()) {
    if (scenario.latency_bound_ns != 0 || scenario.percentile != 0 || scenario.queries != 0 ||
        scenario.streams != 0)
      return ScenarioUsage("--latency-bound, --percentile, --queries and --streams need a scenario",
                           "Choose one with --scenario.");
    return Ok{};
  }
  if (DefaultsOf(scenario.kind) == nullptr)
    return ScenarioUsage(fmt::format("no such scenario: {}", scenario.kind),
                         fmt::format("There are: {}.", fmt::join(kScenarios, ", ")));
  if (!request.depth.empty() && request.depth != "model")
    return ScenarioUsage(
        fmt::format("a scenario is measured without profiling, not with --depth {}", request.depth),
        "Omit --depth; a run without --scenario shows the layers.");
  if (scenario.queries < 0 || scenario.queries > kMostQueries)
    return ScenarioUsage(
        fmt::format("queries are not between 1 and {}: {}", kMostQueries, scenario.queries), "");
  if (scenario.latency_bound_ns != 0 && scenario.kind != "server")
    return ScenarioUsage(fmt::format("--latency-bound cannot be combined with {}", scenario.kind),
                         "It belongs to --scenario server.");
  XSP_RETURN_IF_ERROR(CheckPercentile(scenario));
  XSP_RETURN_IF_ERROR(CheckStreams(request));
  return scenario.kind == "server" ? CheckServer(scenario) : Status(Ok{});
}

requests::ExperimentRequest WithScenario(requests::ExperimentRequest request) {
  requests::ScenarioRequest& scenario = request.scenario;
  const Defaults* defaults = DefaultsOf(scenario.kind);
  if (defaults == nullptr) return request;
  request.depth = "model";
  request.only = true;
  if (scenario.percentile == 0) scenario.percentile = defaults->percentile;
  if (scenario.queries == 0) scenario.queries = defaults->queries;
  if (scenario.kind == "multi-stream") {
    if (scenario.streams == 0) scenario.streams = kStreams;
    request.batches = {scenario.streams};
  }
  return request;
}

std::vector<MeasuredScenario> MeasureScenarios(std::span<const PlannedRun> plans,
                                               const requests::ExperimentRequest& request,
                                               os::Interrupts& interrupts,
                                               core::Progress& progress) {
  std::vector<MeasuredScenario> measured(plans.size());
  core::Turns turns(plans.size(), request.seed);
  const auto measure = [&](std::size_t i) {
    measured[i] = ScenarioRun(plans[i], request, interrupts, progress, turns, i).Measure();
  };
  if (plans.size() == 1) {
    measure(0);
    return measured;
  }
  const MachineCounters before = ReadMachineCounters();
  std::vector<std::jthread> threads;
  {
    const os::SignalsBlocked blocked;
    for (std::size_t i = 0; i < plans.size(); ++i) threads.emplace_back(measure, i);
  }
  threads.clear();
  // While one ran the others' processes were there, too: what is not ours is known of all together.
  const Interference interference = Between(before, ReadMachineCounters());
  for (MeasuredScenario& one : measured)
    if (!one.run.started.empty()) one.run.interference = interference;
  return measured;
}

}  // namespace xsp::protocols
