#ifndef XSP_ANSWER_SUITE_SCHEDULE_PLAN_H_
#define XSP_ANSWER_SUITE_SCHEDULE_PLAN_H_

#include <cstddef>
#include <span>
#include <vector>

namespace xsp::suite::schedule {

/// One way to run a job: on `width` devices for `time`.
struct Choice {
  int width;    ///< >= 1.
  double time;  ///< > 0.
};

/// A moldable job: one choice is fixed when it starts, and it is not interrupted.
struct Job {
  double release = 0;           ///< It starts no earlier; >= 0.
  std::vector<Choice> choices;  ///< Never empty; widths ascending.
  /// Of a job that is several which share a device: when each ends after the start. Else empty.
  std::vector<double> ends = {};
};

/// What is to be scheduled: devices are alike, a job takes any `width` of them, next to each other
/// or not. Every choice fits: width <= devices.
struct Problem {
  int devices;
  std::vector<Job> jobs;
};

/// When and where one job runs.
struct Placed {
  std::size_t job;
  std::size_t choice;  ///< Of Job::choices.
  double start;
  double end;
  std::vector<int> devices;  ///< Counted from 0, ascending; `width` of them.
};

/// A feasible schedule.
struct Plan {
  double makespan = 0;
  std::vector<Placed> placed;  ///< One for each job, by start, then job.
};

/// How many devices are free from when on, as jobs are placed one by one.
class Profile {
 public:
  explicit Profile(int devices) : devices_(devices), steps_(1, {0, devices}) {}

  /// Takes `choice.width` devices for `choice.time`, as early as they are free for that long, no
  /// earlier than `release`. Returns the start.
  double Insert(double release, const Choice& choice);

  /// The devices' time in use after `time`.
  double AreaBeyond(double time) const;

 private:
  struct Step {
    double from;  ///< Until the next step's `from`; the last one never ends.
    int free;
  };

  int devices_;
  std::vector<Step> steps_;
};

/// Whether a job may start before one that stands earlier in the order.
enum class Starts { kWhereThereIsRoom, kInOrder };

/// Starts the jobs in the order of `order`, each as early as the ones before it leave room (the
/// serial schedule generation of Kolisch 1996, whose plans hold an optimal one for some order and
/// choice).
class Placement {
 public:
  /// `problem` must outlive this.
  explicit Placement(const Problem& problem) : problem_(&problem) {}

  /// The makespan; infinite as soon as it would exceed `limit`. `choices[job]` is its choice.
  double Makespan(std::span<const std::size_t> order, std::span<const std::size_t> choices,
                  double limit) const;

  /// The same as a plan, with devices.
  Plan Schedule(std::span<const std::size_t> order, std::span<const std::size_t> choices,
                Starts starts = Starts::kWhereThereIsRoom) const;

 private:
  const Problem* problem_;
};

/// Of all jobs, each of those that share a device by itself: from the release to the end.
double MeanTurnaround(const Problem& problem, const Plan& plan);

/// The devices' time that the plan uses: sum of width x time.
double UsedArea(const Problem& problem, const Plan& plan);

}  // namespace xsp::suite::schedule

#endif  // XSP_ANSWER_SUITE_SCHEDULE_PLAN_H_
