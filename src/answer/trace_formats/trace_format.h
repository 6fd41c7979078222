#ifndef XSP_ANSWER_TRACE_FORMATS_TRACE_FORMAT_H_
#define XSP_ANSWER_TRACE_FORMATS_TRACE_FORMAT_H_

#include <span>
#include <string_view>

#include "answer/trace_formats/exported_run.h"
#include "answer/trace_formats/output_file.h"
#include "core/result.h"

namespace xsp::trace_formats {

/// A file format of other programs that a run can be written in. Static data: no code runs to
/// register it.
struct TraceFormatSpec {
  std::string_view name;       ///< Value of `xsp export --format`; also the folder name.
  std::string_view summary;    ///< One line for `xsp export --help`, no full stop.
  std::string_view extension;  ///< Of the default file name, with its dot: ".trace.json".

  /// Writes the whole run. The caller commits the file. Errors: those of ExportedRun and of
  /// OutputFile.
  Status (*write)(const ExportedRun& run, OutputFile& out);
};

/// Every format of this build, by folder name. Generated (cmake/XspModule.cmake).
std::span<const TraceFormatSpec* const> AllTraceFormats();

}  // namespace xsp::trace_formats

#endif  // XSP_ANSWER_TRACE_FORMATS_TRACE_FORMAT_H_
