#ifndef XSP_TRACE_SOURCE_WRITER_H_
#define XSP_TRACE_SOURCE_WRITER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "trace/trace.h"

namespace xsp::trace {

/// What the times of a file count from.
enum class ClockDomain : std::uint8_t {
  kMonotonic,  ///< The start of the machine, or another origin that its files have in common.
  kEpoch,      ///< 1970, UTC.
  kSession,    ///< An origin of the file's own.
};

/// Writes one file of an import into a trace. The importer sees this file only: it gets ids of
/// tracks, spans and stacks that are its own, writes the correlation ids and the clock of the file,
/// and can name nothing of another file. What the clocks of several files have to do with each
/// other is ingest/align's part.
///
/// Ids are rows of the one trace from the start (the source's rows follow on what is there), so a
/// file costs neither a copy nor a table of ids; an id is checked against where the source begins.
/// Sources are therefore written one after another, each closed before the next is made.
class SourceWriter : public TraceWriter {
 public:
  /// Where a file stands in its import.
  struct Place {
    std::size_t source = 0;  ///< Of all files: keeps correlation ids apart.
    std::size_t file = 0;    ///< Of those of its format.
    std::size_t files = 1;   ///< How many its format has.
  };

  /// `trace` and `arguments`: as TraceWriter. `clock`, `role`: what files of the format have,
  /// unless this one states another.
  SourceWriter(Trace& trace, ArgumentSink* arguments, const Place& place, ClockDomain clock,
               Role role)
      : TraceWriter(trace, arguments,
                    static_cast<std::int64_t>(place.source) * kCorrelationIdsOfASource),
        place_(place),
        clock_(clock),
        role_(role),
        begin_(position()) {}

  /// Which of several files of its format this is, for names that tell them apart.
  std::size_t file_index() const { return place_.file; }
  bool is_one_of_several() const { return place_.files > 1; }

  void SetClock(ClockDomain clock) { clock_ = clock; }
  /// Of the trace, which has other sources.
  void SetClockOrigin(ClockOrigin origin) = delete;
  void SetRole(Role role) { role_ = role; }

  /// The times are of kEpoch by way of the monotonic clock of the boot `boot_id`, whose distance
  /// to 1970 was read as `offset_ns`. Files of one boot get one offset (ingest/align).
  void SetBoot(std::string boot_id, std::int64_t offset_ns) {
    boot_id_ = std::move(boot_id);
    boot_offset_ns_ = offset_ns;
  }

  /// The times are of kEpoch, converted from local time in the zone of this machine, which the file
  /// does not name.
  void SetAssumedZone() { has_assumed_zone_ = true; }

  /// Moves every time of the file: for one that states at its end what its times count from.
  void Shift(std::int64_t shift_ns);

  /// The earliest time of the file as it stands now, where the importer knows it anyway: spares a
  /// pass over its rows.
  void SetFirstTime(std::int64_t time_ns) { first_ns_ = time_ns; }

  /// No row follows.
  void Close() { end_ = position(); }

  ClockDomain clock() const { return clock_; }
  Role role() const { return role_; }
  const std::string& boot_id() const { return boot_id_; }
  std::int64_t boot_offset_ns() const { return boot_offset_ns_; }
  bool has_assumed_zone() const { return has_assumed_zone_; }

  /// The earliest time of the file; nothing: it has none. O(rows) the first time, where the
  /// importer did not state it.
  std::optional<std::int64_t> FirstTime();
  /// The latest one, ends of spans included. O(rows).
  std::optional<std::int64_t> LastTime() const;

 private:
  Position end() const { return end_.value_or(position()); }

  Place place_;
  ClockDomain clock_;
  Role role_;
  Position begin_;
  std::optional<Position> end_;
  std::optional<std::int64_t> first_ns_;
  std::string boot_id_;
  std::int64_t boot_offset_ns_ = 0;
  bool has_assumed_zone_ = false;
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_SOURCE_WRITER_H_
