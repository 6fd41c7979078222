#include "core/number_check.h"

#include <cmath>
#include <cstdlib>
#include <optional>

namespace xsp::core {
namespace {

std::optional<double> FiniteNumberIn(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace

std::string PositiveNumber(const std::string& text) {
  const std::optional<double> value = FiniteNumberIn(text);
  return value && *value > 0 ? "" : "not a positive number: " + text;
}

std::string NonNegativeNumber(const std::string& text) {
  const std::optional<double> value = FiniteNumberIn(text);
  return value && *value >= 0 ? "" : "not a number of at least 0: " + text;
}

}  // namespace xsp::core
