#include "trace/source_writer.h"

#include <algorithm>

namespace xsp::trace {
namespace {

/// Calls `each(start_ns, end_ns)` for whatever has a time between the two positions.
template <typename Each>
void ForEachTime(const Trace& trace, const TraceWriter::Position& begin,
                 const TraceWriter::Position& end, Each each) {
  const SpanTable& spans = trace.spans;
  for (std::size_t i = begin.spans; i < end.spans; ++i)
    each(spans.start_ns[i], spans.start_ns[i] + std::max<std::int64_t>(spans.duration_ns[i], 0));
  const auto moment = [&](std::int64_t time_ns) { each(time_ns, time_ns); };
  for (std::size_t i = begin.counters; i < end.counters; ++i) moment(trace.counters.time_ns[i]);
  for (std::size_t i = begin.marks; i < end.marks; ++i) moment(trace.marks[i].time_ns);
  for (std::size_t i = begin.stack_samples; i < end.stack_samples; ++i)
    moment(trace.stack_samples.time_ns[i]);
}

}  // namespace

void SourceWriter::Shift(std::int64_t shift_ns) {
  if (shift_ns == 0) return;
  TraceWriter::Shift(begin_, end(), shift_ns);
  std::int64_t moved_ns = 0;
  if (first_ns_ && !__builtin_add_overflow(*first_ns_, shift_ns, &moved_ns)) {
    first_ns_ = moved_ns;
  } else {
    first_ns_.reset();
  }
}

std::optional<std::int64_t> SourceWriter::FirstTime() {
  if (first_ns_) return first_ns_;
  ForEachTime(trace(), begin_, end(), [&](std::int64_t start_ns, std::int64_t) {
    if (!first_ns_ || start_ns < *first_ns_) first_ns_ = start_ns;
  });
  return first_ns_;
}

std::optional<std::int64_t> SourceWriter::LastTime() const {
  std::optional<std::int64_t> last_ns;
  ForEachTime(trace(), begin_, end(), [&](std::int64_t, std::int64_t end_ns) {
    if (!last_ns || end_ns > *last_ns) last_ns = end_ns;
  });
  return last_ns;
}

}  // namespace xsp::trace
