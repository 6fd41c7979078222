#include "answer/suggest/chosen_accuracy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace xsp::suggest {
namespace {

constexpr std::string_view kPreferred[] = {"top_1",       "ap",        "ap_mask", "bleu",
                                           "exact_match", "answer_f1", "macro_f1"};

Error WrongAccuracy(std::string what, const std::set<std::string>& known) {
  return {ErrorKind::kUsage, std::move(what),
          known.empty() ? std::string() : fmt::format("There are: {}", fmt::join(known, ", "))};
}

/// The metrics that objectives and bounds name.
std::set<std::string> NamedMetrics(const Question& question) {
  std::set<std::string> names;
  for (const Bound& bound : question.bounds) names.insert(bound.accuracy_metric);
  for (const NamedMetric& objective : question.objectives) names.insert(objective.accuracy_metric);
  names.erase("");
  return names;
}

std::string Preferred(const std::set<std::string>& metrics) {
  for (const std::string_view metric : kPreferred)
    if (metrics.contains(std::string(metric))) return std::string(metric);
  return *metrics.begin();
}

}  // namespace

Result<ChosenAccuracy> ChooseAccuracy(const Question& question,
                                      std::vector<Candidate>& candidates) {
  ChosenAccuracy chosen;
  const std::set<std::string> named = NamedMetrics(question);
  if (named.size() > 1)
    return WrongAccuracy(
        fmt::format("accuracy is asked for in two metrics: {}", fmt::join(named, ", ")), {});
  std::set<std::string> datasets, metrics;
  for (const Candidate& candidate : candidates)
    for (const Accuracy& one : candidate.accuracies) datasets.insert(one.dataset);
  if (datasets.empty()) {
    if (!question.dataset.empty())
      chosen.notes.push_back(fmt::format(
          "no candidate has an accuracy that means something on the data set {}: that needs "
          "trained weights and labels",
          question.dataset));
    return chosen;
  }
  if (!question.dataset.empty() && !datasets.contains(question.dataset))
    return WrongAccuracy(
        fmt::format("no candidate has an accuracy on the data set: {}", question.dataset),
        datasets);
  if (question.dataset.empty() && datasets.size() > 1) {
    chosen.notes.push_back(
        fmt::format("accuracy was measured on several data sets, which cannot be compared: {}; "
                    "--dataset chooses one",
                    fmt::join(datasets, ", ")));
    return chosen;
  }
  chosen.dataset = question.dataset.empty() ? *datasets.begin() : question.dataset;
  for (const Candidate& candidate : candidates)
    for (const Accuracy& one : candidate.accuracies)
      if (one.dataset == chosen.dataset) metrics.insert(one.metric);
  if (!named.empty() && !metrics.contains(*named.begin()))
    return WrongAccuracy(fmt::format("no candidate has this metric on the data set {}: {}",
                                     chosen.dataset, *named.begin()),
                         metrics);
  chosen.metric = named.empty() ? Preferred(metrics) : *named.begin();
  for (Candidate& candidate : candidates)
    for (const Accuracy& one : candidate.accuracies)
      if (one.dataset == chosen.dataset && one.metric == chosen.metric)
        candidate.Of(Metric::kAccuracy) = one.value;
  chosen.notes.push_back(fmt::format("accuracy is {} on {}", chosen.metric, chosen.dataset));
  return chosen;
}

}  // namespace xsp::suggest
