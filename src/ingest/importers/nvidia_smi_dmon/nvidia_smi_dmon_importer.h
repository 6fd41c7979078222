#ifndef XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_NVIDIA_SMI_DMON_IMPORTER_H_
#define XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_NVIDIA_SMI_DMON_IMPORTER_H_

#include <cstddef>
#include <string>

#include "ingest/importers/importer.h"

namespace xsp::importers::nvidia_smi_dmon {

/// ImporterSpec::import of a log's text.
Status ImportDmonText(std::string text, trace::SourceWriter& writer, std::size_t chunk_bytes);

}  // namespace xsp::importers::nvidia_smi_dmon

#endif  // XSP_INGEST_IMPORTERS_NVIDIA_SMI_DMON_NVIDIA_SMI_DMON_IMPORTER_H_
