#include "answer/suite/schedule/exhaustive_search.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/result.h"

namespace xsp::suite::schedule {
namespace {

constexpr std::size_t kMostStates = std::size_t{256} << 20;  // Bytes.

/// Plans that are better by less are not looked for: times are not known so well.
constexpr double kSameMakespan = 1e-9;

/// A job and a choice that could start next.
struct Branch {
  std::size_t job;
  std::size_t choice;
  double start;
  double end;
  double bound;
};

class Exhaustive {
 public:
  Exhaustive(const Problem& problem, double makespan, double bound,
             const std::function<bool()>& stop)
      : problem_(problem), stop_(stop), best_(makespan), bound_(bound) {
    for (const Job& job : problem.jobs) {
      double area = std::numeric_limits<double>::infinity();
      for (const Choice& choice : job.choices) area = std::min(area, choice.width * choice.time);
      least_area_.push_back(area);
    }
    now_.choices.resize(problem.jobs.size());
  }

  Exhausted Run() {
    const std::vector<double> free(static_cast<std::size_t>(problem_.devices), 0.0);
    const std::uint32_t all = (std::uint32_t{1} << problem_.jobs.size()) - 1;
    Visit(all, free, 0, 0);
    result_.complete = !stopped_;
    return std::move(result_);
  }

 private:
  bool Hopeless(double bound) const { return bound >= best_ * (1 - kSameMakespan); }

  /// The least makespan of a plan that goes on from here, as far as area and single jobs tell.
  double Remaining(std::uint32_t left, const std::vector<double>& free, double now) const {
    double area = std::accumulate(free.begin(), free.end(), 0.0);
    double longest = 0;
    for (std::size_t j = 0; j < problem_.jobs.size(); ++j) {
      if (!(left >> j & 1)) continue;
      area += least_area_[j];
      double earliest = std::numeric_limits<double>::infinity();
      for (const Choice& choice : problem_.jobs[j].choices)
        earliest = std::min(earliest, Start(j, choice, free, now) + choice.time);
      longest = std::max(longest, earliest);
    }
    return std::max(longest, area / problem_.devices);
  }

  double Start(std::size_t job, const Choice& choice, const std::vector<double>& free,
               double now) const {
    const double room = free[static_cast<std::size_t>(choice.width) - 1];
    return std::max({now, problem_.jobs[job].release, room});
  }

  /// Whether this state was reached before with every device free as early; keeps it if not.
  bool Dominated(std::uint32_t left, const std::vector<double>& free) {
    std::vector<std::vector<double>>& known = states_[left];
    const auto as_early = [](const std::vector<double>& a, const std::vector<double>& b) {
      return std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) { return x <= y; });
    };
    for (const auto& state : known)
      if (as_early(state, free)) return true;
    const std::size_t bytes = free.size() * sizeof(double) + 64;
    const auto gone =
        std::erase_if(known, [&](const auto& state) { return as_early(free, state); });
    state_bytes_ -= gone * bytes;
    state_bytes_ += bytes;
    if (state_bytes_ > kMostStates) stopped_ = true;
    known.push_back(free);
    return false;
  }

  void Leaf(double makespan) {
    if (Hopeless(makespan)) return;
    best_ = makespan;
    result_.better = now_;
  }

  std::vector<Branch> Branches(std::uint32_t left, const std::vector<double>& free,
                               double now) const {
    std::vector<Branch> branches;
    for (std::size_t j = 0; j < problem_.jobs.size(); ++j) {
      if (!(left >> j & 1)) continue;
      for (std::size_t c = 0; c < problem_.jobs[j].choices.size(); ++c) {
        const Choice& choice = problem_.jobs[j].choices[c];
        const double start = Start(j, choice, free, now);
        if (Hopeless(start + choice.time)) continue;
        branches.push_back({j, c, start, start + choice.time, 0});
      }
    }
    return branches;
  }

  void Visit(std::uint32_t left, const std::vector<double>& free, double now, double makespan) {
    if ((++result_.nodes & 255) == 0 && stop_()) stopped_ = true;
    if (stopped_) return;
    if (left == 0) return Leaf(makespan);
    std::vector<std::pair<Branch, std::vector<double>>> next;
    for (Branch& branch : Branches(left, free, now)) {
      std::vector<double> then = free;
      const auto width =
          static_cast<std::size_t>(problem_.jobs[branch.job].choices[branch.choice].width);
      // Whatever starts later starts no earlier than this one: time before it is of no use.
      for (double& at : then) at = std::max(at, branch.start);
      std::fill_n(then.begin(), width, branch.end);
      std::ranges::sort(then);
      const std::uint32_t rest = left & ~(std::uint32_t{1} << branch.job);
      branch.bound = std::max({branch.end, makespan, Remaining(rest, then, branch.start)});
      if (!Hopeless(branch.bound)) next.emplace_back(branch, std::move(then));
    }
    std::ranges::sort(next, [](const auto& a, const auto& b) {
      return a.first.bound != b.first.bound ? a.first.bound < b.first.bound
                                            : a.first.start < b.first.start;
    });
    for (const auto& [branch, then] : next) {
      if (stopped_ || best_ <= bound_ * (1 + kSameMakespan)) return;
      if (Hopeless(branch.bound)) continue;
      const std::uint32_t rest = left & ~(std::uint32_t{1} << branch.job);
      if (rest != 0 && Dominated(rest, then)) continue;
      now_.order.push_back(branch.job);
      now_.choices[branch.job] = branch.choice;
      Visit(rest, then, branch.start, std::max(makespan, branch.end));
      now_.order.pop_back();
    }
  }

  const Problem& problem_;
  const std::function<bool()>& stop_;
  double best_;
  double bound_;
  std::vector<double> least_area_;
  std::unordered_map<std::uint32_t, std::vector<std::vector<double>>> states_;
  std::size_t state_bytes_ = 0;
  Recipe now_;
  Exhausted result_;
  bool stopped_ = false;
};

}  // namespace

Exhausted SearchAll(const Problem& problem, double makespan, double bound,
                    const std::function<bool()>& stop) {
  XSP_CHECK(problem.jobs.size() <= kMostJobsExhausted);
  return Exhaustive(problem, makespan, bound, stop).Run();
}

}  // namespace xsp::suite::schedule
