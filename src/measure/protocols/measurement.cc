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
#include "measure/workers/deadlines.h"
#include "os/memory_limit.h"

namespace xsp::protocols {

using Clock = std::chrono::steady_clock;
using Seconds = workers::WorkerSession::Seconds;

namespace {

/// The worker of one run, while it runs.
struct Seat {
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

Error BecauseOf(const MeasuredRun& first) {
  return {first.failure->kind, fmt::format("not started, because {} failed", first.plan.name), ""};
}

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
    std::vector<Seat> seats;
    std::size_t next = first;
    for (; next < runs.size(); ++next) {
      if (!seats.empty() && !FitsAlongside(seats)) {
        journey_.Note(fmt::format(
            "too little memory to run {} at the same time as the others: measured after them",
            runs[next]->plan.name));
        break;
      }
      Seat seat;
      seat.run = runs[next];
      seat.sampling = Sampling(runs[next]->plan.sampling);
      if (Open(seat)) seats.push_back(std::move(seat));
    }
    TakeTurns(seats);
    for (Seat& seat : seats) Close(seat);
    const Disturbance disturbance = Between(before, ReadMachineCounters());
    for (Seat& seat : seats) {
      seat.run->disturbance = disturbance;
      for (const Seat& other : seats)
        if (other.run != seat.run) seat.run->measured_with.push_back(other.run->plan.name);
    }
    return next;
  }

  bool FitsAlongside(const std::vector<Seat>& seats) const {
    const std::optional<std::int64_t> available = os::AvailableMemoryBytes();
    std::int64_t largest = 0;
    for (const Seat& seat : seats)
      if (seat.session) largest = std::max(largest, seat.session->PeakMemoryBytes().value_or(0));
    return !available ||
           static_cast<double>(*available) > options_.memory_margin * static_cast<double>(largest);
  }

  /// Starts a worker and waits until it is warm; false when it did not get there.
  bool Open(Seat& seat) {
    MeasuredRun& run = *seat.run;
    const PlannedRun& plan = run.plan;
    if (interrupts_.stop()) {
      Fail(run, {ErrorKind::kInterrupted, "interrupted before it was started", ""});
      return false;
    }
    if (plan.refused) {
      Fail(run, *plan.refused);
      return false;
    }
    if (const auto it = failed_points_.find(plan.point_id); it != failed_points_.end()) {
      Fail(run, BecauseOf(*it->second));
      return false;
    }
    journey_.Say(fmt::format("batch {}, {}: loading and warming up", plan.batch, plan.rung));
    run.started = core::NowRfc3339();
    auto session = workers::WorkerSession::Start(plan.session, interrupts_);
    if (!session.ok()) {
      FailFirst(run, session.error());
      return false;
    }
    seat.session.emplace(std::move(session).value());
    const Clock::time_point start = Clock::now();
    const double deadline_s =
        options_.deadline_s > 0 ? options_.deadline_s : workers::kStartDeadlineS;
    const auto ready = seat.session->AwaitReady(Seconds(deadline_s));
    if (!ready.ok()) {
      Leave(seat);
      FailFirst(run, ready.error());
      return false;
    }
    started_points_.insert(plan.point_id);
    run.warmup_calls = ready.value().warmup_calls;
    run.settled = ready.value().settled;
    for (const std::string& guess : ready.value().guessed)
      if (told_guesses_.insert(guess).second) journey_.Note("guessed of input " + guess);
    seat.call_s = ready.value().call_s;
    if (seat.call_s <= 0)
      seat.call_s = Seconds(Clock::now() - start).count() / std::max(1, run.warmup_calls);
    if (plan.rung == "model" && plan.process == 1) SayFirst(plan, ready.value().latency_s);
    if (!run.settled && plan.rung != "details")
      journey_.Note(
          fmt::format("{}: warm-up did not settle in {} calls", plan.name, run.warmup_calls));
    journey_.Advance(plan, ProgressEstimator::kWarmupCalls);
    return true;
  }

