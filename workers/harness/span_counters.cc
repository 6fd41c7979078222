#include "harness/span_counters.h"

#include <atomic>
#include <optional>

#include "harness/fact.h"
#include "harness/session.h"
#include "harness/worker.h"

namespace xsp::worker {
namespace {

std::atomic<const SpanCounters*> in_force = nullptr;
/// Grows with each SpanCounters, so that a thread knows when its counters are of an earlier one.
std::atomic<unsigned> generation = 0;

/// The counters of one thread, opened at its first counted layer.
struct ThreadCounters {
  unsigned generation = 0;
  std::optional<counters::CounterSet> set;
  unsigned depth = 0;  ///< Counted layers that are open here: the outermost counts.
  counters::Reading begin = {};
};

thread_local ThreadCounters thread_counters;

const counters::CounterSet& CountersOfThread(const SpanCounters& counters) {
  ThreadCounters& mine = thread_counters;
  const unsigned now = generation.load(std::memory_order_relaxed);
  if (!mine.set || mine.generation != now) {
    mine.set.emplace(counters.events(), counters::Scope::kThread);
    mine.generation = now;
    mine.depth = 0;
  }
  return *mine.set;
}

}  // namespace

SpanCounters::SpanCounters(std::vector<counters::Event> events)
    : events_(std::move(events)), one_(Intern("1")) {
  if (events_.size() > counters::kMostEvents) events_.resize(counters::kMostEvents);
  for (const counters::Event& event : events_) {
    names_.push_back(
        {Intern(event.name), Intern(event.name + ".counted_share"), Intern(event.unit),
         Intern(IsSoftware(event) ? "measured:perf_event" : "measured:perf_event_user")});
  }
  calls_ = std::make_unique<counters::CounterSet>(events_, counters::Scope::kInherited);
  std::string counted;
  for (std::size_t i = 0; i < events_.size(); ++i)
    if (calls_->IsCounted(i)) counted += (counted.empty() ? "" : ", ") + events_[i].name;
  RecordFact("counters.events", counted);
  const std::string refused =
      counters::RefusalSentence(calls_->refusals(), counters::ReadParanoid());
  if (!refused.empty()) RecordFact("counters.refused", refused);
  generation.fetch_add(1);
  in_force.store(this);
}

SpanCounters::~SpanCounters() { in_force.store(nullptr); }

const SpanCounters* SpanCounters::Active() { return in_force.load(std::memory_order_relaxed); }

void SpanCounters::EndCall() { calls_->Read(call_end_); }

void SpanCounters::RecordCall(xsp_span call) const {
  Record(call, *calls_, call_begin_, call_end_);
}

void SpanCounters::Record(xsp_span span, const counters::CounterSet& set,
                          const counters::Reading& before, const counters::Reading& after) const {
  for (std::size_t i = 0; i < events_.size(); ++i) {
    // What one set counts another may not: a thread's are opened later, when files may have run
    // out.
    if (!set.IsCounted(i)) continue;
    const counters::Difference made = counters::Between(before[i], after[i]);
    if (made.share <= 0) continue;
    const Names& names = names_[i];
    xsp_metric(span, names.name, made.value * events_[i].factor, names.unit, names.provenance);
    if (made.share < 1) xsp_metric(span, names.share, made.share, one_, names.provenance);
  }
}

}  // namespace xsp::worker

extern "C" xsp_span xsp_worker_begin_counted(xsp_string type, xsp_string name) {
  using namespace xsp::worker;
  const SpanCounters* counters = SpanCounters::Active();
  if (counters == nullptr) return 0;
  const auto& set = CountersOfThread(*counters);
  if (thread_counters.depth++ > 0) return 0;
  const xsp_span span = xsp_begin(XSP_LEVEL_LAYER, type, name);
  set.Read(thread_counters.begin);
  return span;
}

extern "C" void xsp_worker_end_counted(xsp_span span) {
  using namespace xsp::worker;
  const SpanCounters* counters = SpanCounters::Active();
  // Begun under counters that are gone, or on another thread.
  if (counters == nullptr || thread_counters.depth == 0) return;
  if (--thread_counters.depth > 0 || span == 0) return;
  xsp::counters::Reading end;
  end = thread_counters.begin;
  const auto& set = CountersOfThread(*counters);
  set.Read(end);
  xsp_end(span);
  counters->Record(span, set, thread_counters.begin, end);
}
