#ifndef XSP_INGEST_IMPORTERS_IMPORTER_H_
#define XSP_INGEST_IMPORTERS_IMPORTER_H_

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "core/result.h"
#include "ingest/importers/sniff_input.h"
#include "trace/diagnostic.h"
#include "trace/source_writer.h"
#include "trace/trace.h"

namespace xsp::importers {

using trace::ClockDomain;
using trace::DiagnosticKind;
using trace::DiagnosticSpec;
using trace::Role;

/// What is read at a time unless asked otherwise.
inline constexpr std::size_t kReadBytes = std::size_t{1} << 20;

/// One file that an importer reads.
struct SourceFile {
  std::filesystem::path path;
  std::size_t chunk_bytes = kReadBytes;  ///< The result does not depend on it.
};

/// How a file of an importer gets a level of the stack that an analysis needs and that its
/// experiment lacks, in the words of the tool that wrote it.
struct LevelHint {
  std::string_view level;  ///< A level of levels/ that points have or lack.
  std::string_view text;   ///< Takes the place of the level's own `import`. Sentences.
};

/// How sure an importer is that a file is of its format.
enum class Sniff { kNo, kGeneric, kCertain };

/// Everything the rest of XSP knows about a format. Static data: no code runs to register it.
struct ImporterSpec {
  std::string_view name;     ///< Stable id, snake_case; also the folder name.
  std::string_view summary;  ///< One line for `xsp import --help`, no full stop.
  ClockDomain clock;         ///< Of its files, unless one states another (SourceWriter::SetClock).
  Role role;                 ///< Of its files, unless one states another (SourceWriter::SetRole).
  int priority;              ///< Files of several formats are read in rising order; the spec gives
                             ///< the reason.
  std::span<const DiagnosticSpec> diagnostics;

  /// One of `diagnostics`: a file of several that cannot be read is counted here and left out.
  /// Null: it fails the import.
  const DiagnosticSpec* unreadable_file = nullptr;
  /// One of `diagnostics`: counts a file that was put on the clock of the others by assumption
  /// (ingest/align). Null: ingest/align's own.
  const DiagnosticSpec* assumed_start = nullptr;

  /// Judges what is known of a file before it is read. Its content decides; its name only where
  /// content cannot.
  Sniff (*sniff)(const SniffInput& input);

  /// Reads one file through a writer of its own. Damage: a record that cannot be read is counted
  /// under a declared diagnostic and skipped. Errors (kBadInput) only when nothing meaningful can
  /// be read; then nothing with a time was written.
  Status (*import)(const SourceFile& file, trace::SourceWriter& writer);

  /// Adds what is known only when all files of the format are read. `writer` sees them, and files
  /// of formats that were read before. Null: nothing.
  void (*complete)(trace::TraceWriter& writer) = nullptr;

  /// Of the levels for which the tool has words of its own.
  std::span<const LevelHint> hints = {};
};

/// Every importer of this build, by folder name. Generated (cmake/XspModule.cmake).
std::span<const ImporterSpec* const> AllImporters();

}  // namespace xsp::importers

namespace xsp {
using importers::ImporterSpec;
}  // namespace xsp

#endif  // XSP_INGEST_IMPORTERS_IMPORTER_H_
