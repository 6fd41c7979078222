#ifndef XSP_INGEST_IMPORTERS_KINETO_KINETO_IMPORTER_H_
#define XSP_INGEST_IMPORTERS_KINETO_KINETO_IMPORTER_H_

#include <cstddef>
#include <string>

#include "ingest/importers/importer.h"

namespace xsp::importers::kineto {

/// What is read at a time; the result does not depend on it.
inline constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

/// As ImporterSpec::import.
Status ImportKineto(const Source& source, trace::TraceWriter& writer, std::size_t chunk_bytes);

/// The same of one file's text.
Status ImportKinetoText(std::string text, trace::TraceWriter& writer, std::size_t chunk_bytes);

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_KINETO_IMPORTER_H_
