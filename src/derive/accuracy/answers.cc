#include "derive/accuracy/answers.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "core/utf8.h"
#include "derive/accuracy/unicode_text.h"

namespace xsp::accuracy {
namespace {

bool IsPunctuation(char byte) {
  return (byte >= '!' && byte <= '/') || (byte >= ':' && byte <= '@') ||
         (byte >= '[' && byte <= '`') || (byte >= '{' && byte <= '~');
}

bool IsArticle(std::string_view word) { return word == "a" || word == "an" || word == "the"; }

// Each maximal run of word characters that is an article becomes a space: \b(a|an|the)\b. A run may
// touch other characters ("–a–"), so this is not the same as dropping words.
std::string WithoutArticles(std::string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    std::size_t end = at;
    while (at < text.size() && IsWordCharacter(core::NextCharacter(text, at))) end = at;
    const std::string_view word = text.substr(start, end - start);
    if (IsArticle(word))
      kept.push_back(' ');
    else
      kept += word;
    kept += text.substr(end, at - end);  // The character that ended the run.
  }
  return kept;
}

std::size_t SharedWords(const std::vector<std::string_view>& a,
                        const std::vector<std::string_view>& b) {
  std::unordered_map<std::string_view, std::size_t> left;
  for (const std::string_view word : a) ++left[word];
  std::size_t shared = 0;
  for (const std::string_view word : b) {
    const auto found = left.find(word);
    if (found == left.end() || found->second == 0) continue;
    --found->second;
    ++shared;
  }
  return shared;
}

// `prediction` and `reference` are normalised.
double NormalisedF1(std::string_view prediction, std::string_view reference, SquadVersion version) {
  const auto predicted = SplitWords(prediction);
  const auto expected = SplitWords(reference);
  if (version == SquadVersion::k2_0 && (predicted.empty() || expected.empty()))
    return predicted.empty() && expected.empty() ? 1 : 0;
  const auto shared = static_cast<double>(SharedWords(predicted, expected));
  if (shared == 0) return 0;
  const double precision = shared / static_cast<double>(predicted.size());
  const double recall = shared / static_cast<double>(expected.size());
  return 2 * precision * recall / (precision + recall);
}

// Normalised references of one question.
std::vector<std::string> ReferencesOf(const std::vector<std::string>& texts, SquadVersion version) {
  std::vector<std::string> references;
  for (const std::string& text : texts) {
    std::string reference = NormaliseAnswer(text);
    if (version == SquadVersion::k2_0 && reference.empty()) continue;
    references.push_back(std::move(reference));
  }
  if (version == SquadVersion::k2_0 && references.empty()) references.emplace_back();
  return references;
}

}  // namespace

std::string NormaliseAnswer(std::string_view answer) {
  std::string text = Lowercase(answer);
  text.erase(std::remove_if(text.begin(), text.end(), IsPunctuation), text.end());
  text = WithoutArticles(text);
  std::string normal;
  for (const std::string_view word : SplitWords(text)) {
    if (!normal.empty()) normal.push_back(' ');
    normal += word;
  }
  return normal;
}

bool AnswersMatch(std::string_view prediction, std::string_view reference) {
  return NormaliseAnswer(prediction) == NormaliseAnswer(reference);
}

double AnswerF1(std::string_view prediction, std::string_view reference, SquadVersion version) {
  return NormalisedF1(NormaliseAnswer(prediction), NormaliseAnswer(reference), version);
}

Result<AnswerScores> ScoreAnswers(std::span<const std::string> predictions,
                                  std::span<const std::vector<std::string>> references,
                                  SquadVersion version) {
  if (predictions.size() != references.size())
    return Error{ErrorKind::kBadInput,
                 fmt::format("predictions and references differ in number: {} and {}",
                             predictions.size(), references.size()),
                 "give one list of references for each prediction"};
  if (predictions.empty())
    return Error{ErrorKind::kBadInput, "there are no answers to score",
                 "give at least one answered question"};
  AnswerScores sums;
  for (std::size_t i = 0; i < predictions.size(); ++i) {
    const std::vector<std::string> expected = ReferencesOf(references[i], version);
    if (expected.empty())
      return Error{ErrorKind::kBadInput, fmt::format("a question has no reference: question {}", i),
                   "score by the rules of SQuAD 2.0 where questions may have no answer"};
    const std::string prediction = NormaliseAnswer(predictions[i]);
    double exact = 0, f1 = 0;
    for (const std::string& reference : expected) {
      exact = std::max(exact, prediction == reference ? 1.0 : 0.0);
      f1 = std::max(f1, NormalisedF1(prediction, reference, version));
    }
    sums.exact_match += exact;
    sums.f1 += f1;
  }
  const auto questions = static_cast<double>(predictions.size());
  return AnswerScores{.exact_match = sums.exact_match / questions, .f1 = sums.f1 / questions};
}

}  // namespace xsp::accuracy
