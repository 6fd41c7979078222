#include "answer/suggest/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "answer/suggest/chosen_accuracy.h"
#include "answer/suggest/filter.h"
#include "answer/suggest/pareto.h"
#include "answer/suggest/suggestion_sentences.h"

namespace xsp::suggest {
namespace {

Error NoPrice(std::string field) {
  return {ErrorKind::kUsage, "cost needs the price of a machine per hour",
          "For example: --price 1.2, or of one machine --price H100=2.5", -1, std::move(field)};
}

bool IsAsked(const Question& question, Metric metric) {
  const auto is_it = [&](const auto& one) { return one.metric == metric; };
  return std::ranges::any_of(question.bounds, is_it) ||
         std::ranges::any_of(question.objectives, is_it);
}

/// The price of a candidate's machine per hour: of the entry with the most words that it has.
std::optional<double> PriceOf(const Question& question, const Candidate& candidate) {
  std::optional<double> price;
  std::size_t length = 0;
  for (const auto& [words, of_machine] : question.prices) {
    if (!words.empty() && !HasWords(candidate.identity.machine, words)) continue;
    if (price && words.size() < length) continue;
    price = of_machine;
    length = words.size();
  }
  return price;
}

Status SetCosts(const Question& question, std::vector<Candidate>& candidates) {
  for (const auto& of_machine : question.prices) {
    const std::string& words = of_machine.first;
    const auto has_it = [&](const Candidate& one) { return HasWords(one.identity.machine, words); };
    if (words.empty() || std::ranges::any_of(candidates, has_it)) continue;
    std::set<std::string> machines;
    for (const Candidate& one : candidates) machines.insert(one.identity.machine);
    return Error{ErrorKind::kUsage,
                 fmt::format("a price is for a machine of no candidate: {}", words),
                 fmt::format("There are: {}", fmt::join(machines, "; ")), -1, "price"};
  }
  for (Candidate& candidate : candidates)
    DeriveFromLatency(candidate, PriceOf(question, candidate));
  return Ok{};
}

bool IsBounded(const Question& question, Metric metric) {
  return std::ranges::any_of(question.bounds,
                             [&](const Bound& one) { return one.metric == metric; });
}

/// The objectives of a question that names none, the one that decides first.
std::vector<NamedMetric> DefaultObjectives(const Question& question,
                                           const std::vector<JudgedCandidate>& competing) {
  const auto all_have = [&](Metric metric) {
    return !competing.empty() && std::ranges::all_of(competing, [&](const JudgedCandidate& one) {
      return one.candidate.Of(metric).is_known();
    });
  };
  const auto any_has = [&](Metric metric) {
    return std::ranges::any_of(
        competing, [&](const JudgedCandidate& one) { return one.candidate.Of(metric).is_known(); });
  };
  std::vector<NamedMetric> objectives;
  const auto add = [&](Metric metric, bool is_wanted) {
    const bool is_there = std::ranges::any_of(
        objectives, [&](const NamedMetric& one) { return one.metric == metric; });
    if (is_wanted && !is_there) objectives.push_back({metric, ""});
  };
  add(Metric::kAccuracy, all_have(Metric::kAccuracy) && !IsBounded(question, Metric::kAccuracy));
  add(Metric::kCost, all_have(Metric::kCost));
  if (IsBounded(question, Metric::kLatency) || IsBounded(question, Metric::kLatencyP99))
    add(Metric::kThroughput, any_has(Metric::kThroughput));
  add(Metric::kLatency, true);
  add(Metric::kThroughput, any_has(Metric::kThroughput));
  // No prediction has the memory of another machine.
  add(Metric::kMemory,
      question.include_predicted ? all_have(Metric::kMemory) : any_has(Metric::kMemory));
  add(Metric::kEnergy, all_have(Metric::kEnergy));
  add(Metric::kAccuracy, all_have(Metric::kAccuracy));
  return objectives;
}

void JudgeBounds(const std::vector<Bound>& bounds, JudgedCandidate& judged) {
  for (const Bound& bound : bounds) {
    Fit fit = FitOf(judged.candidate.Of(bound.metric), bound);
    if (fit == Fit::kYes && judged.candidate.is_predicted) fit = Fit::kMaybe;
    judged.fits.push_back(fit);
  }
  judged.fit = WorstFit(judged.fits);
  if (judged.fit == Fit::kYes || judged.fit == Fit::kMaybe) return;
  judged.standing = judged.fit == Fit::kBroken ? Standing::kExcluded : Standing::kNotCompared;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (judged.fits[i] != judged.fit) continue;
    if (!judged.reason.empty()) judged.reason += "; ";
    judged.reason += judged.fit == Fit::kBroken
                         ? "not " + Describe(bounds[i])
                         : fmt::format("{} is not known", InfoOf(bounds[i].metric).name);
  }
}

void JudgeObjectives(const std::vector<NamedMetric>& objectives, JudgedCandidate& judged) {
  if (judged.standing != Standing::kFront) return;
  for (const NamedMetric& objective : objectives) {
    if (judged.candidate.Of(objective.metric).is_known()) continue;
    judged.standing = Standing::kNotCompared;
    judged.reason += fmt::format("{}{} is not known", judged.reason.empty() ? "" : "; ",
                                 InfoOf(objective.metric).name);
  }
}

/// Orders candidates: by standing, the first objective, then by what identifies them.
void Sort(const std::vector<NamedMetric>& objectives, std::vector<JudgedCandidate>& judged) {
  const MetricInfo& first = InfoOf(objectives.front().metric);
  const auto key = [&](const JudgedCandidate& one) {
    const Value& value = one.candidate.Of(first.metric);
    const double centre = first.direction == Direction::kLowIsBetter ? value.centre : -value.centre;
    return std::tuple<Standing, bool, double, const Identity&, const std::string&, std::int64_t>(
        one.standing, !value.is_known(), value.is_known() ? centre : 0.0, one.candidate.identity,
        one.candidate.experiment, one.candidate.point_id);
  };
  std::ranges::sort(
      judged, [&](const JudgedCandidate& a, const JudgedCandidate& b) { return key(a) < key(b); });
}

/// Candidates that compete with each other, by their indices among the judged.
using Group = std::vector<std::size_t>;

/// Those that may be on the front; by model, where models do not compete.
std::map<std::string, Group> GroupsOf(const Suggestion& suggestion) {
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < suggestion.judged.size(); ++i) {
    const JudgedCandidate& judged = suggestion.judged[i];
    if (judged.standing == Standing::kFront || judged.standing == Standing::kDominated)
      groups[suggestion.models_compete ? "" : judged.candidate.identity.model].push_back(i);
  }
  return groups;
}

