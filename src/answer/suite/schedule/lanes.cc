#include "answer/suite/schedule/lanes.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace xsp::suite::schedule {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

std::uint64_t StepsOf(std::size_t jobs, int round) {
  return std::uint64_t{6000} * std::min<std::size_t>(jobs, 100) << std::min(round, 4);
}

class Lanes {
 public:
  Lanes(const Problem& problem, const Recipe& start, const LaneOptions& options)
      : problem_(problem),
        options_(options),
        start_{start,
               Placement(problem).Makespan(start.order, start.choices,
                                           std::numeric_limits<double>::infinity()),
               0},
        told_(start_.makespan),
        found_(static_cast<std::size_t>(options.lanes)) {}

  Recipe Run() {
    if (start_.makespan <= options_.target) return std::move(start_.recipe);
    {
      std::vector<std::jthread> others;
      for (std::size_t lane = 1; lane < found_.size(); ++lane)
        others.emplace_back([this, lane] { Work(lane); });
      Work(0);
    }
    const Annealed* best = &start_;
    for (const auto& lane : found_)
      for (const Annealed& round : lane)
        if (Better(round, *best)) best = &round;
    return best->recipe;
  }

 private:
  /// `steps` of what is compared are those of its lane until then.
  bool Better(const Annealed& a, const Annealed& b) const {
    const bool a_meets = a.makespan <= options_.target, b_meets = b.makespan <= options_.target;
    if (a_meets && b_meets) return a.steps < b.steps;
    return a.makespan < b.makespan;
  }

  /// What this round begins with; waits until the other lanes have come near.
  Recipe Begin(std::size_t lane, std::size_t round, std::uint64_t before) {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] {
      return stopped_ || before >= met_ || round < 2 ||
             std::ranges::all_of(found_,
                                 [&](const auto& each) { return each.size() >= round - 1; });
    });
    const Annealed* best = &start_;
    for (std::size_t other = 0; other < found_.size(); ++other) {
      const std::size_t known = other == lane ? round : round < 2 ? 0 : round - 1;
      for (std::size_t r = 0; r < std::min(known, found_[other].size()); ++r)
        if (found_[other][r].makespan < best->makespan) best = &found_[other][r];
    }
    return best->recipe;
  }

  void End(std::size_t lane, Annealed annealed) {
    const std::scoped_lock lock(mutex_);
    if (annealed.makespan <= options_.target) met_ = std::min<std::uint64_t>(met_, annealed.steps);
    if (annealed.makespan < told_) options_.better(told_ = annealed.makespan);
    found_[lane].push_back(std::move(annealed));
    came_.notify_all();
  }

  void Work(std::size_t lane) {
    std::uint64_t before = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(options_.rounds); ++r) {
      const Recipe start = Begin(lane, r, before);
      if (stopped_ || before >= met_) break;
      const auto stop = [&](std::uint64_t steps) {
        if (options_.stop()) stopped_ = true;
        return stopped_ || before + steps >= met_;
      };
      const int round = options_.first_round + static_cast<int>(r);
      Annealed annealed = Anneal(problem_, start, StepsOf(problem_.jobs.size(), round),
                                 round % 2 == 1, options_.target, SeedOf(lane, round), stop);
      before += annealed.steps;
      annealed.steps = before;
      End(lane, std::move(annealed));
    }
    // Whoever waits for this lane waits in vain.
    const std::scoped_lock lock(mutex_);
    if (static_cast<int>(found_[lane].size()) < options_.rounds && met_ == kNever) stopped_ = true;
    came_.notify_all();
  }

  std::uint64_t SeedOf(std::size_t lane, int round) const {
    return options_.seed +
           0x9E3779B97F4A7C15U * (1 + lane + found_.size() * static_cast<std::uint64_t>(round));
  }

  const Problem& problem_;
  const LaneOptions& options_;
  Annealed start_;
  double told_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::vector<Annealed>> found_;  ///< By lane and round.
  std::atomic<std::uint64_t> met_ = kNever;   ///< The fewest steps that met the target.
  std::atomic<bool> stopped_ = false;
};

}  // namespace

Recipe AnnealInLanes(const Problem& problem, const Recipe& start, const LaneOptions& options) {
  return Lanes(problem, start, options).Run();
}

}  // namespace xsp::suite::schedule
