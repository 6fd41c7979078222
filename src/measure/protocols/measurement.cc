#include "measure/protocols/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include "core/clock_text.h"
#include "core/counted.h"
#include "measure/workers/deadlines.h"
#include "os/memory_limit.h"

namespace xsp::protocols {

using Clock = std::chrono::steady_clock;
using Seconds = workers::WorkerSession::Seconds;

namespace {

/// The worker of one run, while it runs.
struct ActiveWorker {
  MeasuredRun* run = nullptr;
  std::optional<workers::WorkerSession> session;  ///< Nothing once it failed or ended.
  double call_s = 0;                              ///< What one call takes, at most, as far as seen.
  Sampling sampling{SamplingRule{}};
};

bool MakesBaselineCalls(const PlannedRun& run) {
  return !run.baseline_rung.empty() && run.switching != workers::WorkerProgram::Switch::kProcess;
}

/// What a run calls for each of its iterations.
int CallsPerIteration(const PlannedRun& run) { return MakesBaselineCalls(run) ? 2 : 1; }

/// "b4-kernel"; of the other one of two experiments "against/b4-kernel".
std::string NameOf(const PlannedRun& run) {
  return run.side.empty() ? run.name : run.side + "/" + run.name;
}

Error BecauseOf(const MeasuredRun& first) {
  return {first.failure->kind, fmt::format("not started, because {} failed", NameOf(first.plan)),
          ""};
}

/// A point of one of the experiments that alternate.
using Point = std::pair<std::string, std::int64_t>;

Point PointOf(const PlannedRun& run) { return {run.side, run.point_id}; }

/// Measures one group; holds what the steps share.
class Group {
 public:
  Group(std::vector<MeasuredRun>& runs, const MeasureOptions& options, os::Interrupts& interrupts,
        ProgressEstimator& estimator)
      : runs_(runs), options_(options), interrupts_(interrupts), journey_(estimator) {}

  void Measure() {
    std::vector<MeasuredRun*> timed, paired, alone;
    for (MeasuredRun& run : runs_) {
      const bool is_alone = run.plan.rung == "details" || run.plan.rung == "counters";
      (is_alone ? alone : run.plan.process_pair > 0 ? paired : timed).push_back(&run);
    }
    for (std::size_t next = 0; next < timed.size();) next = MeasureWave(timed, next);
    for (MeasuredRun* run : paired) MeasureWave({run}, 0);
    for (MeasuredRun* run : alone) MeasureWave({run}, 0);
  }

 private:
  /// Starts runs from `first` on, as many as fit; measures and ends them. Returns the first that
  /// was not started.
  std::size_t MeasureWave(const std::vector<MeasuredRun*>& runs, std::size_t first) {
    const MachineCounters before = ReadMachineCounters();
    std::vector<ActiveWorker> active_workers;
    std::size_t next = first;
    for (; next < runs.size(); ++next) {
      if (!active_workers.empty() && !FitsAlongside(active_workers)) {
        journey_.Note(fmt::format(
            "too little memory to run {} at the same time as the others: measured after them",
            NameOf(runs[next]->plan)));
        break;
      }
      ActiveWorker worker;
      worker.run = runs[next];
      worker.sampling = Sampling(runs[next]->plan.sampling);
      if (Open(worker)) active_workers.push_back(std::move(worker));
    }
    TakeTurns(active_workers);
    for (ActiveWorker& worker : active_workers) Close(worker);
    const Interference interference = Between(before, ReadMachineCounters());
    for (ActiveWorker& worker : active_workers) {
      worker.run->interference = interference;
      for (const ActiveWorker& other : active_workers)
        if (other.run != worker.run) worker.run->measured_with.push_back(NameOf(other.run->plan));
    }
    return next;
  }

  bool FitsAlongside(const std::vector<ActiveWorker>& active_workers) const {
    const std::optional<std::int64_t> available = os::AvailableMemoryBytes();
    std::int64_t largest = 0;
    for (const ActiveWorker& worker : active_workers)
      if (worker.session)
        largest = std::max(largest, worker.session->PeakMemoryBytes().value_or(0));
    return !available ||
           static_cast<double>(*available) > options_.memory_margin * static_cast<double>(largest);
  }