std::vector<Direction> DirectionsOf(const Suggestion& suggestion) {
  std::vector<Direction> directions;
  for (const NamedMetric& objective : suggestion.objectives)
    directions.push_back(InfoOf(objective.metric).direction);
  directions.push_back(Direction::kHighIsBetter);
  return directions;
}

/// Of each objective; then whether it surely keeps the bounds, so that what only may keep them does
/// not dominate what does.
std::vector<ObjectiveValues> ValuesOf(const Suggestion& suggestion, const Group& group) {
  std::vector<ObjectiveValues> all;
  for (const std::size_t i : group) {
    ObjectiveValues& values = all.emplace_back();
    for (const NamedMetric& objective : suggestion.objectives)
      values.push_back(suggestion.judged[i].candidate.Of(objective.metric));
    values.push_back(Exact(suggestion.judged[i].fit == Fit::kYes ? 1 : 0));
  }
  return all;
}

/// What `a` is better in than `b` beyond the noise.
std::string BetterIn(const std::vector<NamedMetric>& objectives, const JudgedCandidate& a,
                     const JudgedCandidate& b) {
  std::vector<std::string_view> names;
  for (const NamedMetric& objective : objectives) {
    const MetricInfo& info = InfoOf(objective.metric);
    if (IsBetter(a.candidate.Of(info.metric), b.candidate.Of(info.metric), info.direction))
      names.push_back(info.name);
  }
  if (a.fit == Fit::kYes && b.fit != Fit::kYes) names.push_back("surely keeping the bounds");
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Sets the standing of those that others dominate.
void FindDominated(Suggestion& suggestion) {
  for (const auto& [name, group] : GroupsOf(suggestion)) {
    const ParetoFront front = FindFront(ValuesOf(suggestion, group), DirectionsOf(suggestion));
    for (std::size_t i = 0; i < group.size(); ++i)
      if (!front.on_front[i]) suggestion.judged[group[i]].standing = Standing::kDominated;
  }
}

/// Sets what dominates each candidate, and ties: by indices, once the judged are in their order.
void SetRelations(Suggestion& suggestion) {
  const std::vector<Direction> directions = DirectionsOf(suggestion);
  for (const auto& [name, group] : GroupsOf(suggestion)) {
    const std::vector<ObjectiveValues> values = ValuesOf(suggestion, group);
    for (std::size_t i = 0; i < group.size(); ++i) {
      JudgedCandidate& judged = suggestion.judged[group[i]];
      const bool is_on_front = judged.standing == Standing::kFront;
      // The front comes first.
      for (std::size_t other = 0; other < group.size() && !judged.dominated_by; ++other) {
        const JudgedCandidate& by = suggestion.judged[group[other]];
        if (!is_on_front && Dominates(values[other], values[i], directions)) {
          judged.dominated_by = group[other];
          judged.reason = fmt::format("#{} is better in {}", group[other],
                                      BetterIn(suggestion.objectives, by, judged));
        } else if (is_on_front && other != i && by.standing == Standing::kFront &&
                   AreTied(values[i], values[other], directions)) {
          judged.tied_with.push_back(group[other]);
        }
      }
    }
  }
}

/// The best of `pool` in the first objective; what is equal within the noise is decided by the
/// next, in the end by the first objective's centre.
std::size_t BestOf(const Suggestion& suggestion, Group pool) {
  for (const NamedMetric& objective : suggestion.objectives) {
    const MetricInfo& info = InfoOf(objective.metric);
    const auto value = [&](std::size_t i) -> const Value& {
      return suggestion.judged[i].candidate.Of(info.metric);
    };
    const bool is_low = info.direction == Direction::kLowIsBetter;
    const Value best = value(*std::ranges::min_element(
        pool, {}, [&](std::size_t i) { return is_low ? value(i).centre : -value(i).centre; }));
    std::erase_if(pool, [&](std::size_t i) { return IsBetter(best, value(i), info.direction); });
  }
  // The judged are in the order of the first objective.
  return pool.front();
}

/// Whether the values themselves, without their intervals, keep the bounds.
bool KeepsByCentre(const std::vector<Bound>& bounds, const Candidate& candidate) {
  return std::ranges::all_of(bounds, [&](const Bound& bound) {
    return FitOf(Exact(candidate.Of(bound.metric).centre), bound) == Fit::kYes;
  });
}

/// Of each group the best that surely keeps the bounds, else the best that may, as far as its
/// values keep them.
void Recommend(Suggestion& suggestion) {
  for (const auto& [name, group] : GroupsOf(suggestion)) {
    for (const Fit fit : {Fit::kYes, Fit::kMaybe}) {
      Group pool;
      std::ranges::copy_if(group, std::back_inserter(pool), [&](std::size_t i) {
        const JudgedCandidate& judged = suggestion.judged[i];
        return judged.standing == Standing::kFront && judged.fit == fit &&
               KeepsByCentre(suggestion.bounds, judged.candidate);
      });
      if (pool.empty()) continue;
      suggestion.recommended.push_back(BestOf(suggestion, std::move(pool)));
      break;
    }
  }
  std::ranges::sort(suggestion.recommended);
}

}  // namespace

