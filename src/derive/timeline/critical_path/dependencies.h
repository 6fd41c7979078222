#ifndef XSP_DERIVE_TIMELINE_CRITICAL_PATH_DEPENDENCIES_H_
#define XSP_DERIVE_TIMELINE_CRITICAL_PATH_DEPENDENCIES_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "derive/timeline/critical_path/waiting_call.h"
#include "derive/timeline/timeline.h"

namespace xsp::timeline::critical_path {

/// Index of a piece of device work among those of its rank.
using WorkId = std::int32_t;
inline constexpr WorkId kNoWork = -1;
/// Index of a host thread among those of its rank.
using ThreadId = std::int32_t;
inline constexpr ThreadId kNoThread = -1;

/// A kernel, copy or set, and what it could not start before. Its times are the trace's.
struct Work {
  trace::SpanId span = 0;
  trace::SpanId launch = 0;                 ///< Without one, the work itself.
  ThreadId launch_thread : 24 = kNoThread;  ///< kNoThread: its launch is not in the trace.
  Activity activity : 8 = Activity::kCompute;
  /// Of the work that started earlier on its stream, that which ended last.
  WorkId previous = kNoWork;
  /// Of other streams, for which its own was made to wait.
  WorkId awaited = kNoWork;
};

/// An outermost operator or library call of a thread; where such overlap, all of them together.
struct Block {
  std::int64_t start_ns = 0, end_ns = 0;
};

/// A call that waited for device work: that ended while the call was under way.
struct Wait {
  std::int64_t end_ns = 0;    ///< Of the call.
  std::int64_t ready_ns = 0;  ///< End of the work, or of the call where clocks put that first.
  WorkId work = kNoWork;
};

struct Thread {
  trace::TrackId track = 0;
  trace::Column<Block> blocks;  ///< In order of time; they may touch.
  std::vector<Wait> waits;      ///< By end.
};

/// Who depends on whom in one rank: its device work and its host threads.
class Dependencies {
 public:
  /// O(n log n) in spans and in waiting calls times streams. Borrows the timeline.
  Dependencies(const Timeline& timeline, std::int64_t rank);

  const trace::Column<Work>& works() const { return works_; }
  const Work& WorkOf(WorkId id) const { return works_[static_cast<std::size_t>(id)]; }
  std::int64_t StartOf(const Work& work) const { return spans_.start_ns[work.span - 1]; }
  std::int64_t EndOf(const Work& work) const {
    return StartOf(work) + spans_.duration_ns[work.span - 1];
  }
  /// When its launch started; without one, the work itself.
  std::int64_t LaunchOf(const Work& work) const { return spans_.start_ns[work.launch - 1]; }

  const std::vector<Thread>& threads() const { return threads_; }
  /// kNoThread: the track is no thread of this rank, or no span lies on it.
  ThreadId ThreadOf(trace::TrackId track) const;

  /// Ends of the blocks of all threads, by time.
  struct Finish {
    ThreadId thread = kNoThread;
    std::uint32_t block = 0;  ///< Index into its blocks.
  };
  const trace::Column<Finish>& finishes() const { return finishes_; }
  std::int64_t EndOf(const Finish& finish) const {
    return threads_[static_cast<std::size_t>(finish.thread)].blocks[finish.block].end_ns;
  }

 private:
  /// A stream's work in the order of its launches.
  struct Stream {
    std::int64_t device = 0, stream = 0;
    trace::Column<WorkId> works;
    trace::Column<WorkId> latest;  ///< Of the works up to each, that which ended last.

    /// Of what was launched before `launched_ns`, and before anything that ended after `ended_ns`,
    /// that which ended last: a stream works in order.
    WorkId Last(std::int64_t launched_ns, std::int64_t ended_ns, const Dependencies& of) const;
    /// The first that was launched at `launched_ns` or later.
    WorkId Next(std::int64_t launched_ns, const Dependencies& of) const;
    /// The place in `works` of that.
    std::size_t PlaceOfNext(std::int64_t launched_ns, const Dependencies& of) const;
  };
  /// A call that waits, or a cuda_sync record, which says for which stream.
  struct Call {
    std::int64_t start_ns = 0, end_ns = 0;
    trace::SpanId span = 0;
    Waiting waiting = Waiting::kNothing;
    ThreadId thread = kNoThread;
  };
  struct Record {
    std::int64_t start_ns = 0, end_ns = 0;
    Waiting waiting = Waiting::kNothing;
    std::int64_t device = trace::kNotApplicable, stream = trace::kNotApplicable;
    std::int64_t awaited_stream = trace::kNotApplicable;
  };

  void FindWork(std::int64_t rank);
  void FindHostWork(std::int64_t rank);
  void FindRecords(std::int64_t rank);
  void FindWaits();
  void FindAwaited();
  const Record* RecordOf(const Call& call) const;
  WorkId AwaitedBy(const Call& call) const;
  WorkId LaunchedAfter(const Call& call) const;

  const Timeline& timeline_;
  const trace::SpanTable& spans_;
  trace::Column<Work> works_;
  std::vector<Thread> threads_;
  std::vector<ThreadId> thread_of_track_;
  trace::Column<Finish> finishes_;
  // What waits were found by: empty once they are.
  std::vector<Stream> streams_;
  std::vector<Call> calls_;
  std::vector<Record> records_;                           ///< By start.
  std::vector<std::pair<trace::SpanId, WorkId>> copies_;  ///< By launch.
  /// By thread, by time; empty where no stream was made to wait.
  std::vector<std::vector<std::pair<std::int64_t, WorkId>>> launched_;
};

}  // namespace xsp::timeline::critical_path

#endif  // XSP_DERIVE_TIMELINE_CRITICAL_PATH_DEPENDENCIES_H_
