#include "derive/compare/gate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/nearest_word.h"

namespace xsp::compare {
namespace {

constexpr std::array<std::string_view, 8> kMetrics = {"latency", "throughput", "memory", "device",
                                                      "energy",  "layer",      "module", "kernel"};
constexpr const char* kExample = "For example: --gate latency=3%,memory=5%,layer:conv*=10%";

bool HasPattern(GateMetric metric) { return metric >= GateMetric::kLayer; }

std::string_view Trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

Error UnknownMetric(std::string_view name) {
  const std::string_view meant = core::NearestWord(name, kMetrics);
  return {
      ErrorKind::kUsage, fmt::format("no such metric of a gate: {}", name),
      fmt::format("{}There are: {}", meant.empty() ? "" : fmt::format("Did you mean {}? ", meant),
                  fmt::join(kMetrics, ", "))};
}

Result<Gate> ParseGate(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0)
    return Error{ErrorKind::kUsage,
                 fmt::format("a gate is not of the form METRIC=SHARE: '{}'", text), kExample};
  const std::string_view what = Trimmed(text.substr(0, equals));
  const std::size_t colon = what.find(':');
  const std::string_view name = Trimmed(what.substr(0, colon));
  const auto found = std::ranges::find(kMetrics, name);
  if (found == kMetrics.end()) return UnknownMetric(name);
  Gate gate;
  gate.text = text;
  gate.metric = static_cast<GateMetric>(found - kMetrics.begin());
  if (colon != std::string_view::npos) gate.pattern = Trimmed(what.substr(colon + 1));
  if (HasPattern(gate.metric) && gate.pattern.empty())
    return Error{ErrorKind::kUsage, fmt::format("a gate on {} needs a pattern: {}", name, text),
                 fmt::format("For example: --gate '{}:*={}'", name, text.substr(equals + 1))};
  if (!HasPattern(gate.metric) && colon != std::string_view::npos)
    return Error{ErrorKind::kUsage, fmt::format("a gate on {} takes no pattern: {}", name, text),
                 "Patterns select rows: layer:PATTERN, module:PATTERN or kernel:PATTERN"};
  XSP_TRY(gate.limit, ParseShare(Trimmed(text.substr(equals + 1)), "a gate's limit"));
  if (gate.metric == GateMetric::kThroughput && gate.limit >= 1)
    return Error{ErrorKind::kUsage,
                 fmt::format("no throughput can fall by 100 % or more: {}", text),
                 "Give a share below 100%"};
  return gate;
}

/// Bytes of the character that begins `text`, which is not empty.
std::size_t CharacterSize(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) ++size;
  return size;
}

}  // namespace

std::string_view ToString(GateMetric metric) {
  return kMetrics.at(static_cast<std::size_t>(metric));
}

Result<double> ParseShare(std::string_view text, std::string_view of) {
  double number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  const std::string_view unit(end, static_cast<std::size_t>(last - end));
  if (error != std::errc() || !std::isfinite(number) || number < 0 ||
      !(unit.empty() || unit == "%"))
    return Error{ErrorKind::kUsage, fmt::format("{} is not a share of 0 or more: '{}'", of, text),
                 "For example: 3%, or 0.03"};
  if (unit.empty() && number >= 1)
    return Error{ErrorKind::kUsage,
                 fmt::format("{} of 1 or more needs a percent sign: '{}'", of, text),
                 fmt::format("Write {}% or {}%", text, number * 100)};
  return unit.empty() ? number : number / 100;
}

Result<std::vector<Gate>> ParseGates(std::span<const std::string> texts) {
  std::vector<Gate> gates;
  for (const std::string& all : texts) {
    std::string_view rest = all;
    for (bool is_last = false; !is_last;) {
      const std::size_t comma = rest.find(',');
      is_last = comma == std::string_view::npos;
      XSP_TRY(Gate gate, ParseGate(Trimmed(rest.substr(0, comma))));
      if (!is_last) rest.remove_prefix(comma + 1);
      const auto same = std::ranges::find_if(gates, [&](const Gate& other) {
        return other.metric == gate.metric && other.pattern == gate.pattern;
      });
      if (same == gates.end()) {
        gates.push_back(std::move(gate));
      } else if (same->limit != gate.limit) {
        return Error{ErrorKind::kUsage,
                     fmt::format("two limits for one gate: {} and {}", same->text, gate.text),
                     "Give one of them."};
      }
    }
  }
  return gates;
}

bool MatchesGlob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  // Where to go on if what follows the last `*` does not match here.
  std::size_t star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t += CharacterSize(text.substr(t));
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace xsp::compare