  /// Starts a worker and waits until it is warm; false when it did not get there.
  bool Open(ActiveWorker& worker) {
    MeasuredRun& run = *worker.run;
    const PlannedRun& plan = run.plan;
    if (interrupts_.stop()) {
      Fail(run, {ErrorKind::kInterrupted, "interrupted before it was started", ""});
      return false;
    }
    if (plan.refused) {
      Fail(run, *plan.refused);
      return false;
    }
    if (const auto it = failed_points_.find(PointOf(plan)); it != failed_points_.end()) {
      Fail(run, BecauseOf(*it->second));
      return false;
    }
    journey_.Say(fmt::format("batch {}, {}: loading and warming up", plan.batch, plan.rung));
    run.started = core::NowRfc3339();
    const Clock::time_point begin = Clock::now();
    auto session = workers::WorkerSession::Start(plan.session, interrupts_);
    if (!session.ok()) {
      FailFirst(run, session.error());
      return false;
    }
    worker.session.emplace(std::move(session).value());
    const Clock::time_point start = Clock::now();
    const auto ready = worker.session->AwaitReady(StartDeadline());
    if (!ready.ok()) {
      Leave(worker);
      FailFirst(run, ready.error());
      return false;
    }
    started_points_.insert(PointOf(plan));
    run.start_s = Seconds(Clock::now() - begin).count();
    run.warmup_calls = ready.value().warmup_calls;
    run.settled = ready.value().settled;
    for (const std::string& guess : ready.value().guessed)
      if (told_guesses_.insert(guess).second) journey_.Note("guessed of input " + guess);
    worker.call_s = ready.value().call_s;
    if (worker.call_s <= 0)
      worker.call_s = Seconds(Clock::now() - start).count() / std::max(1, run.warmup_calls);
    if (plan.rung == "model" && plan.process == 1) SayFirst(plan, ready.value().latency_s);
    if (!run.settled && plan.rung != "details")
      journey_.Note(
          fmt::format("{}: warm-up did not settle in {} calls", NameOf(plan), run.warmup_calls));
    journey_.Advance(plan, ProgressEstimator::kWarmupCalls);
    return true;
  }

  void TakeTurns(std::vector<ActiveWorker>& active_workers) {
    if (active_workers.empty()) return;
    // Another order for each group, the same again for the same request.
    std::mt19937_64 random(options_.seed * 1000003 +
                           static_cast<std::uint64_t>(active_workers[0].run->plan.batch));
    const ActiveWorker* last = nullptr;
    for (;;) {
      std::vector<std::size_t> round;
      for (std::size_t i = 0; i < active_workers.size(); ++i)
        if (active_workers[i].session &&
            active_workers[i].sampling.NextBlock(active_workers[i].call_s) > 0)
          round.push_back(i);
      if (round.empty()) return;
      for (const std::size_t i : Shuffled(std::move(round), random)) {
        if (interrupts_.stop()) return;
        // What the wait takes is part of the limit of time.
        const Clock::time_point start = Clock::now();
        if (last != nullptr && last != &active_workers[i]) Pause(active_workers[i]);
        RunBlock(active_workers[i], random(), start);
        last = &active_workers[i];
      }
    }
  }

  /// Before a block that would be over before the threads of the worker before it sleep. Loading
  /// anew and warming up first takes longer than that.
  void Pause(const ActiveWorker& worker) const {
    if (worker.sampling.LoadsNext()) return;
    const double block_s = worker.sampling.NextBlock(worker.call_s) * worker.call_s;
    if (block_s < kMinBlockS / 2 && options_.pause_s > 0)
      std::this_thread::sleep_for(Seconds(options_.pause_s));
  }

  /// A block of the run's calls, beside as many of its baseline. `random`: of the order; `start`:
  /// when its turn began.
  void RunBlock(ActiveWorker& worker, std::uint64_t random, Clock::time_point start) {
    const PlannedRun& plan = worker.run->plan;
    const int calls = worker.sampling.NextBlock(worker.call_s);
    std::vector<double> latencies_ns;
    if (worker.sampling.LoadsNext() && !LoadAnew(worker)) return;
    bool made = true;
    if (!MakesBaselineCalls(plan)) {
      made = Call(worker, calls, "", latencies_ns);
    } else if (plan.switching == workers::WorkerProgram::Switch::kCall) {
      made = CallPairs(worker, calls, random >> 1, latencies_ns);
    } else {
      const bool baseline_first = (random & 1) != 0;
      for (const bool baseline : {baseline_first, !baseline_first})
        made = made && Call(worker, calls, baseline ? plan.baseline_rung : "", latencies_ns);
    }
    if (!made) return;
    const double turn_s = Seconds(Clock::now() - start).count();
    worker.run->turns_s += turn_s;
    worker.sampling.AddBlock(std::move(latencies_ns), calls, turn_s);
    worker.run->calls = worker.sampling.calls();
    worker.run->ended_by_time = worker.sampling.ended_by_time();
    if (worker.run->ended_by_time) SayEndedByTime(worker);
    Advance(worker, calls);
  }

