#ifndef XSP_CAPTURE_RECORD_VERBOSE_FORMAT_H_
#define XSP_CAPTURE_RECORD_VERBOSE_FORMAT_H_

#include <cstdarg>
#include <cstddef>

namespace xsp::record {

/// Whether oneDNN 3 makes the text of an executed primitive with this format. It does so twice,
/// once for its length, and with cold caches the C library needs some 10 us for that.
bool IsExecutionFormat(const char* format);

/// What vsnprintf() does in the "C" locale, for formats of nothing but %s, %d, %g and %%: at most
/// `room` bytes of `out` with the zero behind them; `length` is that of the whole text. `arguments`
/// is read, also when the result is false: the format holds something else, a null string or a
/// number that is not finite, and the C library is to be asked (with a copy made before). Allocates
/// nothing.
bool FormatText(char* out, std::size_t room, const char* format, va_list arguments,
                std::size_t& length);

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_VERBOSE_FORMAT_H_
