#ifndef XSP_INGEST_IMPORTERS_KINETO_TRACE_BUILDER_H_
#define XSP_INGEST_IMPORTERS_KINETO_TRACE_BUILDER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingest/importers/kineto/category.h"
#include "ingest/importers/trace_event.h"
#include "ingest/importers/trace_event_tracks.h"
#include "trace/trace.h"

namespace xsp::importers::kineto {

/// Makes spans, counters, marks and links of the events of one file (rules: README.md).
class TraceBuilder {
 public:
  /// `writer` is borrowed.
  TraceBuilder(trace::TraceWriter& writer, std::string track_prefix);

  void Add(const Event& event);

  /// After the last event: joins flows, names tracks and says whose they are (negative: not known).
  void Finish(std::int64_t rank);

  /// Earliest time of the file as it stands there; nothing: it holds no timed event.
  std::optional<std::int64_t> first_ns() const { return first_ns_; }

  /// Whether its kernels are those of Kineto's range profiler, which says nothing of their times.
  bool counts_kernels() const { return has_counted_kernels_ && !has_timed_kernels_; }

 private:
  /// One end of a flow, until both are known.
  struct FlowEnd {
    std::int64_t id;
    std::int64_t time_ns;
    trace::SpanId span;  ///< 0: not known, or none.
    std::uint32_t track : 26;
    std::uint32_t kind : 5;  ///< Its category.
    std::uint32_t is_start : 1;

    Category category() const { return static_cast<Category>(kind); }
  };
  class FlowsByTrack;
  struct External {
    External(std::int64_t id, trace::SpanId of)
        : high(static_cast<std::int32_t>(id >> 32)),
          low(static_cast<std::uint32_t>(id)),
          span(of) {}
    std::int64_t id() const { return (std::int64_t{high} << 32) | low; }

    std::int32_t high;  ///< In halves: 12 bytes, not 16.
    std::uint32_t low;
    trace::SpanId span;
  };

  void AddSpan(const Event& event, Category category, std::int64_t time_ns);
  void AddDetails(const Event& event, Category category, trace::SpanId span);
  void AddHardwareCounters(const Event& event, trace::SpanId span);
  void AddInstant(const Event& event, Category category, std::int64_t time_ns);
  void AddMemory(const Event& event, std::int64_t time_ns);
  void AddCounters(const Event& event, std::int64_t time_ns);
  void AddFlow(const Event& event, Category category, std::int64_t time_ns);

  void FindFlowSpans();
  void JoinFlows();
  void PlaceByExternalId();

  trace::TraceWriter& writer_;
  Tracks tracks_;
  std::size_t first_span_;  ///< Row of the file's first span.
  std::optional<std::int64_t> first_ns_;
  trace::Column<FlowEnd> flows_;
  trace::Column<External> operators_, device_work_;
  bool has_counted_kernels_ = false, has_timed_kernels_ = false;
  std::string name_scratch_, shapes_;  ///< Scratch.
};

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_TRACE_BUILDER_H_
