#include "answer/suggest/suggestion_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/counted.h"

namespace xsp::suggest {
namespace {

using core::ByNumber;
using core::Counted;

std::string NameWithMachine(const Candidate& candidate) {
  const std::string& machine = candidate.identity.machine;
  std::string name = NameOf(candidate);
  if (!machine.empty() && machine != "not known") name += " (" + machine + ")";
  if (candidate.is_predicted) name += " [predicted]";
  return name;
}

bool Competes(const JudgedCandidate& judged) {
  return judged.standing == Standing::kFront || judged.standing == Standing::kDominated;
}

std::string BoundsText(const std::vector<Bound>& bounds) {
  std::vector<std::string> texts;
  for (const Bound& bound : bounds) texts.push_back(Describe(bound));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string ObjectivesText(const Suggestion& suggestion) {
  std::vector<std::string_view> names;
  for (const NamedMetric& objective : suggestion.objectives)
    names.push_back(InfoOf(objective.metric).name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Up to three names, and how many more.
std::string Names(const Suggestion& suggestion, const std::vector<std::size_t>& indices) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(kShown, indices.size()); ++i)
    names.push_back(NameOf(suggestion.judged[indices[i]].candidate));
  std::string text = fmt::format("{}", fmt::join(names, "; "));
  if (indices.size() > kShown) text += fmt::format(" and {} more", indices.size() - kShown);
  return text;
}

/// Others of the front that are as good as the recommended one in the first objective.
std::vector<std::size_t> EqualInFirst(const Suggestion& suggestion) {
  std::vector<std::size_t> equal;
  const MetricInfo& first = InfoOf(suggestion.objectives.front().metric);
  const Value& best = suggestion.judged[*suggestion.recommended].candidate.Of(first.metric);
  for (std::size_t i = 0; i < suggestion.judged.size(); ++i) {
    if (i == *suggestion.recommended || suggestion.judged[i].standing != Standing::kFront) continue;
    const Value& other = suggestion.judged[i].candidate.Of(first.metric);
    if (!IsBetter(best, other, first.direction) && !IsBetter(other, best, first.direction))
      equal.push_back(i);
  }
  return equal;
}

void SayRecommended(const Suggestion& suggestion, std::vector<std::string>& sentences) {
  if (!suggestion.recommended) return;
  const JudgedCandidate& best = suggestion.judged[*suggestion.recommended];
  const MetricInfo& first = InfoOf(suggestion.objectives.front().metric);
  const auto competing = std::ranges::count_if(suggestion.judged, Competes);
  std::string text = fmt::format("Recommended: {}: {}", NameWithMachine(best.candidate),
                                 FormatWithInterval(first.metric, best.candidate.Of(first.metric)));
  const std::vector<std::size_t> equal = EqualInFirst(suggestion);
  text += competing == 1
              ? ", the only candidate"
              : fmt::format(", the {}{} of {}", first.best, equal.empty() ? "" : " within the noise",
                            Counted(competing, "candidate"));
  if (!suggestion.bounds.empty())
    text += fmt::format(" {}{} {}", ByNumber(competing, "that keeps ", "that keep "),
                        "the bounds", BoundsText(suggestion.bounds));
  sentences.push_back(text + ".");
  if (best.fit == Fit::kMaybe)
    sentences.push_back(
        "It is not sure that it keeps the bounds: a bound lies in an interval, or the noise of a "
        "value is not known; no candidate surely does.");
  if (!equal.empty())
    sentences.push_back(fmt::format("Equally good in {} within the noise: {}.", first.name,
                                    Names(suggestion, equal)));
}

void SayFront(const Suggestion& suggestion, std::vector<std::string>& sentences) {
  const auto competing = std::ranges::count_if(suggestion.judged, Competes);
  if (competing == 0) return;
  std::size_t front = 0, unsure = 0;
  for (const JudgedCandidate& judged : suggestion.judged) {
    if (judged.standing != Standing::kFront) continue;
    ++front;
    if (judged.fit == Fit::kMaybe) ++unsure;
  }
  sentences.push_back(fmt::format(
      "{} of {} {} on the front: no other is better in one of {} beyond the noise and worse in "
      "none.",
      front, Counted(competing, "candidate"), ByNumber(front, "is", "are"),
      ObjectivesText(suggestion)));
  if (unsure > 0 && unsure < front)
    sentences.push_back(fmt::format("{} of them may not keep the bounds (fit: maybe).", unsure));
}

/// Of the candidates that do not keep bound `index` the one that comes nearest: of those that keep
/// the others, if there are any.
const JudgedCandidate* NearestTo(const Suggestion& suggestion, std::size_t index) {
  const MetricInfo& info = InfoOf(suggestion.bounds[index].metric);
  const JudgedCandidate* nearest = nullptr;
  for (const bool keeps_others : {true, false}) {
    for (const JudgedCandidate& judged : suggestion.judged) {
      if (judged.standing == Standing::kPredicted || judged.fits[index] != Fit::kNo) continue;
      std::vector<Fit> others = judged.fits;
      others[index] = Fit::kYes;
      const Fit fit = WorstFit(others);
      if (keeps_others && fit != Fit::kYes && fit != Fit::kMaybe) continue;
      const double value = judged.candidate.Of(info.metric).centre;
      const double best = nearest == nullptr ? 0 : nearest->candidate.Of(info.metric).centre;
      const bool is_low = info.direction == Direction::kLowIsBetter;
      if (nearest == nullptr || (is_low ? value < best : value > best)) nearest = &judged;
    }
    if (nearest != nullptr) break;
  }
  return nearest;
}

void SayExcluded(const Suggestion& suggestion, std::vector<std::string>& sentences) {
  const bool nothing_fits = std::ranges::none_of(suggestion.judged, Competes);
  std::size_t measured = 0;
  for (const JudgedCandidate& judged : suggestion.judged)
    measured += judged.standing == Standing::kPredicted ? 0U : 1U;
  if (nothing_fits && !suggestion.bounds.empty())
    sentences.push_back(fmt::format("No candidate keeps the bounds: {}.",
                                    BoundsText(suggestion.bounds)));
  for (std::size_t i = 0; i < suggestion.bounds.size(); ++i) {
    std::size_t excluded = 0, unknown = 0;
    for (const JudgedCandidate& judged : suggestion.judged) {
      if (judged.standing == Standing::kPredicted) continue;
      excluded += judged.fits[i] == Fit::kNo ? 1U : 0U;
      unknown += judged.fits[i] == Fit::kUnknown ? 1U : 0U;
    }
    if (excluded + unknown == 0) continue;
    const Bound& bound = suggestion.bounds[i];
    std::string text = fmt::format("{} excludes {} of {}", Describe(bound), excluded,
                                   Counted(measured, "candidate"));
    if (unknown > 0)
      text += fmt::format("; {} without a value", unknown);
    if (const JudgedCandidate* const nearest = nothing_fits ? NearestTo(suggestion, i) : nullptr)
      text += fmt::format("; nearest: {}: {}", NameWithMachine(nearest->candidate),
                          FormatWithInterval(bound.metric, nearest->candidate.Of(bound.metric)));
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    sentences.push_back(text + ".");
  }
}

void SayMethod(const Suggestion& suggestion, std::vector<std::string>& method) {
  std::size_t disturbed = 0, not_compared = 0, without_noise = 0;
  std::set<std::string> memory_of, energy_of;
  for (const JudgedCandidate& judged : suggestion.judged) {
    if (judged.standing == Standing::kNotCompared) ++not_compared;
    if (!Competes(judged)) continue;
    if (judged.candidate.is_disturbed) ++disturbed;
    const Value& latency = judged.candidate.Of(Metric::kLatency);
    if (latency.is_known() && !latency.has_interval()) ++without_noise;
    if (judged.candidate.Of(Metric::kMemory).is_known())
      memory_of.insert(judged.candidate.memory_of);
    if (judged.candidate.Of(Metric::kEnergy).is_known())
      energy_of.insert(judged.candidate.energy_of);
  }
  if (disturbed > 0)
    method.push_back(fmt::format(
        "{} {} measured while other programs used the machine: {} times may be too long",
        Counted(disturbed, "candidate"), ByNumber(disturbed, "was", "were"),
        ByNumber(disturbed, "its", "their")));
  if (not_compared > 0)
    method.push_back(
        fmt::format("{} not compared: a value of an objective or a bound is not known (standing: "
                    "not compared)",
                    Counted(not_compared, "candidate")));
  if (without_noise > 0)
    method.push_back(fmt::format(
        "{} without an interval: {} times are compared as they are, and never surely keep a bound",
        Counted(without_noise, "candidate"), ByNumber(without_noise, "its", "their")));
  if (memory_of.size() > 1)
    method.push_back(
        "memory is the peak of the process on CPUs, and what the framework allocates during a call "
        "on devices: compare it among machines of one kind only");
  if (energy_of.size() > 1)
    method.push_back(fmt::format("energy is that of different parts of machines ({}): compare it "
                                 "among machines with the same parts only",
                                 fmt::join(energy_of, "; ")));
  method.push_back(
      "throughput is that of calls one after another; `xsp run --scenario server` measures the "
      "rate under a load");
}

}  // namespace

void AddSentences(Suggestion& suggestion) {
  SayRecommended(suggestion, suggestion.sentences);
  SayFront(suggestion, suggestion.sentences);
  SayExcluded(suggestion, suggestion.sentences);
  SayMethod(suggestion, suggestion.method);
}

}  // namespace xsp::suggest
