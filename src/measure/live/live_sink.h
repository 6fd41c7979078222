#ifndef XSP_MEASURE_LIVE_LIVE_SINK_H_
#define XSP_MEASURE_LIVE_LIVE_SINK_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "measure/live/live_batch.h"

namespace xsp::live {

/// What became of the spans of a stream.
struct LiveCounts {
  std::int64_t delivered = 0;
  std::map<std::string, std::int64_t> dropped;  ///< By run.
  std::int64_t late_details = 0;  ///< Metrics and attributes that came after their span was sent.
  std::string problem;            ///< The first one, for people; empty: none.

  std::int64_t dropped_in_all() const {
    std::int64_t all = 0;
    for (const auto& [run, count] : dropped) all += count;
    return all;
  }
  void Drop(const LiveSpan& span) { ++dropped[span.run]; }
  void NoteProblem(const std::string& what) {
    if (problem.empty()) problem = what;
  }
};

/// Where a stream of spans goes. Its functions never fail: what cannot be delivered is counted. One
/// thread but for EndAt() and Abort().
class LiveSink {
 public:
  virtual ~LiveSink() = default;
  /// Whether something is to be read for it. False leaves it in the recordings, for later.
  virtual bool wants_more() const { return true; }
  /// May block, which holds back the reading of the recordings, not the program.
  virtual void Write(LiveBatch& batch) = 0;
  /// Called now and then, also while there is nothing to write.
  virtual void Tick() {}
  /// After the last batch.
  virtual void Close() {}
  /// The programs have ended. Nothing is tried after `deadline`. Any thread.
  virtual void EndAt(std::chrono::steady_clock::time_point deadline) = 0;
  /// Ends what is under way. Any thread.
  virtual void Abort() {}

  const LiveCounts& counts() const { return counts_; }

 protected:
  LiveCounts counts_;
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_LIVE_SINK_H_
