#include "answer/wording/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace xsp::wording {
namespace {

struct Prefix {
  double factor;
  std::string_view symbol;
};

constexpr std::array<Prefix, 6> kSiPrefixes = {
    {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
constexpr std::array<Prefix, 4> kTimes = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "\u00b5s"}, {1, "ns"}}};

struct Prefixable {
  std::string_view unit;
  std::string_view symbol;
};

constexpr std::array<Prefixable, 7> kPrefixable = {{{"byte", "B"},
                                                    {"byte/s", "B/s"},
                                                    {"flop", "FLOP"},
                                                    {"flop/s", "FLOP/s"},
                                                    {"op/s", "op/s"},
                                                    {"watt", "W"},
                                                    {"joule", "J"}}};

double MedianMagnitude(std::span<const double> values) {
  std::vector<double> magnitudes;
  for (double value : values)
    if (std::isfinite(value) && value != 0) magnitudes.push_back(std::abs(value));
  if (magnitudes.empty()) return 1;
  const auto middle = magnitudes.begin() + static_cast<std::ptrdiff_t>(magnitudes.size() / 2);
  std::nth_element(magnitudes.begin(), middle, magnitudes.end());
  return *middle;
}

template <std::size_t N>
const Prefix& Fit(const std::array<Prefix, N>& prefixes, double magnitude) {
  for (const Prefix& prefix : prefixes)
    // A value that would round up to 1000 of this prefix belongs to the next.
    if (magnitude >= prefix.factor * 0.9995) return prefix;
  return prefixes.back();
}

}  // namespace

std::string FormatRatio(double ratio) {
  return fmt::format(fmt::runtime(std::abs(ratio) < 1e4 ? "{:.4g}" : "{:.0f}"), ratio);
}

std::string Percent(double share) { return FormatQuantity(share, "1", true); }

bool IsShare(std::string_view column_name) {
  return column_name.ends_with("share") || column_name.ends_with("fraction") ||
         column_name.ends_with("percent") || column_name.find("share_") != std::string_view::npos ||
         column_name.find("fraction_of") != std::string_view::npos;
}

Scale ChooseScale(std::span<const double> values, std::string_view unit, bool is_share) {
  if (unit == "1") return is_share ? Scale{0.01, "%"} : Scale{1, ""};
  const double magnitude = MedianMagnitude(values);
  if (unit == "ns") {
    const Prefix& time = Fit(kTimes, magnitude);
    return {time.factor, std::string(time.symbol)};
  }
  for (const Prefixable& prefixable : kPrefixable) {
    if (unit != prefixable.unit) continue;
    const Prefix& prefix = Fit(kSiPrefixes, magnitude);
    return {prefix.factor, fmt::format("{}{}", prefix.symbol, prefixable.symbol)};
  }
  return {1, unit == "flop/byte" ? "FLOP/B" : std::string(unit)};
}

std::string Format(double value, const Scale& scale) {
  const double shown = value / scale.factor;
  if (!std::isfinite(shown)) return "-";
  if (shown == 0) return "0";
  const double magnitude = std::abs(shown);
  if (magnitude >= 99.95) return fmt::format("{:.0f}", shown);
  if (magnitude < 1e-4) return fmt::format("{:.2e}", shown);
  // Three significant digits: as many decimals as leave three from the first digit that counts.
  const int decimals = 2 - static_cast<int>(std::floor(std::log10(magnitude * 1.0005)));
  return fmt::format("{:.{}f}", shown, std::max(decimals, 0));
}

std::string FormatQuantity(double value, std::string_view unit, bool is_share) {
  const Scale scale = ChooseScale(std::span(&value, 1), unit, is_share);
  const std::string number = Format(value, scale);
  return scale.unit.empty() || number == "-" ? number : fmt::format("{} {}", number, scale.unit);
}

}  // namespace xsp::wording
