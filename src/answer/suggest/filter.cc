#include "answer/suggest/filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <utility>

#include "core/counted.h"
#include "core/nearest_word.h"

namespace xsp::suggest {
namespace {

char Lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), Lower);
  return lower;
}

/// Runs of letters and digits, in lower case.
std::set<std::string> WordsOf(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += Lower(c);
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) words.insert(word);
  return words;
}

bool StartsWith(std::string_view text, std::string_view beginning) {
  return LowerCase(text).starts_with(LowerCase(beginning));
}

/// One filter: what users call it, the value of a candidate that it looks at, and the test.
struct FilterRule {
  std::string_view name;
  std::vector<std::string> wanted;  ///< Of which one has to match; empty: no filter.
  std::function<std::string(const Candidate&)> value;
  std::function<bool(const Candidate&, const std::string&)> matches;
};

std::vector<FilterRule> RulesOf(const Question& question) {
  const auto task = [](const Candidate& one) { return one.task; };
  const auto model = [](const Candidate& one) { return one.identity.model; };
  const auto backend = [](const Candidate& one) { return one.identity.backend; };
  const auto precision = [](const Candidate& one) { return one.precision; };
  const auto device = [](const Candidate& one) { return one.identity.device; };
  const auto machine = [](const Candidate& one) { return one.identity.machine; };
  std::vector<std::string> tasks;
  if (!question.task.empty()) tasks.push_back(question.task);
  return {
      {"task", tasks, task,
       [](const Candidate& one, const std::string& text) { return HasWords(one.task, text); }},
      {"model", question.models, model,
       [](const Candidate& one, const std::string& text) {
         return LowerCase(one.identity.model) == LowerCase(text);
       }},
      {"backend", question.backends, backend,
       [](const Candidate& one, const std::string& text) {
         return LowerCase(one.worker) == LowerCase(text) || StartsWith(one.identity.backend, text);
       }},
      {"precision", question.precisions, precision,
       [](const Candidate& one, const std::string& text) {
         return LowerCase(one.precision) == LowerCase(text);
       }},
      {"device", question.devices, device,
       [](const Candidate& one, const std::string& text) {
         return StartsWith(one.identity.device, text);
       }},
      {"machine", question.machines, machine,
       [](const Candidate& one, const std::string& text) {
         return HasWords(one.identity.machine, text);
       }},
      {"machine", question.exact_machines, machine,
       [](const Candidate& one, const std::string& text) {
         // What follows is the number of cores.
         return one.identity.machine == text || one.identity.machine.starts_with(text + ", ");
       }},
  };
}

/// The error that no candidate has a wanted value: with the values that there are, the nearest
/// first.
Error NoneHas(const FilterRule& rule, const std::vector<Candidate>& candidates) {
  constexpr std::size_t kShown = 5;
  std::set<std::string> known, words;
  for (const Candidate& candidate : candidates) {
    if (rule.value(candidate).empty()) continue;
    known.insert(rule.value(candidate));
    words.merge(WordsOf(rule.value(candidate)));
  }
  const std::string wanted = fmt::format("{}", fmt::join(rule.wanted, ", "));
  std::string what = fmt::format("no candidate has the {}: {}", rule.name, wanted);
  if (known.empty())
    return {ErrorKind::kUsage, what,
            fmt::format("The {} of no experiment of the store is known.", rule.name), -1,
            std::string(rule.name)};
  std::vector<std::string_view> values(known.begin(), known.end());
  std::string hint;
  std::string_view nearest = core::NearestWord(wanted, values);
  if (nearest.empty()) {
    const std::vector<std::string_view> all(words.begin(), words.end());
    nearest = core::NearestWord(wanted, all);
  }
  if (!nearest.empty()) hint = fmt::format("Did you mean {}? ", nearest);
  const std::size_t more = values.size() > kShown ? values.size() - kShown : 0;
  values.resize(values.size() - more);
  hint += fmt::format("There are: {}", fmt::join(values, "; "));
  if (more > 0) hint += fmt::format(" and {} more", more);
  return {ErrorKind::kUsage, what, hint, -1, std::string(rule.name)};
}

}  // namespace

bool HasWords(std::string_view text, std::string_view words) {
  const std::set<std::string> has = WordsOf(text), wanted = WordsOf(words);
  return !wanted.empty() && std::ranges::includes(has, wanted);
}

Result<std::vector<Candidate>> Filter(const Question& question, std::vector<Candidate> candidates,
                                      std::vector<std::string>& method) {
  for (const FilterRule& rule : RulesOf(question)) {
    if (rule.wanted.empty()) continue;
    std::vector<Candidate> passed;
    std::size_t unknown = 0;
    for (const Candidate& candidate : candidates) {
      const auto matches = [&](const std::string& text) { return rule.matches(candidate, text); };
      if (std::ranges::any_of(rule.wanted, matches)) passed.push_back(candidate);
      if (rule.value(candidate).empty()) ++unknown;
    }
    if (passed.empty()) return NoneHas(rule, candidates);
    if (unknown > 0)
      method.push_back(fmt::format("{} left out: the {} is not known",
                                   core::Counted(unknown, "candidate"), rule.name));
    candidates = std::move(passed);
  }
  return candidates;
}

}  // namespace xsp::suggest
