#ifndef XSP_INGEST_IMPORTERS_OTLP_OTLP_IMPORTER_H_
#define XSP_INGEST_IMPORTERS_OTLP_OTLP_IMPORTER_H_

#include <cstddef>
#include <string>

#include "core/result.h"
#include "trace/source_writer.h"

namespace xsp::importers::otlp {

/// Imports a text in memory, in either encoding. Errors: as the importer's.
Status ImportOtlpText(std::string text, trace::SourceWriter& writer, std::size_t chunk_bytes);

}  // namespace xsp::importers::otlp

#endif  // XSP_INGEST_IMPORTERS_OTLP_OTLP_IMPORTER_H_
