#ifndef XSP_RECORD_PROCESS_H_
#define XSP_RECORD_PROCESS_H_

#include <string_view>

#include "wire/xsp.h"

namespace xsp::record {

// How an injected library finds out what it is to do: environment variables that `xsp record` sets
// and every child of the program inherits (docs/record.md).

/// Folder that each process puts its recording into; without it nothing is recorded.
inline constexpr char kFolderVariable[] = "XSP_RECORD_FOLDER";
/// Bits of the levels to record, decimal (XSP_LEVEL_BIT); all without it.
inline constexpr char kLevelsVariable[] = "XSP_RECORD_LEVELS";

/// Records only while a range of this name is open: NAME or NAME@DOMAIN (record/control.h).
inline constexpr char kRangeVariable[] = "XSP_RECORD_RANGE";
/// "1" where oneDNN's primitives are recorded from what they announce (cpu_capture.h): whoever does
/// that sets it, so that nobody records the same work a second time.
inline constexpr char kCaptureVariable[] = "XSP_RECORD_CPU_CAPTURE";

/// Opens the recording of this process in the folder that the environment names, unless one is open
/// already (another injected library was first, or the program is one of our workers). With
/// XSP_RECORD_RANGE set it starts held (XSP_START_HELD).
/// Returns whether one is open now. Any thread; several may call it at once.
bool OpenRecording();

/// Bits of the levels that the environment asks for (XSP_LEVEL_BIT; with kernels the library calls
/// that launch them), whether or not recording is
/// held or switched off just now.
unsigned AskedLevels();

/// The value of an environment variable; empty where it is not set. Any thread, as long as the
/// program does not change its environment meanwhile.
std::string_view Environment(const char* name);

/// Keeps a problem of the recording itself, as the fact "problem.NAME": the importer shows it as
/// the diagnostic NAME. `what` says what is missing in the recording, `hint` what to do. Nothing is
/// printed: the streams are the program's.
void ReportProblem(std::string_view name, std::string_view what, std::string_view hint);

/// Interns a literal.
inline xsp_string Intern(std::string_view text) { return xsp_intern(text.data(), text.size()); }

}  // namespace xsp::record

#endif  // XSP_RECORD_PROCESS_H_
