#include "answer/suggest/suggestion_sentences.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "core/counted.h"

namespace xsp::suggest {
namespace {

using core::ByNumber;
using core::Counted;

/// The name, with the experiment where others have the same name: of other settings, or on another
/// machine.
std::string NameAmong(const Suggestion& suggestion, const Candidate& candidate) {
  std::string name = NameOf(candidate);
  const auto alike = std::ranges::count_if(suggestion.judged, [&](const JudgedCandidate& other) {
    return NameOf(other.candidate) == name;
  });
  if (alike > 1 && name != candidate.experiment) name += " [" + candidate.experiment + "]";
  return name;
}

std::string NameWithMachine(const Suggestion& suggestion, const Candidate& candidate) {
  const std::string& machine = candidate.identity.machine;
  std::string name = NameAmong(suggestion, candidate);
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
    names.push_back(NameAmong(suggestion, suggestion.judged[indices[i]].candidate));
  std::string text = fmt::format("{}", fmt::join(names, "; "));
  if (indices.size() > kShown) text += fmt::format(" and {} more", indices.size() - kShown);
  return text;
}

/// Whether `b` competes with `a`.
bool AreRivals(const Suggestion& suggestion, const JudgedCandidate& a, const JudgedCandidate& b) {
  return Competes(b) &&
         (suggestion.models_compete || a.candidate.identity.model == b.candidate.identity.model);
}

/// Others of the front that are not known to be worse than the recommended one in the first
/// objective.
struct Equals {
  std::vector<std::size_t> within_noise;
  std::vector<std::size_t> of_unknown_noise;  ///< The noise of one of the two is not known.
};

Equals EqualInFirst(const Suggestion& suggestion, std::size_t recommended) {
  Equals equal;
  const MetricInfo& first = InfoOf(suggestion.objectives.front().metric);
  const JudgedCandidate& best = suggestion.judged[recommended];
  const Value& value = best.candidate.Of(first.metric);
  for (std::size_t i = 0; i < suggestion.judged.size(); ++i) {
    const JudgedCandidate& other = suggestion.judged[i];
    if (i == recommended || other.standing != Standing::kFront ||
        !AreRivals(suggestion, best, other))
      continue;
    const Value& of_other = other.candidate.Of(first.metric);
    if (IsBetter(value, of_other, first.direction) || IsBetter(of_other, value, first.direction))
      continue;
    const bool is_known = value.has_interval() && of_other.has_interval();
    (is_known ? equal.within_noise : equal.of_unknown_noise).push_back(i);
  }
  return equal;
}

std::string RecommendedText(const Suggestion& suggestion, std::size_t index) {
  const JudgedCandidate& best = suggestion.judged[index];
  const MetricInfo& first = InfoOf(suggestion.objectives.front().metric);
  const auto rivals = std::ranges::count_if(suggestion.judged, [&](const JudgedCandidate& other) {
    return AreRivals(suggestion, best, other);
  });
  std::string text = fmt::format("Recommended: {}: {}", NameWithMachine(suggestion, best.candidate),
                                 FormatWithInterval(first.metric, best.candidate.Of(first.metric)));
  const Equals equal = EqualInFirst(suggestion, index);
  if (rivals == 1) {
    text +=
        suggestion.models_compete ? ", the only candidate" : ", the only candidate of the model";
  } else {
    text += fmt::format(
        ", the {}{} of {}{}", first.best, equal.within_noise.empty() ? "" : " within the noise",
        Counted(rivals, "candidate"), suggestion.models_compete ? "" : " of the model");
  }
  if (best.fit == Fit::kMaybe) {
    text += "; whether it keeps the bounds is not sure";
  } else if (!suggestion.bounds.empty()) {
    text += fmt::format(" that {} the bounds", ByNumber(rivals, "keeps", "keep"));
  }
  text += ".";
  if (!equal.within_noise.empty())
    text += fmt::format(" Equal within the noise: {}.", Names(suggestion, equal.within_noise));
  if (!equal.of_unknown_noise.empty())
    text += fmt::format(" Perhaps as good: {}: the noise is not known.",
                        Names(suggestion, equal.of_unknown_noise));
  return text;
}

void SayRecommended(const Suggestion& suggestion, std::vector<std::string>& sentences) {
  constexpr std::size_t kShown = 5;
  const std::size_t count = suggestion.recommended.size();
  for (std::size_t i = 0; i < std::min(kShown, count); ++i)
    sentences.push_back(RecommendedText(suggestion, suggestion.recommended[i]));
  if (count > kShown)
    sentences.push_back(
        fmt::format("{} more models have a recommendation (standing: front).", count - kShown));
  if (!suggestion.models_compete && count > 1)
    sentences.push_back(
        "Models do not compete with each other: the accuracy is not known of each of them, and by "
        "speed and size alone the smallest would always be the best. --compare-models takes them "
        "as interchangeable.");
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
  const bool is_one = suggestion.objectives.size() == 1;
  sentences.push_back(
      fmt::format("{} of {} {} on the front: beyond the noise, no other{} is better in {}{}{}.",
                  front, Counted(competing, "candidate"), ByNumber(front, "is", "are"),
                  suggestion.models_compete ? "" : " of the model", is_one ? "" : "one of ",
                  ObjectivesText(suggestion), is_one ? "" : " without being worse in another"));
  if (unsure > 0)
    sentences.push_back(fmt::format(
        "{} of the front may not keep the bounds (fit: maybe): a bound lies in an interval, or the "
        "noise of a value is not known.",
        unsure));
}

/// Whether the values of a candidate keep every bound but the one at `index`.
bool KeepsOthers(const std::vector<Bound>& bounds, std::size_t index, const Candidate& candidate) {
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (i != index && FitOf(Exact(candidate.Of(bounds[i].metric).centre), bounds[i]) != Fit::kYes)
      return false;
  return true;
}

/// Of the candidates that do not keep bound `index` the one that comes nearest: of those that keep
/// the others, if there are any.
const JudgedCandidate* NearestTo(const Suggestion& suggestion, std::size_t index) {
  const MetricInfo& info = InfoOf(suggestion.bounds[index].metric);
  const JudgedCandidate* nearest = nullptr;
  for (const bool keeps_others : {true, false}) {
    for (const JudgedCandidate& judged : suggestion.judged) {
      if (judged.standing == Standing::kPredicted || judged.fits[index] != Fit::kBroken) continue;
      if (keeps_others && !KeepsOthers(suggestion.bounds, index, judged.candidate)) continue;
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
  const bool nothing_fits = suggestion.recommended.empty();
  std::size_t measured = 0;
  for (const JudgedCandidate& judged : suggestion.judged)
    measured += judged.standing == Standing::kPredicted ? 0U : 1U;
  if (nothing_fits && !suggestion.bounds.empty())
    sentences.insert(sentences.begin(), fmt::format("No candidate keeps the bounds: {}.",
                                                    BoundsText(suggestion.bounds)));
  for (std::size_t i = 0; i < suggestion.bounds.size(); ++i) {
    std::size_t excluded = 0, unknown = 0;
    for (const JudgedCandidate& judged : suggestion.judged) {
      if (judged.standing == Standing::kPredicted) continue;
      excluded += judged.fits[i] == Fit::kBroken ? 1U : 0U;
      unknown += judged.fits[i] == Fit::kUnknown ? 1U : 0U;
    }
    if (excluded + unknown == 0) continue;
    const Bound& bound = suggestion.bounds[i];
    std::string text = fmt::format("{} excludes {} of {}", Describe(bound), excluded,
                                   Counted(measured, "candidate"));
    if (unknown > 0) text += fmt::format("; of {} it is not known", unknown);
    if (const JudgedCandidate* const nearest = nothing_fits ? NearestTo(suggestion, i) : nullptr)
      text += fmt::format("; nearest: {}: {}", NameWithMachine(suggestion, nearest->candidate),
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
    method.push_back(
        fmt::format("energy is that of different parts of machines ({}): compare it "
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