  void TakeTurns(std::vector<Seat>& seats) {
    if (seats.empty()) return;
    // Another order for each group, the same again for the same request.
    std::mt19937_64 random(options_.seed * 1000003 +
                           static_cast<std::uint64_t>(seats[0].run->plan.batch));
    const Seat* last = nullptr;
    for (;;) {
      std::vector<std::size_t> round;
      for (std::size_t i = 0; i < seats.size(); ++i)
        if (seats[i].session && seats[i].sampling.NextBlock(seats[i].call_s) > 0)
          round.push_back(i);
      if (round.empty()) return;
      for (const std::size_t i : Shuffled(std::move(round), random)) {
        if (interrupts_.stop()) return;
        // What the wait takes is part of the limit of time.
        const Clock::time_point start = Clock::now();
        if (last != nullptr && last != &seats[i]) Pause(seats[i]);
        RunBlock(seats[i], random(), start);
        last = &seats[i];
      }
    }
  }

  /// Before a block that would be over before the threads of the worker before it sleep.
  void Pause(const Seat& seat) const {
    const double block_s = seat.sampling.NextBlock(seat.call_s) * seat.call_s;
    if (block_s < kMinBlockS / 2 && options_.pause_s > 0)
      std::this_thread::sleep_for(Seconds(options_.pause_s));
  }

  /// A block of the run's calls, beside as many of its baseline. `random`: of the order; `start`:
  /// when its turn began.
  void RunBlock(Seat& seat, std::uint64_t random, Clock::time_point start) {
    const PlannedRun& plan = seat.run->plan;
    const int calls = seat.sampling.NextBlock(seat.call_s);
    std::vector<double> latencies_ns;
    bool made = true;
    if (!MakesBaselineCalls(plan)) {
      made = Call(seat, calls, "", latencies_ns);
    } else if (plan.switching == workers::WorkerProgram::Switch::kCall) {
      made = CallPairs(seat, calls, random >> 1, latencies_ns);
    } else {
      const bool baseline_first = (random & 1) != 0;
      for (const bool baseline : {baseline_first, !baseline_first})
        made = made && Call(seat, calls, baseline ? plan.baseline_rung : "", latencies_ns);
    }
    if (!made) return;
    seat.sampling.AddBlock(std::move(latencies_ns), calls, Seconds(Clock::now() - start).count());
    seat.run->calls = seat.sampling.calls();
    seat.run->ended_by_time = seat.sampling.ended_by_time();
    if (seat.run->ended_by_time)
      journey_.Note(
          fmt::format("{}: the latency is known to ±{:.2g} % after {:.3g} s, not to the requested "
                      "{:.3g} %; --time-limit allows more time",
                      plan.name, 100 * seat.sampling.relative_half_width(),
                      plan.sampling.time_limit_s, 100 * plan.sampling.precision_target));
    Advance(seat, calls);
  }

  /// A first answer, before the other rungs are even loaded.
  void SayFirst(const PlannedRun& plan, double latency_s) {
    if (!(latency_s > 0)) return;
    const bool seconds = latency_s >= 1;
    journey_.Note(fmt::format(
        "{}: about {:.3g} {} per call, {:.3g} items per second, according to its warm-up",
        plan.name, latency_s * (seconds ? 1 : 1e3), seconds ? "s" : "ms",
        static_cast<double>(plan.batch) / latency_s));
  }

  /// Beyond the calls that were expected, the share of the whole that is done does not grow; those
  /// that an interval that is narrow sooner makes needless are skipped.
  void Advance(Seat& seat, int calls) {
    const MeasuredRun& run = *seat.run;
    const int each = CallsPerIteration(run.plan);
    const int left_before = std::max(0, run.plan.iterations - (run.calls - calls));
    journey_.Advance(run.plan, each * std::min(calls, left_before));
    if (seat.sampling.NextBlock(seat.call_s) == 0)
      journey_.GiveUp(run.plan, each * std::max(0, run.plan.iterations - run.calls));
  }

  /// `baseline`: the rung of baseline calls; empty: calls of the run itself, whose latencies go to
  /// `latencies_ns`. False: the run failed.
  bool Call(Seat& seat, int calls, const std::string& baseline, std::vector<double>& latencies_ns) {
    SayProgress(seat);
    const Clock::time_point start = Clock::now();
    auto made = seat.session->Run(calls, baseline, Deadline(calls, seat));
    if (!made.ok()) return LeaveWith(seat, made.error());
    // One more call leads in.
    seat.call_s = Seconds(Clock::now() - start).count() / (calls + 1);
    if (baseline.empty()) latencies_ns = std::move(made).value().own_ns;
    return true;
  }

