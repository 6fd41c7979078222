#ifndef XSP_INGEST_IMPORTERS_KINETO_COMMUNICATION_ATTRIBUTES_H_
#define XSP_INGEST_IMPORTERS_KINETO_COMMUNICATION_ATTRIBUTES_H_

#include "ingest/importers/trace_event.h"
#include "trace/trace.h"

namespace xsp::importers::kineto {

/// Says of the span of a communicating kernel or of a `record_param_comms` operator what PyTorch
/// (since 2.3) says of its collective: attributes `collective`, `process_group`,
/// `process_group_ranks`, `dtype`; metrics `group_size` and `message_bytes`, the larger of input
/// and output. Nothing where the event does not say.
void AddCollective(const Event& event, trace::SpanId span, trace::TraceWriter& writer);

/// Attribute `awaited_stream` of a `cuda_sync` event by which a stream or the host waits for
/// another stream's event.
void AddAwaitedStream(const Event& event, trace::SpanId span, trace::TraceWriter& writer);

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_COMMUNICATION_ATTRIBUTES_H_