std::string_view ToString(Standing standing) {
  constexpr std::array<std::string_view, 5> kNames = {"front", "dominated", "excluded",
                                                      "not compared", "predicted"};
  return kNames[static_cast<std::size_t>(standing)];
}

Result<Suggestion> Suggest(const Question& question, std::vector<Candidate> candidates) {
  Suggestion suggestion;
  suggestion.bounds = question.bounds;
  if (question.prices.empty() && IsAsked(question, Metric::kCost))
    return NoPrice(IsBounded(question, Metric::kCost) ? "bound" : "objective");
  XSP_TRY(candidates, Filter(question, std::move(candidates), suggestion.method));
  XSP_TRY(const ChosenAccuracy accuracy, ChooseAccuracy(question, candidates));
  suggestion.accuracy_metric = accuracy.metric;
  suggestion.dataset = accuracy.dataset;
  suggestion.method.insert(suggestion.method.end(), accuracy.notes.begin(), accuracy.notes.end());
  XSP_RETURN_IF_ERROR(SetCosts(question, candidates));
  for (Candidate& candidate : candidates) {
    JudgedCandidate judged{.candidate = std::move(candidate),
                           .fits = {},
                           .reason = {},
                           .dominated_by = {},
                           .tied_with = {}};
    JudgeBounds(suggestion.bounds, judged);
    if (judged.candidate.is_predicted && !question.include_predicted) {
      judged.standing = Standing::kPredicted;
      judged.reason = judged.candidate.prediction;
    }
    suggestion.judged.push_back(std::move(judged));
  }
  std::vector<JudgedCandidate> competing;
  std::ranges::copy_if(suggestion.judged, std::back_inserter(competing),
                       [](const JudgedCandidate& one) { return one.standing == Standing::kFront; });
  suggestion.objectives =
      question.objectives.empty() ? DefaultObjectives(question, competing) : question.objectives;
  suggestion.models_compete =
      question.compare_models ||
      std::ranges::any_of(suggestion.objectives,
                          [](const NamedMetric& one) { return one.metric == Metric::kAccuracy; });
  for (JudgedCandidate& judged : suggestion.judged) JudgeObjectives(suggestion.objectives, judged);
  FindDominated(suggestion);
  Sort(suggestion.objectives, suggestion.judged);
  SetRelations(suggestion);
  Recommend(suggestion);
  AddSentences(suggestion);
  return suggestion;
}

}  // namespace xsp::suggest
