#include "derive/timeline/critical_path/longest_path.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>

namespace xsp::timeline::critical_path {
namespace {

Kind KindOf(Activity activity) {
  switch (activity) {
    case Activity::kCommunication:
      return Kind::kCommunication;
    case Activity::kCopy:
      return Kind::kCopy;
    default:
      return Kind::kCompute;
  }
}

class Walk {
 public:
  Walk(const Dependencies& dependencies, std::int64_t origin_ns,
       const std::function<void(const Segment&)>& visit)
      : dependencies_(dependencies),
        origin_ns_(origin_ns),
        visit_(visit),
        finishes_(dependencies.finishes().size()) {
    for (const Thread& thread : dependencies.threads())
      passed_.push_back({thread.blocks.size(), thread.waits.size()});
  }

  void From(Point at) {
    // Each step goes back in time, or at the same time to work that was launched or started
    // earlier; a damaged run that was read back may go in circles.
    std::size_t most = 1000 + 8 * dependencies_.works().size();
    for (const Thread& thread : dependencies_.threads())
      most += 4 * (thread.blocks.size() + thread.waits.size());
    for (; at.time_ns > origin_ns_ && most > 0; --most)
      at = at.work == kNoWork ? BeforeThread(at) : BeforeWork(at);
    if (at.time_ns > origin_ns_) Add({origin_ns_, at.time_ns, Kind::kGap, 0, kNoThread});
  }

 private:
  void Add(Segment segment) {
    segment.start_ns = std::max(segment.start_ns, origin_ns_);
    if (segment.start_ns < segment.end_ns) visit_(segment);
  }

  Point BeforeWork(const Point& at) {
    const Work& work = dependencies_.WorkOf(at.work);
    const std::int64_t start = std::min(dependencies_.StartOf(work), at.time_ns);
    Add({start, at.time_ns, KindOf(work.activity), work.span, kNoThread});
    constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::min();
    Point last = {kNever, kNoThread, kNoWork};
    Kind kind = Kind::kGap;
    const auto after_work = [&](WorkId id) {
      if (id == kNoWork) return;
      const std::int64_t end = std::min(dependencies_.EndOf(dependencies_.WorkOf(id)), start);
      if (end > last.time_ns) last = {end, kNoThread, id};
    };
    after_work(work.previous);
    after_work(work.awaited);
    const std::int64_t launch = std::min(dependencies_.LaunchOf(work), start);
    if (work.launch_thread != kNoThread && launch > last.time_ns) {
      last = {launch, work.launch_thread, kNoWork};
      kind = Kind::kLaunch;
    }
    // Work of which nothing is known to come before it may have been started at any time.
    if (last.time_ns == kNever) last.time_ns = origin_ns_;
    Add({last.time_ns, start, kind, work.span, kNoThread});
    return last;
  }

  Point BeforeThread(const Point& at) {
    const Thread& thread = dependencies_.threads()[static_cast<std::size_t>(at.thread)];
    // The walk never goes on in time, so nothing that it has passed is looked at again.
    auto& [blocks, waits] = passed_[static_cast<std::size_t>(at.thread)];
    while (blocks > 0 && thread.blocks[blocks - 1].start_ns >= at.time_ns) --blocks;
    if (blocks == 0 || at.time_ns > thread.blocks[blocks - 1].end_ns) return BeforePause(at);
    const std::int64_t block_start = thread.blocks[blocks - 1].start_ns;
    while (waits > 0 && thread.waits[waits - 1].end_ns > at.time_ns) --waits;
    if (waits > 0 && thread.waits[waits - 1].end_ns > block_start) {
      const Wait& wait = thread.waits[waits - 1];
      Add({wait.ready_ns, at.time_ns, Kind::kHost, 0, at.thread});
      return {wait.ready_ns, kNoThread, wait.work};
    }
    Add({block_start, at.time_ns, Kind::kHost, 0, at.thread});
    return {block_start, at.thread, kNoWork};
  }

  Point BeforePause(const Point& at) {
    const auto& finishes = dependencies_.finishes();
    while (finishes_ > 0 && dependencies_.EndOf(finishes[finishes_ - 1]) > at.time_ns) --finishes_;
    const Point last = finishes_ > 0 ? Point{dependencies_.EndOf(finishes[finishes_ - 1]),
                                             finishes[finishes_ - 1].thread, kNoWork}
                                     : Point{origin_ns_, at.thread, kNoWork};
    Add({last.time_ns, at.time_ns, Kind::kHost, 0, at.thread});
    return last;
  }

  struct Passed {
    std::size_t blocks, waits;  ///< Those of a thread that are not yet passed.
  };

  const Dependencies& dependencies_;
  const std::int64_t origin_ns_;
  const std::function<void(const Segment&)>& visit_;
  std::vector<Passed> passed_;  ///< By thread.
  std::size_t finishes_;        ///< Those that are not yet passed.
};

}  // namespace

std::string_view ToString(Kind kind) {
  constexpr std::array<std::string_view, kKindCount> kNames = {
      "host", "launch", "compute", "communication", "copy", "synchronisation", "gap"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Segment> LongestPath(const Dependencies& dependencies, std::int64_t origin_ns,
                                 Point end) {
  std::vector<Segment> path;
  WalkLongestPath(dependencies, origin_ns, end,
                  [&](const Segment& segment) { path.push_back(segment); });
  std::reverse(path.begin(), path.end());
  return path;
}

void WalkLongestPath(const Dependencies& dependencies, std::int64_t origin_ns, Point end,
                     const std::function<void(const Segment&)>& visit) {
  Walk(dependencies, origin_ns, visit).From(end);
}

}  // namespace xsp::timeline::critical_path
