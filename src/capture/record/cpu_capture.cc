// The print functions below take the place of the C library's: fortified inline copies of them must
// not be in the way.
#undef _FORTIFY_SOURCE
#define __NO_INLINE__ 1

#include "capture/record/cpu_capture.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "capture/record/verbose_format.h"
#include "capture/record/verbose_line.h"
#include "capture/wire/xsp.h"

namespace xsp::record {
namespace {

constexpr std::size_t kLongestLine = 16 * 1024;
constexpr std::size_t kKindCount = 32;
constexpr std::size_t kLongestKind = 47;

std::atomic<bool> capturing{false};
std::atomic<KernelSink> kernel_sink{nullptr};
std::atomic<std::uint64_t> kernels{0}, other_lines{0}, truncated_lines{0};

struct Kind {
  char text[kLongestKind + 1];
  std::size_t length;
  xsp_string id;
};

/// Plain data, so that a thread's first line needs no constructor and no exit handler.
struct ThreadState {
  char line[kLongestLine];  ///< A verbose line that came in pieces, so far.
  std::size_t length;
  bool cut;  ///< The line did not fit.
  Kind kinds[kKindCount];
  std::size_t kind_count;
};

thread_local ThreadState state;

struct Names {
  xsp_string primitive = xsp_intern("primitive", 9);
  xsp_string raw = xsp_intern("raw", 3);
};

const Names& CommonNames() {
  static const Names names;
  return names;
}

/// The id of a kind, from this thread's list of the few that there are.
xsp_string KindId(std::string_view kind) {
  for (std::size_t i = 0; i < state.kind_count; ++i) {
    const Kind& known = state.kinds[i];
    if (known.length == kind.size() && std::memcmp(known.text, kind.data(), kind.size()) == 0) {
      return known.id;
    }
  }
  const xsp_string id = xsp_intern(kind.data(), kind.size());
  if (state.kind_count < kKindCount && kind.size() <= kLongestKind) {
    Kind& added = state.kinds[state.kind_count++];
    std::memcpy(added.text, kind.data(), kind.size());
    added.length = kind.size();
    added.id = id;
  }
  return id;
}

/// Records one whole line. `end_ns`: when its first piece was printed, just after the call ended.
void Record(std::string_view line, std::uint64_t end_ns) {
  VerboseLine parsed;
  if (!ParseExecution(line, parsed)) {
    other_lines.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (line.ends_with('\n')) line.remove_suffix(1);
  const std::uint64_t duration_ns = parsed.duration_ns < end_ns ? parsed.duration_ns : 0;
  const xsp_string kind = KindId(parsed.kind);
  kernels.fetch_add(1, std::memory_order_relaxed);
  if (const KernelSink sink = kernel_sink.load(std::memory_order_relaxed)) {
    return sink({kind, end_ns - duration_ns, duration_ns, line});
  }
  const xsp_span span = xsp_complete(XSP_LEVEL_KERNEL, CommonNames().primitive, kind,
                                     end_ns - duration_ns, duration_ns);
  if (span) xsp_attribute(span, CommonNames().raw, line.data(), line.size());
}

/// Ends the line in state.line.
void FinishLine(std::uint64_t end_ns) {
  if (state.cut) {
    truncated_lines.fetch_add(1, std::memory_order_relaxed);
  } else {
    Record({state.line, state.length}, end_ns);
  }
  state.length = 0;
  state.cut = false;
}

/// Records a whole line, or appends a piece to the line in state.line, up to its line feed. Returns
/// how much it took.
std::size_t TakePiece(const char* text, std::size_t size) {
  const char* feed = static_cast<const char*>(std::memchr(text, '\n', size));
  const std::size_t piece = feed ? static_cast<std::size_t>(feed - text) : size;
  if (feed && state.length == 0 && piece <= kLongestLine) {
    Record({text, piece}, xsp_now_ns());
    return piece + 1;
  }
  const std::size_t room = kLongestLine - state.length;
  if (piece > room) state.cut = true;
  const std::size_t kept = piece < room ? piece : room;
  std::memcpy(state.line + state.length, text, kept);
  state.length += kept;
  if (feed) FinishLine(xsp_now_ns());
  return piece + (feed ? 1 : 0);
}

bool MayCapture(std::FILE* file) {
  return file == stdout && capturing.load(std::memory_order_relaxed);
}

/// Takes what belongs to verbose lines from the front of a text for stdout. Returns how much.
std::size_t Take(const char* text, std::size_t size) {
  std::size_t taken = 0;
  while (taken < size && (state.length > 0 || IsVerbose({text + taken, size - taken}))) {
    taken += TakePiece(text + taken, size - taken);
  }
  return taken;
}

/// Whether a text made from `format` may be, or go on, a verbose line. Looks at the text itself
/// only where the format is nothing but "%s...".
bool MayBeVerbose(const char* format, va_list arguments) {
  if (state.length > 0) return true;
  // oneDNN 1.x and 2.x: "dnnl_verbose%s,exec,...", a time or nothing behind the name.
  const std::string_view text_format(format);
  if (text_format.starts_with("dnnl_verbose%s") || text_format.starts_with("onednn_verbose%s"))
    return true;
  if (format[0] != '%' || format[1] != 's') return IsVerbose(format);
  va_list copy;
  va_copy(copy, arguments);
  const char* text = va_arg(copy, const char*);
  va_end(copy);
  return text && IsVerbose(text);
}

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using VfprintfFunction = int (*)(std::FILE*, const char*, va_list);
using VfprintfChkFunction = int (*)(std::FILE*, int, const char*, va_list);
using VsnprintfFunction = int (*)(char*, std::size_t, const char*, va_list);
using VsnprintfChkFunction = int (*)(char*, std::size_t, int, std::size_t, const char*, va_list);
using FputsFunction = int (*)(const char*, std::FILE*);
using PutsFunction = int (*)(const char*);
using FwriteFunction = std::size_t (*)(const void*, std::size_t, std::size_t, std::FILE*);

int NextVfprintf(std::FILE* file, const char* format, va_list arguments) {
  static const auto next = Next<VfprintfFunction>("vfprintf");
  return next(file, format, arguments);
}

int NextVfprintfChk(std::FILE* file, int flag, const char* format, va_list arguments) {
  static const auto next = Next<VfprintfChkFunction>("__vfprintf_chk");
  return next(file, flag, format, arguments);
}

int NextVsnprintf(char* out, std::size_t room, const char* format, va_list arguments) {
  static const auto next = Next<VsnprintfFunction>("vsnprintf");
  return next(out, room, format, arguments);
}

int NextVsnprintfChk(char* out, std::size_t room, int flag, std::size_t size, const char* format,
                     va_list arguments) {
  static const auto next = Next<VsnprintfChkFunction>("__vsnprintf_chk");
  return next(out, room, flag, size, format, arguments);
}

std::size_t NextFwrite(const void* data, std::size_t size, std::size_t count, std::FILE* file) {
  static const auto next = Next<FwriteFunction>("fwrite");
  return next(data, size, count, file);
}

/// Takes the text of a format that is nothing but "%s", as oneDNN 3 prints: without a copy. What is
/// behind verbose lines goes on to stdout. False when none of it belongs to one.
bool TakeString(std::FILE* file, va_list arguments, int& result) {
  va_list copy;
  va_copy(copy, arguments);
  const char* text = va_arg(copy, const char*);
  va_end(copy);
  const std::size_t size = text ? std::strlen(text) : 0;
  const std::size_t taken = Take(text, size);
  if (taken == 0) return false;
  if (taken < size) NextFwrite(text + taken, 1, size - taken, file);
  result = static_cast<int>(size);
  return true;
}

/// Formats and takes the text; what is no verbose line after all goes on to stdout. False when it
/// must be printed as usual.
bool TakeFormatted(std::FILE* file, const char* format, va_list arguments, int& result) {
  if (!MayCapture(file)) return false;
  if (std::strcmp(format, "%s") == 0) return TakeString(file, arguments, result);
  if (!MayBeVerbose(format, arguments)) return false;
  char text[kLongestLine];
  va_list copy;
  va_copy(copy, arguments);
  result = NextVsnprintf(text, sizeof text, format, copy);
  va_end(copy);
  if (result < 0) return false;
  const auto whole = static_cast<std::size_t>(result);
  if (whole >= sizeof text) {
    // Too long for us. Only a line that surely is the libraries' own may be swallowed.
    if (state.length == 0 && !IsVerbose({text, sizeof text - 1})) return false;
    state.length = 0;
    state.cut = true;
    FinishLine(0);
    return true;
  }
  const std::size_t taken = Take(text, whole);
  if (taken < whole) NextFwrite(text + taken, 1, whole - taken, file);
  return true;
}

/// Makes the text of a line that the capture is going to take. False when it is the C library's to
/// make.
bool Format(char* out, std::size_t room, const char* format, va_list arguments, int& result) {
  if (!capturing.load(std::memory_order_relaxed) || !IsExecutionFormat(format)) return false;
  va_list copy;
  va_copy(copy, arguments);
  std::size_t length = 0;
  const bool made = FormatText(out, room, format, copy, length);
  va_end(copy);
  result = static_cast<int>(length);
  return made;
}

int Print(std::FILE* file, const char* format, va_list arguments) {
  int result = 0;
  if (TakeFormatted(file, format, arguments, result)) return result;
  return NextVfprintf(file, format, arguments);
}

int PrintChecked(std::FILE* file, int flag, const char* format, va_list arguments) {
  int result = 0;
  if (TakeFormatted(file, format, arguments, result)) return result;
  return NextVfprintfChk(file, flag, format, arguments);
}

}  // namespace

void StartCpuCapture() {
  CommonNames();
  capturing.store(true, std::memory_order_relaxed);
}

void StopCpuCapture() { capturing.store(false, std::memory_order_relaxed); }

void SetKernelSink(KernelSink sink) { kernel_sink.store(sink, std::memory_order_relaxed); }

CpuCaptureCounts CpuCaptureCountsSoFar() {
  return {kernels.load(std::memory_order_relaxed), other_lines.load(std::memory_order_relaxed),
          truncated_lines.load(std::memory_order_relaxed)};
}

}  // namespace xsp::record

// The C library's print functions, by their linker names.
extern "C" {

XSP_API int vfprintf(FILE* file, const char* format, va_list arguments) {
  return xsp::record::Print(file, format, arguments);
}

XSP_API int vprintf(const char* format, va_list arguments) {
  return xsp::record::Print(stdout, format, arguments);
}

XSP_API int printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = xsp::record::Print(stdout, format, arguments);
  va_end(arguments);
  return result;
}

XSP_API int fprintf(FILE* file, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = xsp::record::Print(file, format, arguments);
  va_end(arguments);
  return result;
}

XSP_API int __vfprintf_chk(FILE* file, int flag, const char* format, va_list arguments) {
  return xsp::record::PrintChecked(file, flag, format, arguments);
}

XSP_API int __vprintf_chk(int flag, const char* format, va_list arguments) {
  return xsp::record::PrintChecked(stdout, flag, format, arguments);
}

XSP_API int __printf_chk(int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = xsp::record::PrintChecked(stdout, flag, format, arguments);
  va_end(arguments);
  return result;
}

XSP_API int __fprintf_chk(FILE* file, int flag, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = xsp::record::PrintChecked(file, flag, format, arguments);
  va_end(arguments);
  return result;
}

XSP_API int vsnprintf(char* out, size_t room, const char* format, va_list arguments) {
  int result = 0;
  if (xsp::record::Format(out, room, format, arguments, result)) return result;
  return xsp::record::NextVsnprintf(out, room, format, arguments);
}

XSP_API int snprintf(char* out, size_t room, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = vsnprintf(out, room, format, arguments);
  va_end(arguments);
  return result;
}

XSP_API int __vsnprintf_chk(char* out, size_t room, int flag, size_t size, const char* format,
                            va_list arguments) {
  int result = 0;
  if (room <= size && xsp::record::Format(out, room, format, arguments, result)) return result;
  return xsp::record::NextVsnprintfChk(out, room, flag, size, format, arguments);
}

XSP_API int __snprintf_chk(char* out, size_t room, int flag, size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int result = __vsnprintf_chk(out, room, flag, size, format, arguments);
  va_end(arguments);
  return result;
}

XSP_API int fputs(const char* text, FILE* file) {
  static const auto next = xsp::record::Next<xsp::record::FputsFunction>("fputs");
  const std::size_t taken =
      xsp::record::MayCapture(file) ? xsp::record::Take(text, std::strlen(text)) : 0;
  return taken > 0 && text[taken] == '\0' ? 0 : next(text + taken, file);
}

XSP_API int puts(const char* text) {
  static const auto next = xsp::record::Next<xsp::record::PutsFunction>("puts");
  if (!xsp::record::MayCapture(stdout)) return next(text);
  const std::size_t taken = xsp::record::Take(text, std::strlen(text));
  // A line that is open now ends with the line feed that puts() adds.
  if (taken > 0 && text[taken] == '\0') {
    if (xsp::record::state.length > 0) xsp::record::TakePiece("\n", 1);
    return 0;
  }
  return next(text + taken);
}

XSP_API size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  if (!xsp::record::MayCapture(file)) return xsp::record::NextFwrite(data, size, count, file);
  const char* text = static_cast<const char*>(data);
  const std::size_t taken = xsp::record::Take(text, size * count);
  if (taken == 0) return xsp::record::NextFwrite(data, size, count, file);
  if (taken < size * count) xsp::record::NextFwrite(text + taken, 1, size * count - taken, file);
  return count;
}

}  // extern "C"