  /// Once for each rung: its processes have the same limit.
  void SayEndedByTime(const ActiveWorker& worker) {
    const PlannedRun& plan = worker.run->plan;
    if (!told_limits_.emplace(PointOf(plan), plan.rung).second) return;
    const double width = worker.sampling.relative_half_width();
    const double asked = plan.sampling.precision_target, limit_s = plan.sampling.time_limit_s;
    std::string known;
    if (width <= asked) {
      known = fmt::format("{} in {:.3g} s are too few to know the latency to {:.3g} %",
                          core::Counted(worker.run->calls, "call"), limit_s, 100 * asked);
    } else if (width < 1) {
      known = fmt::format(
          "the latency is known to ±{:.2g} % after {:.3g} s, not to the requested {:.3g} %",
          100 * width, limit_s, 100 * asked);
    } else {
      known =
          fmt::format("the latency is not known after {:.3g} s: calls differ too much", limit_s);
    }
    journey_.Note(fmt::format("{}: {}; --time-limit (of all processes of a rung) allows more time",
                              NameOf(plan), known));
  }

  /// A first answer, before the other rungs are even loaded.
  void SayFirst(const PlannedRun& plan, double latency_s) {
    if (!(latency_s > 0)) return;
    const bool seconds = latency_s >= 1;
    journey_.Note(fmt::format(
        "{}: about {:.3g} {} per call, {:.3g} items per second, according to its warm-up",
        NameOf(plan), latency_s * (seconds ? 1 : 1e3), seconds ? "s" : "ms",
        static_cast<double>(plan.batch) / latency_s));
  }

  /// Beyond the calls that were expected, the share of the whole that is done does not grow; those
  /// that an interval that is narrow sooner makes needless are skipped.
  void Advance(ActiveWorker& worker, int calls) {
    const MeasuredRun& run = *worker.run;
    const int each = CallsPerIteration(run.plan);
    const int left_before = std::max(0, run.plan.iterations - (run.calls - calls));
    journey_.Advance(run.plan, each * std::min(calls, left_before));
    if (worker.sampling.NextBlock(worker.call_s) == 0)
      journey_.GiveUp(run.plan, each * std::max(0, run.plan.iterations - run.calls));
  }

  Seconds StartDeadline() const {
    return Seconds(options_.deadline_s > 0 ? options_.deadline_s : workers::kStartDeadlineS);
  }

  /// False: the run failed.
  bool LoadAnew(ActiveWorker& worker) {
    const PlannedRun& plan = worker.run->plan;
    journey_.Say(fmt::format("batch {}, {}: loading anew", plan.batch, plan.rung));
    const auto ready = worker.session->LoadAnew(StartDeadline());
    return ready.ok() || LeaveWith(worker, ready.error());
  }

  /// `baseline`: the rung of baseline calls; empty: calls of the run itself, whose latencies go to
  /// `latencies_ns`. False: the run failed.
  bool Call(ActiveWorker& worker, int calls, const std::string& baseline,
            std::vector<double>& latencies_ns) {
    SayProgress(worker);
    const Clock::time_point start = Clock::now();
    auto made = worker.session->Run(calls, baseline, Deadline(calls, worker));
    if (!made.ok()) return LeaveWith(worker, made.error());
    // One more call leads in.
    worker.call_s = Seconds(Clock::now() - start).count() / (calls + 1);
    if (baseline.empty()) latencies_ns = std::move(made).value().own_ns;
    return true;
  }

  bool CallPairs(ActiveWorker& worker, int pairs, std::uint64_t seed,
                 std::vector<double>& latencies_ns) {
    SayProgress(worker);
    const Clock::time_point start = Clock::now();
    auto made = worker.session->RunPairs(pairs, worker.run->plan.baseline_rung, seed,
                                         Deadline(2 * pairs, worker));
    if (!made.ok()) return LeaveWith(worker, made.error());
    worker.call_s = Seconds(Clock::now() - start).count() / (2 * (pairs + 1));
    latencies_ns = std::move(made).value().own_ns;
    return true;
  }

  void SayProgress(const ActiveWorker& worker) {
    const MeasuredRun& run = *worker.run;
    const double width = 100 * worker.sampling.relative_half_width();
    journey_.Say(fmt::format("batch {}, {}: call {}{}", run.plan.batch, run.plan.rung,
                             run.calls + 1, width < 1000 ? fmt::format(", ±{:.2g} %", width) : ""));
  }

  workers::WorkerSession::Deadline Deadline(int calls, const ActiveWorker& worker) const {
    return workers::BlockDeadline(calls * worker.call_s, options_.deadline_s);
  }

