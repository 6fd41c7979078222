#ifndef XSP_INGEST_IMPORTERS_IMPORTER_H_
#define XSP_INGEST_IMPORTERS_IMPORTER_H_

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "trace/trace.h"

namespace xsp::importers {

/// The file or files of one execution that one import reads. Never empty.
struct Source {
  std::vector<std::filesystem::path> files;
};

/// Something an importer may have to report, with the words that help a user fix it.
struct DiagnosticSpec {
  std::string_view name;  ///< Stable id, snake_case, led by the importer's name.
  std::string_view help;  ///< What happened and what to do. Shown as the diagnostic's hint.
};

/// How sure an importer is that a file is of its format.
enum class Sniff { kNo, kGeneric, kCertain };

/// Everything the rest of XSP knows about a format. Static data: no code runs to register it.
struct ImporterSpec {
  std::string_view name;     ///< Stable id, snake_case; also the folder name.
  std::string_view summary;  ///< One line for `xsp import --help`, no full stop.
  std::string_view clock;    ///< Native clock and unit, e.g. "CLOCK_MONOTONIC, ns".
  std::span<const DiagnosticSpec> diagnostics;

  /// Judges the first bytes (at most kSniffBytes) of a file, by content only.
  Sniff (*sniff)(std::string_view prefix);

  /// Reads `source` into `writer`. Damage: a record that cannot be read is counted under a declared
  /// diagnostic and skipped. Errors (kBadInput) only when nothing meaningful can be read.
  Status (*import)(const Source& source, trace::TraceWriter& writer);
};

inline constexpr std::size_t kSniffBytes = std::size_t{256} << 10;

/// Every importer of this build, by folder name. Generated (cmake/XspModule.cmake).
std::span<const ImporterSpec* const> AllImporters();

}  // namespace xsp::importers

namespace xsp {
using importers::ImporterSpec;
}  // namespace xsp

#endif  // XSP_INGEST_IMPORTERS_IMPORTER_H_
