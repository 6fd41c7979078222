#ifndef XSP_INGEST_IMPORTERS_OTLP_PROTOBUF_BATCH_H_
#define XSP_INGEST_IMPORTERS_OTLP_PROTOBUF_BATCH_H_

#include <string_view>

#include "ingest/importers/otlp/span_record.h"

namespace xsp::importers::otlp {

/// Reads a serialised ExportTraceServiceRequest or TracesData, which are the same on the wire
/// (opentelemetry/proto/trace/v1/trace.proto). Several, one after another, are one. Unknown fields
/// are passed over. False: it is damaged before the first resource.
bool ReadProtobufBatches(std::string_view message, BatchVisitor& visitor);

/// Whether `prefix` begins as such a message: a resource with the key of an attribute, or a scope.
bool BeginsAsProtobuf(std::string_view prefix);

}  // namespace xsp::importers::otlp

#endif  // XSP_INGEST_IMPORTERS_OTLP_PROTOBUF_BATCH_H_
