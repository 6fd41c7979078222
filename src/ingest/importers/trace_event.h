#ifndef XSP_INGEST_IMPORTERS_TRACE_EVENT_H_
#define XSP_INGEST_IMPORTERS_TRACE_EVENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/result.h"
#include "ingest/importers/json_text.h"

namespace xsp::importers {

/// Arguments that mean something to us, in every spelling that PyTorch has had for them.
enum class Argument : std::uint8_t {
  kCorrelation,
  kExternalId,
  kDevice,
  kStream,
  kBytes,
  kOccupancy,  ///< "est. achieved occupancy %"
  kGrid,
  kBlock,
  kRegisters,     ///< "registers per thread"
  kSharedMemory,  ///< Of a block, bytes.
  kInputDims,
  kInputTypes,
  kInputValues,      ///< "Concrete Inputs"
  kModuleHierarchy,  ///< Of TorchScript operators.
  kTotalAllocated,
  kTotalReserved,
  kAddress,
  kDeviceType,
  kDeviceId,
  kKernel,  ///< Of a launch on ROCm: the kernel's name.
  kName,    ///< Of metadata events: process_name, thread_name.
  kLabels,  ///< Of metadata events: process_labels.
  kCount
};

/// One element of traceEvents, where it stands in the text.
struct Event {
  Value phase, category, name, process, thread, time, duration, id;
  Value arguments;  ///< Whole.
  std::array<Value, static_cast<std::size_t>(Argument::kCount)> known;

  const Value& argument(Argument which) const { return known[static_cast<std::size_t>(which)]; }
};

/// Reads the event at `cursor` (before its bracket). Unknown keys are passed over; of two equal
/// keys the last counts.
Scan ReadEvent(Cursor& cursor, Event& event);

/// That `file` is an export of a run of XSP (TraceEventHeader::is_own_export).
Error OwnExportError(std::string_view file);

/// Calls `each(key, value)` for what the object `object` holds, as far as it can be read.
template <typename Each>
void ForEachMember(std::string_view object, Each each) {
  if (object.size() < 2) return;  // No brackets: the event does not have it.
  // A space in front of the end: a bare value ends before something.
  Cursor cursor{object.data() + 1, object.data() + object.size()};
  bool closed = false;
  if (ReadSeparator(cursor, '}', closed) == Scan::kMore || closed) return;
  while (!closed) {
    Value key, value;
    if (ReadKey(cursor, key) != Scan::kDone || ReadValue(cursor, value) != Scan::kDone) return;
    each(key, value);
    if (ReadSeparator(cursor, '}', closed) != Scan::kDone) return;
  }
}

}  // namespace xsp::importers

#endif  // XSP_INGEST_IMPORTERS_TRACE_EVENT_H_
