#ifndef XSP_INGEST_IMPORTERS_OTLP_JSON_BATCH_H_
#define XSP_INGEST_IMPORTERS_OTLP_JSON_BATCH_H_

#include <cstddef>

#include "ingest/importers/byte_stream.h"
#include "ingest/importers/otlp/span_record.h"

namespace xsp::importers::otlp {

/// Reads OTLP/JSON: one ExportTraceServiceRequest or several one after another, with or without
/// line feeds (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). Unknown keys are
/// passed over. Memory: one span at a time. False: the text does not begin with an object that has
/// `resourceSpans`.
bool ReadJsonBatches(ByteStream& stream, std::size_t chunk_bytes, BatchVisitor& visitor);

}  // namespace xsp::importers::otlp

#endif  // XSP_INGEST_IMPORTERS_OTLP_JSON_BATCH_H_
