#include "measure/roof_loops/rate.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <thread>

#include "core/result.h"

namespace xsp::roof_loops {

namespace {

std::int64_t Now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return time.tv_sec * std::int64_t{1'000'000'000} + time.tv_nsec;
}

std::int64_t InvoluntarySwitches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

bool PinTo(int cpu) {
  cpu_set_t* const mask = CPU_ALLOC(static_cast<std::size_t>(cpu) + 1);
  const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(cpu) + 1);
  CPU_ZERO_S(size, mask);
  CPU_SET_S(static_cast<std::size_t>(cpu), size, mask);
  const bool pinned = pthread_setaffinity_np(pthread_self(), size, mask) == 0;
  CPU_FREE(mask);
  return pinned;
}

/// Work done up to ascending times; each call goes on from the mark of the one before.
class Reader {
 public:
  explicit Reader(const std::vector<Progress>& marks) : marks_(marks) {}

  double WorkUntil(double time_ns) {
    while (next_ + 1 < marks_.size() && static_cast<double>(marks_[next_].time_ns) < time_ns) {
      ++next_;
    }
    const Progress& from = marks_[next_ - 1];
    const Progress& to = marks_[next_];
    const double span_ns = static_cast<double>(to.time_ns - from.time_ns);
    if (span_ns <= 0) return to.work;
    const double share = (time_ns - static_cast<double>(from.time_ns)) / span_ns;
    return from.work + (to.work - from.work) * share;
  }

 private:
  const std::vector<Progress>& marks_;
  std::size_t next_ = 1;
};

struct ThreadRecord {
  std::vector<Progress> marks;
  std::int64_t cpu_ns = 0;
  std::int64_t wall_ns = 0;
  std::int64_t switches = 0;
  bool pinned = false;
};

/// How many threads have not yet reached a point of the measurement.
struct Stage {
  explicit Stage(std::size_t threads)
      : not_here(static_cast<int>(threads)), cold(not_here.load()), unfinished(not_here.load()) {}
  std::atomic<int> not_here;
  std::atomic<int> cold;
  std::atomic<int> unfinished;
};

/// On a busy machine threads may come and go at different times. None notes anything before all are
/// warm, and none stops before all have measured for long enough: so their times overlap.
void MeasureThread(const Chunk& chunk, const Effort& effort, Stage& stage, ThreadRecord& record) {
  constexpr std::int64_t kMarkEveryNs = 20'000;
  record.marks.reserve(static_cast<std::size_t>(2 * effort.measure_ns / kMarkEveryNs) + 2);
  stage.not_here.fetch_sub(1);
  while (stage.not_here.load(std::memory_order_relaxed) > 0) sched_yield();
  const std::int64_t warm_ns = Now(CLOCK_MONOTONIC) + effort.warm_ns;
  while (Now(CLOCK_MONOTONIC) < warm_ns) chunk();
  stage.cold.fetch_sub(1);
  while (stage.cold.load(std::memory_order_relaxed) > 0) chunk();

  const std::int64_t switches = InvoluntarySwitches();
  const std::int64_t cpu_ns = Now(CLOCK_THREAD_CPUTIME_ID);
  const std::int64_t start_ns = Now(CLOCK_MONOTONIC);
  record.marks.push_back({start_ns, 0});
  double work = 0;
  std::int64_t now_ns = start_ns;
  bool finished = false;
  while (!finished || stage.unfinished.load(std::memory_order_relaxed) > 0) {
    work += chunk();
    now_ns = Now(CLOCK_MONOTONIC);
    const bool last = !finished && now_ns >= start_ns + effort.measure_ns;
    if (last || now_ns - record.marks.back().time_ns >= kMarkEveryNs) {
      record.marks.push_back({now_ns, work});
    }
    if (last) {
      finished = true;
      stage.unfinished.fetch_sub(1);
    }
  }
  // It may have been off its CPU since its last mark, while the others measured.
  now_ns = Now(CLOCK_MONOTONIC);
  record.marks.push_back({now_ns, work});
  record.cpu_ns = Now(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
  record.wall_ns = now_ns - start_ns;
  record.switches = InvoluntarySwitches() - switches;
}

}  // namespace

Rate RateOf(std::span<const std::vector<Progress>> threads, std::int64_t window_ns) {
  if (threads.empty() || window_ns <= 0) return {};
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::min();
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::max();
  std::vector<Reader> readers;
  for (const auto& marks : threads) {
    if (marks.size() < 2) return {};
    start_ns = std::max(start_ns, marks.front().time_ns);
    end_ns = std::min(end_ns, marks.back().time_ns);
    readers.emplace_back(marks);
  }
  if (end_ns <= start_ns) return {};

  constexpr int kSteps = 4;
  const std::int64_t whole_ns = end_ns - start_ns;
  const double window = static_cast<double>(std::min(window_ns, whole_ns));
  const auto steps = static_cast<int>(static_cast<double>(whole_ns) / window * kSteps);
  std::vector<double> done;
  for (int step = 0; step <= steps; ++step) {
    const double time_ns = static_cast<double>(start_ns) + window * step / kSteps;
    double total = 0;
    for (Reader& reader : readers) total += reader.WorkUntil(time_ns);
    done.push_back(total);
  }
  std::vector<double> rates;
  for (std::size_t i = kSteps; i < done.size(); ++i) {
    rates.push_back((done[i] - done[i - kSteps]) / window * 1e9);
  }
  std::sort(rates.begin(), rates.end());
  return {rates.back(), rates[rates.size() / 2], steps / kSteps};
}

void RunOnEach(std::span<const int> cpus, const std::function<void(int thread)>& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    threads.emplace_back([&, i] {
      PinTo(cpus[i]);
      work(static_cast<int>(i));
    });
  }
}

Measurement MeasureRate(std::span<const int> cpus, const std::function<Chunk(int thread)>& make,
                        const Effort& effort) {
  XSP_CHECK(!cpus.empty());
  std::vector<ThreadRecord> records(cpus.size());
  Stage stage(cpus.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      threads.emplace_back([&, i] {
        records[i].pinned = PinTo(cpus[i]);
        MeasureThread(make(static_cast<int>(i)), effort, stage, records[i]);
      });
    }
  }
  Measurement result;
  std::vector<std::vector<Progress>> marks;
  std::int64_t cpu_ns = 0;
  std::int64_t wall_ns = 0;
  for (ThreadRecord& record : records) {
    marks.push_back(std::move(record.marks));
    cpu_ns += record.cpu_ns;
    wall_ns += record.wall_ns;
    result.involuntary_switches += record.switches;
    result.pinned = result.pinned && record.pinned;
  }
  result.rate = RateOf(marks, effort.window_ns);
  if (wall_ns > 0) {
    result.off_cpu_share =
        std::clamp(1 - static_cast<double>(cpu_ns) / static_cast<double>(wall_ns), 0.0, 1.0);
  }
  return result;
}

}  // namespace xsp::roof_loops
