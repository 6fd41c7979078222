#ifndef XSP_WORKERS_HARNESS_SPAN_COUNTERS_H_
#define XSP_WORKERS_HARNESS_SPAN_COUNTERS_H_

#include <memory>
#include <string>
#include <vector>

#include "capture/counters/counter_set.h"
#include "capture/counters/event.h"
#include "capture/counters/reading.h"
#include "capture/wire/xsp.h"

namespace xsp::worker {

/// The rung `counters`: what a job's events come to in each model call (all threads that the
/// process starts after this was made) and in each counted layer (the thread that runs it). They
/// become metrics of the span, of provenance `measured:perf_event`, or `measured:perf_event_user`
/// where only user mode counts; where a counter was not free all the time, the value is an estimate
/// and the metric `<name>.counted_share` says of how much it was counted. What was never counted
/// has no metric.
///
/// One at a time; made and destroyed on the main thread, without counted layers open.
class SpanCounters {
 public:
  /// Opens the counters of calls. Facts: `counters.events` (the names that count) and
  /// `counters.refused` (a sentence: what does not, why, and what to do).
  explicit SpanCounters(std::vector<counters::Event> events);
  ~SpanCounters();
  SpanCounters(const SpanCounters&) = delete;
  SpanCounters& operator=(const SpanCounters&) = delete;

  /// Around a model call.
  void BeginCall() { calls_->Read(call_begin_); }
  void EndCall();
  /// Writes the metrics of the last call, after its span has ended.
  void RecordCall(xsp_span call) const;

  const std::vector<counters::Event>& events() const { return events_; }
  /// Writes the metrics of what lies between two readings of `set`: of the events that it counts.
  void Record(xsp_span span, const counters::CounterSet& set, const counters::Reading& before,
              const counters::Reading& after) const;

  /// The one that is in force; null: none.
  static const SpanCounters* Active();

 private:
  struct Names {
    xsp_string name, share, unit, provenance;
  };

  std::vector<counters::Event> events_;
  std::vector<Names> names_;
  xsp_string one_;
  std::unique_ptr<counters::CounterSet> calls_;
  counters::Reading call_begin_ = {}, call_end_ = {};
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_SPAN_COUNTERS_H_
