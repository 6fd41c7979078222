#include "answer/findings/gain_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "answer/wording/quantity.h"

namespace xsp::findings {
namespace {

std::string Time(double ns) { return wording::FormatQuantity(ns, "ns"); }

std::string ShareOfWhole(double ns, const FoundGain& gain) {
  return fmt::format("{} of the {}", wording::Percent(ns / gain.whole_ns), gain.whole);
}

std::string Others(const FoundGain& gain) {
  std::vector<std::string> ids;
  for (const Overlap& overlap : gain.overlaps) ids.push_back(overlap.id);
  return fmt::format("{}", fmt::join(ids, ", "));
}

/// Less is rounding.
bool IsNothing(double ns, const FoundGain& gain) { return ns < 1e-9 * gain.whole_ns; }

/// Repeated measurements of a call rarely agree to less than a thousandth.
bool IsUnnoticeable(double ns, const FoundGain& gain) { return ns < 0.001 * gain.whole_ns; }

std::string NoGain(const FoundGain& gain) {
  if (!gain.overlaps.empty()) return fmt::format("counted in that of {}", Others(gain));
  if (!IsNothing(gain.gain.high_ns, gain))
    return fmt::format("none (below a thousandth of the {})", gain.whole);
  return gain.adds_up ? "none (its time is not on the critical path)" : "none";
}

}  // namespace

std::string GainText(const FoundGain& gain) {
  if (IsUnnoticeable(gain.gain.high_ns, gain)) return NoGain(gain);
  std::string text;
  if (IsUnnoticeable(gain.gain.ns, gain)) {
    text = fmt::format("at most {}, {}", Time(gain.gain.high_ns),
                       ShareOfWhole(gain.gain.high_ns, gain));
  } else {
    text = fmt::format("{} ({} to {}), {}", Time(gain.gain.ns), Time(gain.gain.low_ns),
                       Time(gain.gain.high_ns), ShareOfWhole(gain.gain.ns, gain));
  }
  if (!gain.adds_up && gain.whole != "program") text += ", in place of other gains";
  double others_ns = 0;
  for (const Overlap& overlap : gain.overlaps) others_ns += overlap.ns;
  if (!IsUnnoticeable(others_ns, gain))
    text += fmt::format("; another {} is counted in that of {}", Time(others_ns), Others(gain));
  return text;
}

std::string ShortGainText(const FoundGain& gain) {
  if (IsUnnoticeable(gain.gain.ns, gain)) return "";
  return fmt::format("Saves about {}, {}.", Time(gain.gain.ns), ShareOfWhole(gain.gain.ns, gain));
}

}  // namespace xsp::findings
