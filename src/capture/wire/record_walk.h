#ifndef XSP_CAPTURE_WIRE_RECORD_WALK_H_
#define XSP_CAPTURE_WIRE_RECORD_WALK_H_

#include <string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "capture/wire/format.h"

namespace xsp::wire {

/// Where and why a walk over records stopped.
struct WalkEnd {
  enum Why {
    kDone,     ///< The data's end, or nothing but zeros follow.
    kTorn,     ///< A record that was being written follows.
    kDamaged,  ///< Something that no writer leaves.
  };
  Why why;
  std::size_t at;
};

/// Whether the record's size fits its kind. Of an unknown kind only the size can be trusted.
inline bool IsWellFormed(const Record& record) {
  const std::uint32_t units = UnitsOf(record.head);
  switch (KindOf(record.head)) {
    case RecordKind::kString:
    case RecordKind::kAttribute: {
      const std::uint32_t length = KindOf(record.head) == RecordKind::kString
                                       ? LowOf(record.words[0])
                                       : HighOf(record.words[0]);
      return length < kMaxBlockBytes && units == TextUnits(length);
    }
    case RecordKind::kEnd:
      return false;
    case RecordKind::kBlock:
    case RecordKind::kThread:
    case RecordKind::kClock:
    case RecordKind::kSpan:
    case RecordKind::kTimedSpan:
    case RecordKind::kMetric:
    case RecordKind::kMark:
    case RecordKind::kCounter:
    case RecordKind::kFrame:
    case RecordKind::kSample:
    case RecordKind::kTrack:
    case RecordKind::kPlacedCounter:
    case RecordKind::kCaptured:
      return units == 1;
    case RecordKind::kPlacedSpan:
      return units == kPlacedSpanUnits;
  }
  return units >= 1;
}

/// Judges what follows a zero head: zeros, one record without its head, or damage.
inline WalkEnd::Why JudgeTail(const char* data, std::size_t begin, std::size_t end) {
  const char* const tail = data + begin;
  std::size_t used = end - begin;
  while (used > 0 && tail[used - 1] == 0) --used;
  if (used == 0) return WalkEnd::kDone;
  Record record;
  memcpy(&record, tail, sizeof record);
  // A text is written behind its length, so that here it cannot be longer than that says.
  const std::uint64_t text = std::max(LowOf(record.words[0]), HighOf(record.words[0]));
  return used <= kPlacedSpanUnits * kUnitBytes || used <= kTextOffset + text ? WalkEnd::kTorn
                                                                             : WalkEnd::kDamaged;
}

/// Calls visit(offset, record) for every published record in [begin, end) of `data`, whole units
/// both; what it is given lies within the data, with all of its text. It returns false to call
/// the record damage.
template <typename Visit>
WalkEnd WalkRecords(const char* data, std::size_t begin, std::size_t end, Visit&& visit) {
  std::size_t at = begin;
  while (at < end) {
    Record record;
    memcpy(&record, data + at, sizeof record);
    if (record.head == 0) return {JudgeTail(data, at, end), at};
    const std::size_t bytes = std::size_t{UnitsOf(record.head)} * kUnitBytes;
    if (bytes == 0 || bytes > end - at || !IsWellFormed(record) || !visit(at, record)) {
      return {WalkEnd::kDamaged, at};
    }
    at += bytes;
  }
  return {WalkEnd::kDone, at};
}

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_RECORD_WALK_H_
