#ifndef XSP_INGEST_ALIGN_ALIGN_H_
#define XSP_INGEST_ALIGN_ALIGN_H_

#include <span>

#include "ingest/importers/importer.h"
#include "trace/source_writer.h"
#include "trace/trace.h"

namespace xsp::align {

/// One file that was read. Both are borrowed.
struct Source {
  const ImporterSpec* importer;
  trace::SourceWriter* writer;
};

/// Puts the files of one import, all of them read, on one clock:
///   1. Files of one boot get one distance of its monotonic clock to 1970: that of the first.
///   2. A file whose clock is kEpoch, or whose times are past 2001 (no machine has been up for
///      thirty years), counts from 1970. It stays, but for 3. If there is such a file the trace
///      counts from 1970, else from an origin of its own (Trace::clock_origin).
///   3. A file whose zone was assumed and that does not overlap with the files of 2 moves by the
///      whole quarters of an hour that make it overlap with them most, where only one number of
///      them does.
///   4. Monotonic files stay as they are to each other. If there is a file of 2 they move together:
///      the earliest of them starts when the earliest timeline of 2 does (without one, the earliest
///      file of 2).
///   5. A file with an origin of its own starts at that time, too; without files of 2, when the
///      earliest monotonic file does, without these at 0. A file that is alone stays.
/// What 4 and 5 move is counted under the diagnostic of its importer, else under
/// `align_assumed_start`; what 3 moves under `align_other_zone`, or, where no zone or more than one
/// makes it overlap, under `align_no_overlap`.
///
/// O(files), plus a pass over the times of each file that moves or whose clock its importer left
/// open.
void Align(std::span<const Source> sources, trace::Trace& trace);

}  // namespace xsp::align

#endif  // XSP_INGEST_ALIGN_ALIGN_H_
