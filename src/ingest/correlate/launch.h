#ifndef XSP_INGEST_CORRELATE_LAUNCH_H_
#define XSP_INGEST_CORRELATE_LAUNCH_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Makes the launching call the parent of device work: a kernel-level span without a parent takes
/// the library-level span of the same correlation id, in its own process where the tracks say so.
/// Of several (a runtime call around a driver call) the one that started last is it. Work whose
/// launch is not in the trace is counted as `correlate_launch_missing`. O(n log n).
void PlaceByLaunch(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_LAUNCH_H_
