#ifndef XSP_TRACE_TRACE_H_
#define XSP_TRACE_TRACE_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/arguments.h"
#include "trace/column.h"
#include "trace/diagnostic.h"
#include "trace/string_pool.h"
#include "trace/tables.h"
#include "trace/vocabulary.h"

namespace xsp::trace {

/// What trace time 0 means: "epoch" (ns since 1970, UTC) or "source" (the file's own origin).
enum class ClockOrigin : std::uint8_t { kEpoch, kSource };

/// One imported execution, as columns. Written through TraceWriter, completed by correlate/,
/// stored by store/.
///
/// Ownership: owns every row. Threading: one writer, then any number of readers.
struct Trace {
  StringPool strings;
  SpanTable spans;
  std::vector<Track> tracks;
  MetricTable metrics;
  AttributeTable attributes;
  ArgumentTable arguments;  ///< What a foreign file says of its events, whole.
  LaunchShapeTable launch_shapes;
  CounterTable counters;
  Column<Mark> marks;
  Column<Link> links;
  CallStackTable call_stacks;
  StackSampleTable stack_samples;
  std::map<std::string, Diagnostic, std::less<>> diagnostics;
  std::map<std::string, std::string, std::less<>> facts;  ///< About the stack: "torch.version".
  ClockOrigin clock_origin = ClockOrigin::kSource;
  Role role = Role::kTimeline;  ///< Of metrics only where all its files are.

  std::string_view Text(StringId id) const { return strings.Get(id); }
};

/// A span as an importer hands it over. Strings are interned by the writer.
struct NewSpan {
  Level level;
  std::string_view type;
  std::string_view name;
  TrackId track;
  std::int64_t start_ns;
  std::int64_t duration_ns = kNeverEnded;
  SpanId parent = 0;  ///< Only where the source says so; else correlate/ finds it.
  std::int64_t correlation_id = 0;
};

/// Takes the arguments of events as they are read, in place of the trace's own table: for whoever
/// stores them at once and spares their memory. Called by the importer's thread.
class ArgumentSink {
 public:
  virtual ~ArgumentSink() = default;
  /// As ArgumentTable::Add. `json` lives for this call only.
  virtual void Add(SpanId span, std::string_view json) = 0;
  /// No more will come.
  virtual void End() = 0;
};

/// The one way in: every importer writes a trace through this.
///
/// Checks what it is given (track and span ids exist, start + duration does not overflow) and
/// counts under `writer_rejected_<what>` what cannot be kept; never fails, never throws but
/// std::bad_alloc. One thread.
class TraceWriter {
 public:
  /// `trace` is borrowed and must outlive the writer, `arguments` likewise; without the latter they
  /// are kept in the trace.
  explicit TraceWriter(Trace& trace, ArgumentSink* arguments = nullptr)
      : trace_(trace), arguments_(arguments) {}

  TrackId AddTrack(Track track);
  /// Gives a track its name once that is known.
  void NameTrack(TrackId track, std::string name);
  /// Says which rank a track belongs to, once that is known.
  void SetRank(TrackId track, std::int64_t rank);

  /// Returns the new span's id, or 0 if it was rejected. A parent makes it placed by id.
  SpanId AddSpan(const NewSpan& span);

  /// Ends a span that was added without duration, at `end_ns` of the trace clock.
  void EndSpan(SpanId span, std::int64_t end_ns);

  /// Gives a span the parent that its source names, once both are there.
  void SetParent(SpanId span, SpanId parent);

  void AddMetric(SpanId span, std::string_view name, double value, std::string_view unit,
                 std::string_view provenance);
  void AddAttribute(SpanId span, std::string_view key, std::string_view value);
  /// Keeps the arguments of an event of a foreign file as they stand there; `json`: an object.
  void AddArguments(SpanId span, std::string_view json);
  /// Of a kernel; rejected without blocks or threads.
  void AddLaunchShape(SpanId span, const LaunchShape& shape);
  void AddCounter(TrackId track, std::string_view name, std::int64_t time_ns, double value,
                  std::string_view unit);
  void AddMark(TrackId track, std::int64_t time_ns, std::string_view name);
  void AddLink(SpanId from, SpanId to, LinkKind kind);
  /// The stack of `frame` called by `parent`; 0 if it was rejected. A new one at each call: that
  /// the same is not added twice is the caller's part.
  CallStackId AddCallStack(CallStackId parent, std::string_view frame, std::string_view module);
  void AddStackSample(TrackId track, std::int64_t time_ns, CallStackId stack, StackKind kind);

  /// Counts one or more occurrences under a declared diagnostic; keeps the first example.
  void Count(const DiagnosticSpec& diagnostic, std::string_view example = {},
             std::int64_t count = 1);
  /// Likewise a loss whose name is known only when it is read, or which needs no declaration.
  void Count(std::string_view diagnostic, std::string_view example = {}, std::string_view hint = {},
             std::int64_t count = 1) {
    Count(DiagnosticSpec{diagnostic, hint}, example, count);
  }

  /// Something the file says about hardware or software, e.g. ("torch.version", "2.15.0").
  void SetFact(std::string_view key, std::string_view value);
  void SetClockOrigin(ClockOrigin origin) { trace_.clock_origin = origin; }

  const Trace& trace() const { return trace_; }

  /// How far the tables with times have come.
  struct Position {
    std::size_t spans, counters, marks, stack_samples;
  };
  Position position() const {
    return {trace_.spans.size(), trace_.counters.size(), trace_.marks.size(),
            trace_.stack_samples.size()};
  }

 protected:
  /// For one of several sources (SourceWriter): rows that are there already do not exist for it,
  /// and `correlation_offset` is added to its correlation ids.
  TraceWriter(Trace& trace, ArgumentSink* arguments, std::int64_t correlation_offset)
      : trace_(trace),
        arguments_(arguments),
        spans_before_(trace.spans.size()),
        tracks_before_(trace.tracks.size()),
        stacks_before_(trace.call_stacks.size()),
        correlation_offset_(correlation_offset) {}

  /// Moves every time written between `from` and `to` by `shift_ns`. Times that leave 64 bits stay,
  /// and are counted as `writer_rejected_shift`.
  void Shift(const Position& from, const Position& to, std::int64_t shift_ns);

 private:
  bool SpanExists(SpanId span) const { return span > spans_before_ && span <= trace_.spans.size(); }
  bool TrackExists(TrackId track) const {
    return track > tracks_before_ && track <= trace_.tracks.size();
  }
  bool CallStackExists(CallStackId stack) const {
    return stack == 0 || (stack > stacks_before_ && stack <= trace_.call_stacks.size());
  }
  std::int64_t OwnCorrelation(const NewSpan& span);

  Trace& trace_;
  ArgumentSink* arguments_;
  std::size_t spans_before_ = 0, tracks_before_ = 0, stacks_before_ = 0;
  std::int64_t correlation_offset_ = 0;
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_TRACE_H_
