#ifndef XSP_INGEST_PRIMITIVES_PRIMITIVE_ATTRIBUTES_H_
#define XSP_INGEST_PRIMITIVES_PRIMITIVE_ATTRIBUTES_H_

#include <string_view>

#include "ingest/primitives/announcement.h"
#include "ingest/primitives/cost.h"
#include "trace/trace.h"

namespace xsp::primitives {

/// Puts what `announcement` says on `span`: attributes dtype, implementation, problem and
/// primitive_kind; metrics flops.<dtype>.<unit>, algorithmic_read_bytes and
/// algorithmic_write_bytes (provenance analytic). Where the cost is not kKnown the metrics are left
/// out. Returns the cost, so that the importer can count what has none.
Cost DescribePrimitive(trace::TraceWriter& writer, trace::SpanId span,
                       const Announcement& announcement);

/// The same from the line as the library printed it. False when the line cannot be read or its
/// cost is not known: the importer counts a diagnostic.
bool DescribePrimitive(trace::TraceWriter& writer, trace::SpanId span, std::string_view raw);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_PRIMITIVE_ATTRIBUTES_H_
