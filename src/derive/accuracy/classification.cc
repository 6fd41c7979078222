#include "derive/accuracy/classification.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace xsp::accuracy {
namespace {

struct Counts {
  std::size_t hits = 0;       // True positives.
  std::size_t labelled = 0;   // Samples with this label.
  std::size_t predicted = 0;  // Samples predicted to have it.
};

double Ratio(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

ClassScore ScoreOf(std::int64_t label, const Counts& counts) {
  return {.label = label,
          .support = counts.labelled,
          .precision = Ratio(counts.hits, counts.predicted),
          .recall = Ratio(counts.hits, counts.labelled),
          .f1 = Ratio(2 * counts.hits, counts.labelled + counts.predicted)};
}

Status CheckPairs(std::span<const std::int64_t> labels, std::span<const std::int64_t> predictions) {
  if (labels.size() != predictions.size())
    return Error{ErrorKind::kBadInput,
                 fmt::format("labels and predictions differ in number: {} labels, {} predictions",
                             labels.size(), predictions.size()),
                 "give one prediction for each label"};
  if (labels.empty())
    return Error{ErrorKind::kBadInput, "there are no labels to score against",
                 "give at least one labelled sample"};
  return Ok{};
}

}  // namespace

std::vector<std::size_t> TopK(std::span<const float> scores, std::size_t k) {
  std::vector<std::size_t> order;
  order.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (!std::isnan(scores[i])) order.push_back(i);
  const std::size_t kept = std::min(k, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
                    [&](std::size_t a, std::size_t b) {
                      return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
                    });
  order.resize(kept);
  return order;
}

Result<double> TopKAccuracy(std::span<const float> scores, std::size_t classes,
                            std::span<const std::int64_t> labels, std::size_t k) {
  if (labels.empty())
    return Error{ErrorKind::kBadInput, "there are no labels to score against",
                 "give at least one labelled sample"};
  if (k == 0) return Error{ErrorKind::kUsage, "top-k accuracy needs a k of at least 1: 0", ""};
  if (classes == 0 || scores.size() / classes != labels.size() || scores.size() % classes != 0)
    return Error{ErrorKind::kBadInput,
                 fmt::format("scores do not fit the labels: {} scores, {} classes, {} labels",
                             scores.size(), classes, labels.size()),
                 "give one row of scores, one per class, for each label"};
  std::size_t hits = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::int64_t label = labels[row];
    if (label < 0 || static_cast<std::uint64_t>(label) >= classes)
      return Error{ErrorKind::kBadInput,
                   fmt::format("a label is no class of the model: {} in row {}, classes 0 to {}",
                               label, row, classes - 1),
                   "check whether the labels count from 0 and belong to this model"};
    const auto scores_of_row = scores.subspan(row * classes, classes);
    const float mine = scores_of_row[static_cast<std::size_t>(label)];
    if (std::isnan(mine)) continue;
    std::size_t before = 0;  // What a stable descending sort puts before the label.
    for (std::size_t i = 0; i < classes; ++i)
      before += scores_of_row[i] > mine ||
                (scores_of_row[i] == mine && i < static_cast<std::size_t>(label));
    hits += before < k;
  }
  return Ratio(hits, labels.size());
}

Result<double> TopKAccuracy(std::span<const std::vector<std::int64_t>> ranked,
                            std::span<const std::int64_t> labels, std::size_t k) {
  if (labels.empty())
    return Error{ErrorKind::kBadInput, "there are no labels to score against",
                 "give at least one labelled sample"};
  if (k == 0) return Error{ErrorKind::kUsage, "top-k accuracy needs a k of at least 1: 0", ""};
  if (ranked.size() != labels.size())
    return Error{
        ErrorKind::kBadInput,
        fmt::format("predictions do not fit the labels: {} and {}", ranked.size(), labels.size()),
        "give one list of classes for each label"};
  std::size_t hits = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const auto first = std::span(ranked[row]).first(std::min(k, ranked[row].size()));
    hits += std::find(first.begin(), first.end(), labels[row]) != first.end();
  }
  return Ratio(hits, labels.size());
}

Result<F1Scores> ScoreClasses(std::span<const std::int64_t> labels,
                              std::span<const std::int64_t> predictions) {
  XSP_RETURN_IF_ERROR(CheckPairs(labels, predictions));
  std::map<std::int64_t, Counts> classes;
  std::size_t equal = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    ++classes[labels[i]].labelled;
    ++classes[predictions[i]].predicted;
    if (labels[i] != predictions[i]) continue;
    ++classes[labels[i]].hits;
    ++equal;
  }
  F1Scores scores;
  scores.accuracy = Ratio(equal, labels.size());
  // Every sample is one label and one prediction: 2 TP / (2 TP + FP + FN) over all is the accuracy.
  scores.micro_f1 = scores.accuracy;
  double sum = 0, weighted = 0;
  for (const auto& [label, counts] : classes) {
    scores.classes.push_back(ScoreOf(label, counts));
    sum += scores.classes.back().f1;
    weighted += scores.classes.back().f1 * static_cast<double>(counts.labelled);
  }
  scores.macro_f1 = sum / static_cast<double>(scores.classes.size());
  scores.weighted_f1 = weighted / static_cast<double>(labels.size());
  return scores;
}

Result<ClassScore> ScoreBinary(std::span<const std::int64_t> labels,
                               std::span<const std::int64_t> predictions, std::int64_t positive) {
  XSP_RETURN_IF_ERROR(CheckPairs(labels, predictions));
  Counts counts;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    counts.labelled += labels[i] == positive;
    counts.predicted += predictions[i] == positive;
    counts.hits += labels[i] == positive && predictions[i] == positive;
  }
  return ScoreOf(positive, counts);
}

}  // namespace xsp::accuracy
