#include "capture/record/verbose_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>

namespace xsp::record {
namespace {

/// A text that may be longer than the room it has.
class Text {
 public:
  Text(char* out, std::size_t room) : out_(out), room_(room) {}

  void Append(const char* text, std::size_t size) {
    if (length_ < room_) std::memcpy(out_ + length_, text, std::min(size, room_ - length_));
    length_ += size;
  }

  std::size_t End() {
    if (room_ > 0) out_[std::min(length_, room_ - 1)] = '\0';
    return length_;
  }

 private:
  char* out_;
  std::size_t room_;
  std::size_t length_ = 0;
};

}  // namespace

bool IsExecutionFormat(const char* format) {
  constexpr std::string_view kFormat = "%sprimitive,exec%s";
  return format[0] == '%' && std::strncmp(format, kFormat.data(), kFormat.size()) == 0;
}

bool FormatText(char* out, std::size_t room, const char* format, va_list arguments,
                std::size_t& length) {
  constexpr int kDigits = 6;  // Of %g.
  Text text(out, room);
  char digits[32];
  while (*format) {
    const std::size_t plain = std::strcspn(format, "%");
    text.Append(format, plain);
    format += plain;
    if (!*format) break;
    std::to_chars_result number{digits, {}};
    switch (format[1]) {
      case '%':
        text.Append("%", 1);
        break;
      case 's': {
        const char* string = va_arg(arguments, const char*);
        if (!string) return false;
        text.Append(string, std::strlen(string));
        break;
      }
      case 'd':
        number = std::to_chars(digits, std::end(digits), va_arg(arguments, int));
        break;
      case 'g': {
        const double value = va_arg(arguments, double);
        if (!std::isfinite(value)) return false;
        number =
            std::to_chars(digits, std::end(digits), value, std::chars_format::general, kDigits);
        break;
      }
      default:
        return false;
    }
    text.Append(digits, static_cast<std::size_t>(number.ptr - digits));
    format += 2;
  }
  length = text.End();
  return true;
}

}  // namespace xsp::record
