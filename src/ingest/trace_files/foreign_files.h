#ifndef XSP_INGEST_TRACE_FILES_FOREIGN_FILES_H_
#define XSP_INGEST_TRACE_FILES_FOREIGN_FILES_H_

#include <filesystem>
#include <optional>
#include <string_view>

namespace xsp::trace_files {

/// A file of a known tool that no importer reads.
struct ForeignFile {
  std::string_view what;    ///< "an ONNX Runtime profile".
  std::string_view advice;  ///< What to do to see the same in XSP. Full sentences.
};

/// What a file is by its first bytes, and by its name where these do not tell; nothing: not known
/// either.
std::optional<ForeignFile> ForeignFileOf(std::string_view prefix,
                                         const std::filesystem::path& file);

}  // namespace xsp::trace_files

#endif  // XSP_INGEST_TRACE_FILES_FOREIGN_FILES_H_
