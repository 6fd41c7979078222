#ifndef XSP_INGEST_CORRELATE_PROMOTION_H_
#define XSP_INGEST_CORRELATE_PROMOTION_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Where a graph hides its operators (optimised or compiled graphs), makes layers of primitives:
/// when more than half of the time of all primitives (inside model spans, if there are any) lies
/// outside any operator, each of these gets a layer span around it of the same interval, its type
/// and name the primitive's kind, and `correlate_primitives_promoted` counts them. The decision is
/// one for the whole trace, so that every iteration has the same layers. Needs Nest(). O(n).
void PromotePrimitives(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_PROMOTION_H_
