#include "ingest/importers/trace_event.h"

#include <fmt/format.h>

#include <string_view>

namespace xsp::importers {
namespace {

struct ArgumentName {
  std::string_view text;
  Argument argument;
};

constexpr std::array kArgumentNames = {
    ArgumentName{"correlation", Argument::kCorrelation},
    ArgumentName{"External id", Argument::kExternalId},
    ArgumentName{"external id", Argument::kExternalId},
    ArgumentName{"device", Argument::kDevice},
    ArgumentName{"stream", Argument::kStream},
    ArgumentName{"bytes", Argument::kBytes},
    ArgumentName{"est. achieved occupancy %", Argument::kOccupancy},
    ArgumentName{"grid", Argument::kGrid},
    ArgumentName{"block", Argument::kBlock},
    ArgumentName{"registers per thread", Argument::kRegisters},
    ArgumentName{"shared memory", Argument::kSharedMemory},
    ArgumentName{"Input Dims", Argument::kInputDims},
    ArgumentName{"Input dims", Argument::kInputDims},
    ArgumentName{"Input type", Argument::kInputTypes},
    ArgumentName{"Concrete Inputs", Argument::kInputValues},
    ArgumentName{"Module Hierarchy", Argument::kModuleHierarchy},
    ArgumentName{"Total Allocated", Argument::kTotalAllocated},
    ArgumentName{"Total Reserved", Argument::kTotalReserved},
    ArgumentName{"Addr", Argument::kAddress},
    ArgumentName{"Bytes", Argument::kBytes},
    ArgumentName{"Device Type", Argument::kDeviceType},
    ArgumentName{"Device Id", Argument::kDeviceId},
    ArgumentName{"kernel", Argument::kKernel},
    ArgumentName{"name", Argument::kName},
    ArgumentName{"labels", Argument::kLabels},
};

/// Whether `text`, of the length of `word`, is `word`: without a call, for every key of every
/// event.
template <std::size_t kSize>
bool Is(std::string_view text, const char (&word)[kSize]) {
  bool same = true;
  for (std::size_t i = 0; i + 1 < kSize; ++i) same = same && text[i] == word[i];
  return same;
}

Value* FieldOf(Event& event, std::string_view key) {
  switch (key.size()) {
    case 2:
      if (Is(key, "ph")) return &event.phase;
      if (Is(key, "ts")) return &event.time;
      if (Is(key, "id")) return &event.id;
      return nullptr;
    case 3:
      if (Is(key, "cat")) return &event.category;
      if (Is(key, "pid")) return &event.process;
      if (Is(key, "tid")) return &event.thread;
      if (Is(key, "dur")) return &event.duration;
      return nullptr;
    case 4:
      return Is(key, "name") ? &event.name : nullptr;
    default:
      return nullptr;
  }
}

/// The spellings by their length: those of length n are [first[n], first[n + 1]) of `sorted`.
struct SpellingIndex {
  static constexpr std::size_t kLongest = 25;
  std::array<ArgumentName, kArgumentNames.size()> sorted = kArgumentNames;
  std::array<std::uint8_t, kLongest + 2> first = {};
};
constexpr SpellingIndex MakeSpellingIndex() {
  SpellingIndex index;
  std::size_t next = 0;
  for (std::size_t length = 0; length <= SpellingIndex::kLongest; ++length) {
    index.first[length] = static_cast<std::uint8_t>(next);
    for (const ArgumentName& spelling : kArgumentNames)
      if (spelling.text.size() == length) index.sorted[next++] = spelling;
  }
  index.first[SpellingIndex::kLongest + 1] = static_cast<std::uint8_t>(next);
  return index;
}
constexpr SpellingIndex kArgumentIndex = MakeSpellingIndex();
static_assert(kArgumentIndex.first.back() == kArgumentNames.size(),
              "a spelling is longer than kLongest");

void Keep(Event& event, const Value& key, const Value& value) {
  const std::size_t length = key.text.size();
  if (length > SpellingIndex::kLongest) return;
  for (std::size_t i = kArgumentIndex.first[length]; i < kArgumentIndex.first[length + 1]; ++i) {
    const ArgumentName& spelling = kArgumentIndex.sorted[i];
    if (spelling.text == key.text) event.known[static_cast<std::size_t>(spelling.argument)] = value;
  }
}

/// Reads the object of arguments at `cursor`. One that is not well-formed inside, but has its
/// brackets, is kept whole with what could be read of it.
Scan ReadArguments(Cursor& cursor, Event& event) {
  Cursor here = cursor;
  if (!SkipSpace(here)) return Scan::kMore;
  if (*here.at != '{') return ReadValue(cursor, event.arguments);
  const char* start = here.at++;
  bool closed = false;
  Scan scan = ReadSeparator(here, '}', closed);
  if (scan == Scan::kMore) return scan;
  while (!closed) {
    Value key, value;
    scan = ReadKey(here, key);
    if (scan == Scan::kDone) scan = ReadValue(here, value);
    if (scan == Scan::kDone) Keep(event, key, value);
    if (scan == Scan::kDone) scan = ReadSeparator(here, '}', closed);
    if (scan == Scan::kMore) return scan;
    if (scan == Scan::kBad) return ReadValue(cursor, event.arguments);
  }
  event.arguments = {Value::Kind::kObject, false, {start, here.at}};
  cursor.at = here.at;
  return Scan::kDone;
}

}  // namespace

Scan ReadEvent(Cursor& cursor, Event& event) {
  event = {};
  Cursor here = cursor;
  if (!SkipSpace(here)) return Scan::kMore;
  if (*here.at != '{') {
    cursor = here;
    return Scan::kBad;
  }
  ++here.at;
  bool closed = false;
  Scan scan = ReadSeparator(here, '}', closed);
  if (scan == Scan::kMore) return scan;
  while (!closed) {
    Value key, value;
    scan = ReadKey(here, key);
    if (scan == Scan::kDone && key.text.size() == 4 && Is(key.text, "args")) {
      scan = ReadArguments(here, event);
    } else if (scan == Scan::kDone) {
      scan = ReadValue(here, value);
      if (Value* field = FieldOf(event, key.text)) *field = value;
    }
    if (scan == Scan::kDone) scan = ReadSeparator(here, '}', closed);
    if (scan != Scan::kDone) {
      if (scan == Scan::kBad) cursor = here;
      return scan;
    }
  }
  cursor.at = here.at;
  return Scan::kDone;
}

Error OwnExportError(std::string_view file) {
  return {ErrorKind::kBadInput, fmt::format("the file is an export of XSP: {}", file),
          "Import the original file, or open the run that was exported."};
}

}  // namespace xsp::importers
