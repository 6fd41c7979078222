#ifndef XSP_TRACE_TABLES_H_
#define XSP_TRACE_TABLES_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "trace/column.h"
#include "trace/string_pool.h"
#include "trace/vocabulary.h"

namespace xsp::trace {

/// 1-based row of the span table; 0 means "no span".
using SpanId = std::uint32_t;
/// 1-based row of the track table; 0 means "no track".
using TrackId = std::uint32_t;
/// 1-based row of the table of call stacks; 0: an empty stack.
using CallStackId = std::uint32_t;

/// Correlation ids of one source are below this, so that those of several can be kept apart.
inline constexpr std::int64_t kCorrelationIdsOfASource = std::int64_t{1} << 40;
/// Duration of a span whose end was never seen (stored as null).
inline constexpr std::int64_t kNeverEnded = -1;
/// A track's process, thread, device or stream that does not apply.
inline constexpr std::int64_t kNotApplicable = -1;

/// Spans as columns; row i is span id i + 1. Times are ns on the trace clock.
struct SpanTable {
  Column<SpanId> parent;  ///< 0: none.
  Column<Level> level;
  Column<PlacedBy> placed_by;
  Column<TrackId> track;
  Column<StringId> type;
  Column<StringId> name;
  Column<std::int64_t> start_ns;
  Column<std::int64_t> duration_ns;     ///< kNeverEnded, or >= 0.
  Column<std::int64_t> correlation_id;  ///< 0: none.

  std::size_t size() const { return parent.size(); }
};

struct Track {
  TrackKind kind;
  std::string name;
  std::int64_t process_id = kNotApplicable;
  std::int64_t thread_id = kNotApplicable;
  std::int64_t device = kNotApplicable;
  std::int64_t stream = kNotApplicable;
  /// What it shows says what something else is, and is no part of the execution itself: a thread
  /// that captured a graph which another trace of the same import replays.
  bool is_reference = false;
  /// Which process of a distributed execution it belongs to; kNotApplicable: the only one.
  std::int64_t rank = kNotApplicable;
};

struct MetricTable {
  Column<SpanId> span;
  Column<StringId> name, unit, provenance;
  Column<double> value;
  std::size_t size() const { return span.size(); }
};

struct AttributeTable {
  Column<SpanId> span;
  Column<StringId> key, value;
  std::size_t size() const { return span.size(); }
};

/// The size of a kernel's launch, as its source states it.
struct LaunchShape {
  std::int64_t blocks = 0;        ///< Of the grid (workgroups).
  std::int64_t threads = 0;       ///< Of a block (work-items).
  std::int64_t registers = 0;     ///< Of a thread; 0: not stated.
  std::int64_t shared_bytes = 0;  ///< Of a block, static and dynamic, bytes.
};

/// In memory only, for what is derived when a trace is imported.
struct LaunchShapeTable {
  Column<SpanId> span;
  Column<LaunchShape> shape;
  std::size_t size() const { return span.size(); }
};

struct CounterTable {
  Column<TrackId> track;
  Column<StringId> name, unit;
  Column<std::int64_t> time_ns;
  Column<double> value;
  std::size_t size() const { return track.size(); }
};

struct Mark {
  TrackId track;
  std::int64_t time_ns;
  StringId name;
};

struct Link {
  SpanId from, to;
  LinkKind kind;
};

/// Call stacks as columns; row i is stack id i + 1: a function called by the stack `parent`, so
/// that stacks share what they have in common.
struct CallStackTable {
  Column<CallStackId> parent;  ///< 0: a root. Below its own id.
  Column<StringId> frame;      ///< The function.
  Column<StringId> module;     ///< The file or library that it is in; may be empty.
  std::size_t size() const { return parent.size(); }
};

/// What threads were found doing, at regular times of their CPU time (native) or of the clock
/// (Python).
struct StackSampleTable {
  Column<TrackId> track;
  Column<std::int64_t> time_ns;
  Column<CallStackId> stack;
  Column<StackKind> kind;
  std::size_t size() const { return track.size(); }
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_TABLES_H_
