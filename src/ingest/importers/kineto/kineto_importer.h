#ifndef XSP_INGEST_IMPORTERS_KINETO_KINETO_IMPORTER_H_
#define XSP_INGEST_IMPORTERS_KINETO_KINETO_IMPORTER_H_

#include <cstddef>
#include <string>

#include "ingest/importers/importer.h"

namespace xsp::importers::kineto {

/// ImporterSpec::import of a file's text.
Status ImportKinetoText(std::string text, trace::SourceWriter& writer, std::size_t chunk_bytes);

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_KINETO_IMPORTER_H_
