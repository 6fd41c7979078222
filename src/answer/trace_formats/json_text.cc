#include "answer/trace_formats/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "core/utf8.h"

namespace xsp::trace_formats {

std::string JsonQuoted(std::string_view text) {
  return core::JsonText(nlohmann::json(core::ToCleanUtf8(text)));
}

std::string JsonNumber(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

std::string Microseconds(std::int64_t ns) {
  // By magnitude: the remainder of a negative number is negative.
  const std::uint64_t size =
      ns < 0 ? -static_cast<std::uint64_t>(ns) : static_cast<std::uint64_t>(ns);
  return fmt::format("{}{}.{:03}", ns < 0 ? "-" : "", size / 1000, size % 1000);
}

}  // namespace xsp::trace_formats