  bool LeaveWith(ActiveWorker& worker, const Error& error) {
    Leave(worker);
    Fail(*worker.run, error);
    return false;
  }

  /// Its memory can be asked for only while it lives.
  static void NotePeak(ActiveWorker& worker) {
    std::int64_t& peak = worker.run->peak_resident_bytes;
    peak = std::max(peak, worker.session->PeakMemoryBytes().value_or(0));
  }

  /// Ends a worker in good order.
  void Close(ActiveWorker& worker) {
    if (!worker.session) return;
    MeasuredRun& run = *worker.run;
    NotePeak(worker);
    if (interrupts_.give_up()) return Leave(worker);  // Nothing will be kept: no time for manners.
    const bool is_complete = worker.sampling.NextBlock(worker.call_s) == 0;
    const Status stopped = worker.session->Stop(workers::kStopDeadline);
    Leave(worker);
    if (!stopped.ok()) {
      Fail(run, stopped.error());
    } else if (!is_complete) {
      Fail(run,
           {ErrorKind::kInterrupted, fmt::format("interrupted after {} calls", run.calls), ""});
    } else {
      run.status = "done";
    }
  }

  /// Takes from the session what outlives it, and ends it.
  void Leave(ActiveWorker& worker) {
    NotePeak(worker);
    worker.run->stderr_tail = worker.session->stderr_tail();
    worker.run->exit = worker.session->exit();
    worker.session.reset();
  }

  void Fail(MeasuredRun& run, const Error& error) {
    run.failure = error;
    run.status = error.kind == ErrorKind::kInterrupted ? "interrupted" : "failed";
    journey_.GiveUp(run.plan,
                    std::max(0, run.plan.iterations - run.calls) * CallsPerIteration(run.plan) +
                        (run.warmup_calls == 0 ? ProgressEstimator::kWarmupCalls : 0));
    // A point that cannot run at all is one line; of a backend of `all` the end says it.
    const bool is_told = failed_points_.contains(PointOf(run.plan)) ||
                         (run.plan.is_optional && !started_points_.contains(PointOf(run.plan)));
    if (run.status == "failed" && !is_told)
      journey_.Note(fmt::format("{} failed: {}", NameOf(run.plan), error.what));
  }

  /// A failure before the first call; if no other run of the point got further, the model is to
  /// blame and the others need not try.
  void FailFirst(MeasuredRun& run, const Error& error) {
    Fail(run, error);
    if (error.kind != ErrorKind::kInterrupted && !started_points_.contains(PointOf(run.plan)))
      failed_points_.emplace(PointOf(run.plan), &run);
  }

  std::vector<MeasuredRun>& runs_;
  const MeasureOptions& options_;
  os::Interrupts& interrupts_;
  ProgressEstimator& journey_;
  std::set<Point> started_points_;  ///< Points of which a worker got warm.
  std::map<Point, const MeasuredRun*> failed_points_;
  std::set<std::string> told_guesses_;
  std::set<std::pair<Point, std::string>> told_limits_;
};

}  // namespace

ProgressEstimator::ProgressEstimator(core::Progress& progress,
                                     const std::vector<std::vector<PlannedRun>>& groups)
    : progress_(progress), start_(Clock::now()) {
  for (const std::vector<PlannedRun>& group : groups)
    for (const PlannedRun& run : group)
      whole_ +=
          static_cast<double>(run.batch) * (run.iterations * CallsPerIteration(run) + kWarmupCalls);
}

void ProgressEstimator::Advance(const PlannedRun& run, int calls) {
  done_ += static_cast<double>(run.batch) * calls;
  Say(what_);
}

void ProgressEstimator::GiveUp(const PlannedRun& run, int calls_left) {
  skipped_ += static_cast<double>(run.batch) * calls_left;
}

void ProgressEstimator::Say(std::string_view what) {
  what_ = what;
  const double left = std::max(0.0, whole_ - done_ - skipped_);
  const double elapsed_s = Seconds(Clock::now() - start_).count();
  const double fraction = whole_ > 0 ? std::min(1.0, (done_ + skipped_) / whole_) : 0;
  progress_.Step(what_, fraction, done_ > 0 ? elapsed_s / done_ * left : -1);
}

std::vector<MeasuredRun> MeasureGroup(const std::vector<PlannedRun>& runs,
                                      const MeasureOptions& options, os::Interrupts& interrupts,
                                      ProgressEstimator& estimator) {
  std::vector<MeasuredRun> measured(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) measured[i].plan = runs[i];
  Group(measured, options, interrupts, estimator).Measure();
  return measured;
}

}  // namespace xsp::protocols
