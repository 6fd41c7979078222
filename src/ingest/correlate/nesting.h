#ifndef XSP_INGEST_CORRELATE_NESTING_H_
#define XSP_INGEST_CORRELATE_NESTING_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Whether a span of level `child` may lie in one of level `parent`: one level up or more, or the
/// same level (operators nest in operators, ranges in ranges), but kernels hold nothing.
bool MayContain(trace::Level parent, trace::Level child);

/// Python functions nest as layers do: modules call them, and they call modules and operators.
///
/// Gives every span without a parent the innermost span of its track that contains it. Of all spans
/// y with y.start <= x.start and y.end >= x.end that MayContain x and come before x in the order
/// below, x's parent is the last one.
///
/// Order: start, then longest first, then level (outermost first), then id. So of two equal
/// intervals the outer level, or else the smaller id, is the parent; a zero-length span where one
/// span ends and the next starts belongs to the next; a span that overlaps another one only in part
/// is not its child (counted on threads, where it should not happen, as
/// `correlate_partial_overlap`). A span that never ended counts as longest at its start; it ends
/// with its parent, or with its track if it has none.
///
/// A parent given by the importer that would close a circle with one found here wins: the one found
/// here is dropped (`correlate_circle`). O(n log n), one track at a time.
void Nest(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_NESTING_H_
