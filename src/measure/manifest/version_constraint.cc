#include "measure/manifest/version_constraint.h"

#include <array>
#include <charconv>
#include <optional>

namespace xsp::manifest {
namespace {

constexpr int kParts = 4;

struct Version {
  std::array<int, kParts> numbers = {};
  int given = 0;
  bool any_after = false;  // 1.15.*
};

/// Reads a version from the front of `text` and takes it off; nothing when there is none.
std::optional<Version> TakeVersion(std::string_view& text) {
  Version version;
  while (version.given < kParts) {
    if (text.starts_with('*') && version.given > 0) {
      text.remove_prefix(1);
      version.any_after = true;
      return version;
    }
    int& number = version.numbers[static_cast<std::size_t>(version.given)];
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || number < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    ++version.given;
    if (!text.starts_with('.')) break;
    // "1.0.post1": the numbers end before the point.
    if (text.size() < 2 || ((text[1] < '0' || text[1] > '9') && text[1] != '*')) break;
    if (version.given == kParts) break;
    text.remove_prefix(1);
  }
  return version;
}

struct Comparison {
  std::string_view sign;
  Version version;
};

void SkipSpaces(std::string_view& text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
}

std::optional<Comparison> TakeComparison(std::string_view& text) {
  Comparison comparison{"==", {}};
  SkipSpaces(text);
  for (const std::string_view sign : {">=", "<=", "==", "!=", ">", "<"}) {
    if (!text.starts_with(sign)) continue;
    comparison.sign = sign;
    text.remove_prefix(sign.size());
    break;
  }
  SkipSpaces(text);
  const auto version = TakeVersion(text);
  if (!version) return std::nullopt;
  comparison.version = *version;
  if (version->any_after && comparison.sign != "==" && comparison.sign != "!=") return std::nullopt;
  SkipSpaces(text);
  if (text.empty()) return comparison;
  if (!text.starts_with(',')) return std::nullopt;
  text.remove_prefix(1);
  SkipSpaces(text);
  if (text.empty()) return std::nullopt;
  return comparison;
}

bool Holds(const Version& version, const Comparison& comparison) {
  const int compared = comparison.version.any_after ? comparison.version.given : kParts;
  int order = 0;
  for (int i = 0; i < compared && order == 0; ++i) {
    const auto at = static_cast<std::size_t>(i);
    order = version.numbers[at] - comparison.version.numbers[at];
  }
  if (comparison.sign == "==") return order == 0;
  if (comparison.sign == "!=") return order != 0;
  if (comparison.sign == ">=") return order >= 0;
  if (comparison.sign == "<=") return order <= 0;
  return comparison.sign == ">" ? order > 0 : order < 0;
}

}  // namespace

bool IsVersionConstraint(std::string_view constraint) {
  SkipSpaces(constraint);
  while (!constraint.empty())
    if (!TakeComparison(constraint)) return false;
  return true;
}

bool Satisfies(std::string_view text, std::string_view constraint) {
  if (!IsVersionConstraint(constraint)) return false;
  SkipSpaces(constraint);
  if (constraint.empty()) return true;
  const auto version = TakeVersion(text);
  if (!version) return false;
  while (!constraint.empty()) {
    const auto comparison = TakeComparison(constraint);
    if (!comparison || !Holds(*version, *comparison)) return false;
  }
  return true;
}

}  // namespace xsp::manifest
