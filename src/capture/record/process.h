#ifndef XSP_CAPTURE_RECORD_PROCESS_H_
#define XSP_CAPTURE_RECORD_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "capture/wire/xsp.h"

namespace xsp::record {

// How an injected library finds out what it is to do: environment variables that `xsp record` sets
// and every child of the program inherits (docs/record.md).

/// Folder that each process puts its recording into; without it nothing is recorded.
inline constexpr char kFolderVariable[] = "XSP_RECORD_FOLDER";
/// Bits of the levels to record, decimal (XSP_LEVEL_BIT); all without it.
inline constexpr char kLevelsVariable[] = "XSP_RECORD_LEVELS";

/// The most that a process's recording may take, in bytes, or with K, M or G (of 1024) behind it.
inline constexpr char kCapacityVariable[] = "XSP_RECORD_CAPACITY";
/// Without it: 33 million kernels with the calls that launched them. The file is sparse, and grows
/// as it is written; less is taken where address space or file sizes are limited.
inline constexpr std::uint64_t kDefaultCapacityBytes = std::uint64_t{4} << 30;

/// Records only while a range of this name is open: NAME or NAME@DOMAIN (capture/record/control.h).
inline constexpr char kRangeVariable[] = "XSP_RECORD_RANGE";
/// "1" where oneDNN's primitives are recorded from what they announce (cpu_capture.h): whoever does
/// that sets it, so that nobody records the same work a second time.
inline constexpr char kCaptureVariable[] = "XSP_RECORD_CPU_CAPTURE";
/// Sets of kernel metrics and raw names, parted by commas ("roofline,sm__cycles_active.avg"). Where
/// it is set, the CUDA library measures these in place of times: a run of its own (docs/cuda.md).
inline constexpr char kCudaMetricsVariable[] = "XSP_RECORD_CUDA_METRICS";

/// Bytes that a text as in XSP_RECORD_CAPACITY asks for; nothing: it is no such text, or asks for
/// none or for more than a file can have.
std::optional<std::uint64_t> ParseCapacity(std::string_view text);

/// Opens the recording of this process in the folder that the environment names, unless one is open
/// already (another injected library was first, or the program is one of our workers). With
/// XSP_RECORD_RANGE set it starts held (XSP_START_HELD). An XSP_RECORD_CAPACITY that is no size
/// leads to a diagnostic in the recording, which takes the default.
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

#endif  // XSP_CAPTURE_RECORD_PROCESS_H_