  bool CallPairs(Seat& seat, int pairs, std::uint64_t seed, std::vector<double>& latencies_ns) {
    SayProgress(seat);
    const Clock::time_point start = Clock::now();
    auto made = seat.session->RunPairs(pairs, seat.run->plan.baseline_rung, seed,
                                       Deadline(2 * pairs, seat));
    if (!made.ok()) return LeaveWith(seat, made.error());
    seat.call_s = Seconds(Clock::now() - start).count() / (2 * (pairs + 1));
    latencies_ns = std::move(made).value().own_ns;
    return true;
  }

  void SayProgress(const Seat& seat) {
    const MeasuredRun& run = *seat.run;
    const double width = 100 * seat.sampling.relative_half_width();
    journey_.Say(fmt::format("batch {}, {}: call {}{}", run.plan.batch, run.plan.rung,
                             run.calls + 1, width < 1000 ? fmt::format(", ±{:.2g} %", width) : ""));
  }

  Seconds Deadline(int calls, const Seat& seat) const {
    const double derived_s = std::max(workers::kBlockDeadlineLeastS,
                                      workers::kBlockDeadlineFactor * calls * seat.call_s);
    return Seconds(options_.deadline_s > 0 ? options_.deadline_s : derived_s);
  }

  bool LeaveWith(Seat& seat, const Error& error) {
    Leave(seat);
    Fail(*seat.run, error);
    return false;
  }

  /// Its memory can be asked for only while it lives.
  static void NotePeak(Seat& seat) {
    std::int64_t& peak = seat.run->peak_resident_bytes;
    peak = std::max(peak, seat.session->PeakMemoryBytes().value_or(0));
  }

  /// Ends a worker in good order.
  void Close(Seat& seat) {
    if (!seat.session) return;
    MeasuredRun& run = *seat.run;
    NotePeak(seat);
    if (interrupts_.give_up()) return Leave(seat);  // Nothing will be kept: no time for manners.
    const bool is_complete = seat.sampling.NextBlock(seat.call_s) == 0;
    const Status stopped = seat.session->Stop(workers::kStopDeadline);
    Leave(seat);
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
  void Leave(Seat& seat) {
    NotePeak(seat);
    seat.run->stderr_tail = seat.session->stderr_tail();
    seat.run->exit = seat.session->exit();
    seat.session.reset();
  }

  void Fail(MeasuredRun& run, const Error& error) {
    run.failure = error;
    run.status = error.kind == ErrorKind::kInterrupted ? "interrupted" : "failed";
    journey_.GiveUp(run.plan,
                    std::max(0, run.plan.iterations - run.calls) * CallsPerIteration(run.plan) +
                        (run.warmup_calls == 0 ? ProgressEstimator::kWarmupCalls : 0));
    // A point that cannot run at all is one line; of a backend of `all` the end says it.
    const bool is_told = failed_points_.contains(run.plan.point_id) ||
                         (run.plan.is_optional && !started_points_.contains(run.plan.point_id));
    if (run.status == "failed" && !is_told)
      journey_.Note(fmt::format("{} failed: {}", run.plan.name, error.what));
  }

  /// A failure before the first call; if no other run of the point got further, the model is to
  /// blame and the others need not try.
  void FailFirst(MeasuredRun& run, const Error& error) {
    Fail(run, error);
    if (error.kind != ErrorKind::kInterrupted && !started_points_.contains(run.plan.point_id))
      failed_points_.emplace(run.plan.point_id, &run);
  }

  std::vector<MeasuredRun>& runs_;
  const MeasureOptions& options_;
  os::Interrupts& interrupts_;
  ProgressEstimator& journey_;
  std::set<std::int64_t> started_points_;  ///< Points of which a worker got warm.
  std::map<std::int64_t, const MeasuredRun*> failed_points_;
  std::set<std::string> told_guesses_;
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
