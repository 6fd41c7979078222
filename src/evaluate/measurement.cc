#include "evaluate/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/memory_limit.h"
#include "evaluate/clock_text.h"
#include "evaluate/deadlines.h"
#include "evaluate/schedule.h"

namespace xsp::evaluate {

using Clock = std::chrono::steady_clock;
using Seconds = WorkerSession::Seconds;

namespace {

/// The worker of one run, while it runs.
struct Seat {
  MeasuredRun* run = nullptr;
  std::optional<WorkerSession> session;  ///< Nothing once it failed or ended.
  double call_s = 0;                     ///< What one call takes, at most, as far as seen.
  int blocks = 0;
};

/// What a run calls for each of its iterations.
int CallsPerIteration(const PlannedRun& run) { return run.baseline_rung.empty() ? 1 : 2; }

Error BecauseOf(const MeasuredRun& first) {
  return {first.failure->kind, fmt::format("not started, because {} failed", first.plan.name), ""};
}

/// Measures one group; holds what the steps share.
class Group {
 public:
  Group(std::vector<MeasuredRun>& runs, const MeasureOptions& options, Interrupts& interrupts,
        Journey& journey)
      : runs_(runs), options_(options), interrupts_(interrupts), journey_(journey) {}

  void Measure() {
    std::vector<MeasuredRun*> timed, details;
    for (MeasuredRun& run : runs_) (run.plan.rung == "details" ? details : timed).push_back(&run);
    for (std::size_t next = 0; next < timed.size();) next = MeasureWave(timed, next);
    for (std::size_t next = 0; next < details.size(); ++next) MeasureWave({details[next]}, 0);
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
        journey_.Note(fmt::format("too little memory for {} beside the others: measured after them",
                                  runs[next]->plan.name));
        break;
      }
      Seat seat;
      seat.run = runs[next];
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
    const std::optional<std::int64_t> available = base::AvailableMemoryBytes();
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
    run.started = NowRfc3339();
    auto session = WorkerSession::Start(plan.session, interrupts_);
    if (!session.ok()) {
      FailFirst(run, session.error());
      return false;
    }
    seat.session.emplace(std::move(session).value());
    const Clock::time_point start = Clock::now();
    const double deadline_s = options_.deadline_s > 0 ? options_.deadline_s : kStartDeadlineS;
    const auto ready = seat.session->AwaitReady(Seconds(deadline_s));
    if (!ready.ok()) {
      Leave(seat);
      FailFirst(run, ready.error());
      return false;
    }
    started_points_.insert(plan.point_id);
    run.warmup_calls = ready.value().warmup_calls;
    run.settled = ready.value().settled;
    seat.call_s = Seconds(Clock::now() - start).count() / std::max(1, run.warmup_calls);
    if (!run.settled && plan.rung != "details")
      journey_.Note(
          fmt::format("{}: warm-up did not settle in {} calls", plan.name, run.warmup_calls));
    journey_.Advance(plan, Journey::kWarmupCalls);
    return true;
  }

  void TakeTurns(std::vector<Seat>& seats) {
    std::vector<int> iterations;
    for (const Seat& seat : seats) iterations.push_back(seat.run->plan.iterations);
    // Another order for each group, the same again for the same request.
    const std::uint64_t seed =
        seats.empty()
            ? 0
            : options_.seed * 1000003 + static_cast<std::uint64_t>(seats[0].run->plan.batch);
    for (const Turn& turn : InterleavedTurns(iterations, kBlockIterations, seed)) {
      Seat& seat = seats[turn.worker];
      if (!seat.session) continue;
      if (interrupts_.stop()) return;
      RunBlock(seat, turn.iterations);
    }
  }

  /// A block of the run's calls, and one of its baseline before or after it, in turns.
  void RunBlock(Seat& seat, int iterations) {
    const std::string& baseline = seat.run->plan.baseline_rung;
    const bool baseline_first = seat.blocks++ % 2 == 0;
    if (!baseline.empty() && baseline_first) Call(seat, iterations, baseline);
    Call(seat, iterations, "");
    if (!baseline.empty() && !baseline_first) Call(seat, iterations, baseline);
  }

  /// `baseline`: the rung of baseline calls; empty: calls of the run itself.
  void Call(Seat& seat, int iterations, const std::string& baseline) {
    if (!seat.session) return;
    MeasuredRun& run = *seat.run;
    journey_.Say(fmt::format("batch {}, {}: call {} of {}", run.plan.batch, run.plan.rung,
                             std::min(run.calls + 1, run.plan.iterations), run.plan.iterations));
    const double derived_s =
        std::max(kBlockDeadlineLeastS, kBlockDeadlineFactor * iterations * seat.call_s);
    const double deadline_s = options_.deadline_s > 0 ? options_.deadline_s : derived_s;
    const Clock::time_point start = Clock::now();
    const Status status = seat.session->Run(iterations, baseline, Seconds(deadline_s));
    if (!status.ok()) {
      Leave(seat);
      Fail(run, status.error());
      return;
    }
    if (baseline.empty()) run.calls += iterations;
    seat.call_s = Seconds(Clock::now() - start).count() / iterations;
    journey_.Advance(run.plan, iterations);
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
    const Status stopped = seat.session->Stop(kStopDeadline);
    Leave(seat);
    if (!stopped.ok()) {
      Fail(run, stopped.error());
    } else if (run.calls < run.plan.iterations) {
      Fail(run,
           {ErrorKind::kInterrupted,
            fmt::format("interrupted after {} of {} calls", run.calls, run.plan.iterations), ""});
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
    journey_.GiveUp(run.plan, (run.plan.iterations - run.calls) * CallsPerIteration(run.plan) +
                                  (run.warmup_calls == 0 ? Journey::kWarmupCalls : 0));
    if (run.status == "failed")
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
  Interrupts& interrupts_;
  Journey& journey_;
  std::set<std::int64_t> started_points_;  ///< Points of which a worker got warm.
  std::map<std::int64_t, const MeasuredRun*> failed_points_;
};

}  // namespace

Journey::Journey(Progress& progress, const std::vector<std::vector<PlannedRun>>& groups)
    : progress_(progress), start_(Clock::now()) {
  for (const std::vector<PlannedRun>& group : groups)
    for (const PlannedRun& run : group)
      whole_ +=
          static_cast<double>(run.batch) * (run.iterations * CallsPerIteration(run) + kWarmupCalls);
}

void Journey::Advance(const PlannedRun& run, int calls) {
  done_ += static_cast<double>(run.batch) * calls;
  Say(what_);
}

void Journey::GiveUp(const PlannedRun& run, int calls_left) {
  skipped_ += static_cast<double>(run.batch) * calls_left;
}

void Journey::Say(std::string_view what) {
  what_ = what;
  const double left = std::max(0.0, whole_ - done_ - skipped_);
  const double elapsed_s = Seconds(Clock::now() - start_).count();
  const double fraction = whole_ > 0 ? std::min(1.0, (done_ + skipped_) / whole_) : 0;
  progress_.Step(what_, fraction, done_ > 0 ? elapsed_s / done_ * left : -1);
}

std::vector<MeasuredRun> MeasureGroup(const std::vector<PlannedRun>& runs,
                                      const MeasureOptions& options, Interrupts& interrupts,
                                      Journey& journey) {
  std::vector<MeasuredRun> measured(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) measured[i].plan = runs[i];
  Group(measured, options, interrupts, journey).Measure();
  return measured;
}

}  // namespace xsp::evaluate
