#ifndef XSP_INGEST_TRACE_FILES_FOREIGN_FILES_H_
#define XSP_INGEST_TRACE_FILES_FOREIGN_FILES_H_

#include <optional>
#include <string_view>

#include "ingest/importers/sniff_input.h"

namespace xsp::trace_files {

/// A file of a known tool that no importer reads.
struct ForeignFile {
  std::string_view what;    ///< "an ONNX Runtime profile".
  std::string_view advice;  ///< What to do to see the same in XSP. Full sentences.
};

/// What a file is by its first bytes, by the tables or members of a database or an archive, and by
/// its name where these do not tell; nothing: not known either.
std::optional<ForeignFile> ForeignFileOf(const importers::SniffInput& input);

}  // namespace xsp::trace_files

#endif  // XSP_INGEST_TRACE_FILES_FOREIGN_FILES_H_
