#include "api/operations/date_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string_view>

#include "core/clock_text.h"

namespace xsp::api {
namespace {

/// The days of "30d" or "2w"; 0: it is neither.
int DaysOf(std::string_view text) {
  constexpr int kMaxDays = 36500;
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error != std::errc() || number <= 0 || number > kMaxDays) return 0;
  return unit == "d" ? number : unit == "w" ? std::min(7 * number, kMaxDays) : 0;
}

/// Whether it is the beginning of "2026-01-31T12:00:59", at least the year and the month, and of a
/// time that there is.
bool IsDate(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00T00:00:00";
  if (text.ends_with('Z')) text.remove_suffix(1);
  if (text.size() != 7 && text.size() != 10 && text.size() != 16 && text.size() != kForm.size())
    return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == '0' ? !is_digit : text[i] != kForm[i]) return false;
  }
  const auto number = [&](std::size_t at, int digits, unsigned missing) {
    unsigned value = missing;
    if (at < text.size()) std::from_chars(text.data() + at, text.data() + at + digits, value);
    return value;
  };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number(0, 4, 0))),
                                        std::chrono::month(number(5, 2, 1)),
                                        std::chrono::day(number(8, 2, 1))};
  return day.ok() && number(11, 2, 0) < 24 && number(14, 2, 0) < 60 && number(17, 2, 0) < 60;
}

}  // namespace

Result<std::string> DateOf(const std::string& text, const std::string& field) {
  if (text.empty()) return text;
  if (const int days = DaysOf(text); days > 0) {
    const auto then = std::chrono::system_clock::now() - std::chrono::hours(24 * days);
    return core::Rfc3339(std::chrono::system_clock::to_time_t(then));
  }
  std::string option = field;
  std::ranges::replace(option, '_', '-');
  if (!IsDate(text))
    return Error{
        .kind = ErrorKind::kUsage,
        .what = fmt::format("not a date: {}", text),
        .hint = fmt::format("As in --{} 2026-11-01, 2026-11-01T08:00 (UTC), 30d or 2w.", option),
        .field = field};
  return text.ends_with('Z') ? text.substr(0, text.size() - 1) : text;
}

}  // namespace xsp::api
