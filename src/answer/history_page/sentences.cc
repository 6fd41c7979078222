#include "answer/history_page/sentences.h"

#include <fmt/format.h>

#include <cmath>

#include "answer/wording/quantity.h"
#include "core/change_points.h"
#include "core/counted.h"

namespace xsp::history_page {
namespace {

std::string Quantity(const history::Metric& metric, double value) {
  return wording::FormatQuantity(value, metric.Unit());
}

/// "+12.3 % (+10 to +15 %)"
std::string Relative(const core::Estimate& ratio) {
  return fmt::format("{:+.3g} % (95 % interval {:+.3g} to {:+.3g} %)", 100 * (ratio.centre - 1),
                     100 * (ratio.interval.low - 1), 100 * (ratio.interval.high - 1));
}

std::string StackText(const history::Change& change) {
  if (!change.knows_stack) return " The stack of one side is not known.";
  constexpr std::size_t kMaxFacts = 3;
  if (change.stack.empty()) return " Nothing of the stored stack differs there.";
  std::string text = " Of the stack, there changed: ";
  for (std::size_t i = 0; i < std::min(kMaxFacts, change.stack.size()); ++i) {
    const history::StackChange& one = change.stack[i];
    text += fmt::format("{}{} from {} to {}", i == 0 ? "" : "; ", one.key,
                        one.before.empty() ? "nothing" : one.before,
                        one.after.empty() ? "nothing" : one.after);
  }
  if (change.stack.size() > kMaxFacts)
    text += fmt::format("; and {}", core::Counted(change.stack.size() - kMaxFacts, "other fact"));
  return text + ".";
}

std::string ChangeSentence(const history::AnalysedHistory& analysed, std::size_t index,
                           const history::Change& change) {
  const history::Series& series = analysed.history.series[index];
  const history::Entry &before = series.entries[change.at - 1], &after = series.entries[change.at];
  const std::string where = fmt::format(
      "{}: between {} ({}) and {} ({})", history::TitleOf(series.key), before.experiment,
      before.created.substr(0, 10), after.experiment, after.created.substr(0, 10));
  const std::string metric = analysed.history.metric.Name();
  switch (change.verdict) {
    case history::ChangeVerdict::kBusy:
      return fmt::format(
          "{} the {} differs by {}, but the machine was busy in every experiment on one side: no "
          "change is claimed.",
          where, metric, Relative(change.ratio));
    case history::ChangeVerdict::kSpread:
      return fmt::format("{} the values of the {} spread differently, around the same level.",
                         where, metric) +
             StackText(change);
    default:
      return fmt::format("{} the {} changed by {}.", where, metric, Relative(change.ratio)) +
             StackText(change);
  }
}

std::string Overview(const history::AnalysedHistory& analysed, std::size_t index) {
  const history::Series& series = analysed.history.series[index];
  const history::Changes& changes = analysed.changes[index];
  const std::string title = history::TitleOf(series.key);
  if (series.entries.size() == 1)
    return fmt::format("{}: one experiment, {}; there is nothing to compare it with.", title,
                       Quantity(analysed.history.metric, series.entries.front().value));
  const std::string experiments = fmt::format(
      "{}: {} from {} to {}", title, core::Counted(series.entries.size(), "experiment"),
      series.entries.front().created.substr(0, 10), series.entries.back().created.substr(0, 10));
  if (series.entries.size() < core::kMinValuesForChange)
    return fmt::format("{}; a change point can be found from {} on.", experiments,
                       core::Counted(core::kMinValuesForChange, "experiment"));
  const std::string level = Quantity(analysed.history.metric, changes.segments.back().level.centre);
  if (changes.changes.empty())
    return fmt::format("{}; no change point was found; the level is {}.", experiments, level);
  return fmt::format("{}; {}; the level is now {}.", experiments,
                     core::Counted(changes.changes.size(), "change point"), level);
}

}  // namespace

std::vector<std::string> SentencesOf(const history::AnalysedHistory& analysed, std::size_t index) {
  std::vector<std::string> sentences = {Overview(analysed, index)};
  for (const history::Change& change : analysed.changes[index].changes)
    sentences.push_back(ChangeSentence(analysed, index, change));
  return sentences;
}

std::vector<std::string> MethodOf(const history::AnalysedHistory& analysed) {
  std::vector<std::string> method = {
      "A series holds the experiments of one model, backend (of any version), device, precision, "
      "batch size, settings and kind of machine.",
      "Change points are those of E-divisive (Matteson and James 2014) on logarithms, at 5 % for "
      "each series, with a permutation test that allows for neighbours that resemble each other.",
      "The level of a segment is a geometric mean, of experiments on a machine that was not busy "
      "if "
      "three or more of a segment are; ratios of two levels have the interval of Welch's t test "
      "over experiments.",
      "Between the two experiments at a change point, facts of the stack are compared, without "
      "those that change from moment to moment."};
  for (const history::LeftOut& one : analysed.history.left_out)
    method.push_back(fmt::format("Left out: {}: {}.", one.experiment, one.reason));
  return method;
}

}  // namespace xsp::history_page
