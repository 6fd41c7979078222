#include "derive/accuracy/bleu.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "derive/accuracy/unicode_text.h"

namespace xsp::accuracy {
namespace {

constexpr int kLongestOrder = 16;
// sacrebleu's logarithm of 0: far below any other, and finite.
constexpr double kLogOfZero = -9999999999;

bool IsDigit(char byte) { return byte >= '0' && byte <= '9'; }
bool IsPoint(char byte) { return byte == '.' || byte == ','; }

// ASCII punctuation and the space, but for ' , - and .
bool StandsAlone(char byte) {
  return (byte >= ' ' && byte <= '&') || (byte >= '(' && byte <= '+') || byte == '/' ||
         (byte >= ':' && byte <= '@') || (byte >= '[' && byte <= '`') ||
         (byte >= '{' && byte <= '~');
}

std::string Replace(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (;;) {
    const std::size_t found = text.find(from);
    result += text.substr(0, found);
    if (found == std::string_view::npos) return result;
    result += to;
    text.remove_prefix(found + from.size());
  }
}

// Puts spaces around both of every pair of neighbours that `first` and `second` accept, as far as
// the options say; pairs do not overlap, as in one re.sub of mteval's patterns. Bytes above 0x7f
// are never accepted by name, so that working on bytes and on characters is the same.
struct PairSpacing {
  bool before_first = false;
  bool after_second = false;
};
template <typename First, typename Second>
std::string SplitPairs(std::string_view text, PairSpacing spacing, First first, Second second) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !first(text[i]) || !second(text[i + 1])) {
      result.push_back(text[i]);
      continue;
    }
    if (spacing.before_first) result.push_back(' ');
    result.push_back(text[i]);
    result.push_back(' ');
    result.push_back(text[++i]);
    if (spacing.after_second) result.push_back(' ');
  }
  return result;
}

std::string JoinWords(const std::vector<std::string_view>& words) {
  std::string joined;
  for (const std::string_view word : words) {
    if (!joined.empty()) joined.push_back(' ');
    joined += word;
  }
  return joined;
}

// White space at the end goes first: "-\n" at the end of a line is a dash, not a hyphenation.
std::string_view WithoutTrailingSpace(std::string_view text) {
  const auto words = SplitWords(text);
  if (words.empty()) return {};
  const char* end = words.back().data() + words.back().size();
  return text.substr(0, static_cast<std::size_t>(end - text.data()));
}

std::string Preprocess(std::string_view text, const BleuOptions& options) {
  std::string lower;
  if (options.lowercase) text = lower = Lowercase(text);
  return options.tokenizer == BleuTokenizer::k13a ? Tokenize13a(WithoutTrailingSpace(text))
                                                  : JoinWords(SplitWords(text));
}

// N-grams of all orders, their words joined by spaces (no word holds one), with their counts.
struct Segment {
  std::unordered_map<std::string, std::int64_t> ngrams;
  std::int64_t length = 0;
};

Segment Analyse(const std::string& text, int max_order) {
  Segment segment;
  const auto words = SplitWords(text);
  segment.length = static_cast<std::int64_t>(words.size());
  const std::string_view whole = text;
  for (std::size_t start = 0; start < words.size(); ++start) {
    const auto offset = static_cast<std::size_t>(words[start].data() - text.data());
    const std::size_t end = std::min(words.size(), start + static_cast<std::size_t>(max_order));
    for (std::size_t last = start; last < end; ++last) {
      const auto stop =
          static_cast<std::size_t>(words[last].data() - text.data()) + words[last].size();
      ++segment.ngrams[std::string(whole.substr(offset, stop - offset))];
    }
  }
  return segment;
}

std::size_t OrderOf(const std::string& ngram) {
  return 1 + static_cast<std::size_t>(std::count(ngram.begin(), ngram.end(), ' '));
}

void AddSegment(const std::string& hypothesis, const std::vector<std::string>& references,
                const BleuOptions& options, Bleu& bleu) {
  const Segment mine = Analyse(Preprocess(hypothesis, options), options.max_order);
  std::unordered_map<std::string, std::int64_t> expected;
  std::int64_t closest = -1;
  for (const std::string& text : references) {
    const Segment reference = Analyse(Preprocess(text, options), options.max_order);
    for (const auto& [ngram, count] : reference.ngrams)
      expected[ngram] = std::max(expected[ngram], count);
    const std::int64_t distance = std::abs(mine.length - reference.length);
    const std::int64_t best = std::abs(mine.length - closest);
    if (closest < 0 || distance < best || (distance == best && reference.length < closest))
      closest = reference.length;
  }
  bleu.hypothesis_length += mine.length;
  bleu.reference_length += closest;
  for (const auto& [ngram, count] : mine.ngrams) {
    const std::size_t order = OrderOf(ngram) - 1;
    bleu.totals[order] += count;
    if (const auto found = expected.find(ngram); found != expected.end())
      bleu.matches[order] += std::min(count, found->second);
  }
}

double Precision(double matches, double total, const BleuOptions& options, double& halves) {
  if (matches > 0) return 100 * matches / total;
  if (options.smoothing == BleuSmoothing::kExp) return 100 / ((halves *= 2) * total);
  if (options.smoothing == BleuSmoothing::kFloor) return 100 * options.smoothing_value / total;
  return 0;
}

void Score(const BleuOptions& options, Bleu& bleu) {
  if (bleu.hypothesis_length < bleu.reference_length)
    bleu.brevity_penalty = bleu.hypothesis_length == 0
                               ? 0
                               : std::exp(1 - static_cast<double>(bleu.reference_length) /
                                                  static_cast<double>(bleu.hypothesis_length));
  if (std::all_of(bleu.matches.begin(), bleu.matches.end(), [](auto n) { return n == 0; })) return;
  double halves = 1;
  std::size_t order = bleu.precisions.size();
  for (std::size_t n = 0; n < bleu.precisions.size(); ++n) {
    const bool added = options.smoothing == BleuSmoothing::kAddK && n > 0;
    const double extra = added ? options.smoothing_value : 0;
    const double total = static_cast<double>(bleu.totals[n]) + extra;
    if (total == 0) break;
    if (options.effective_order) order = n + 1;
    bleu.precisions[n] =
        Precision(static_cast<double>(bleu.matches[n]) + extra, total, options, halves);
  }
  double sum = 0;
  for (std::size_t n = 0; n < order; ++n)
    sum += bleu.precisions[n] == 0 ? kLogOfZero : std::log(bleu.precisions[n]);
  bleu.score = bleu.brevity_penalty * std::exp(sum / static_cast<double>(order));
}

}  // namespace

std::string Tokenize13a(std::string_view line) {
  std::string text = Replace(line, "<skipped>", "");
  text = Replace(text, "-\n", "");
  text = Replace(text, "\n", " ");
  for (const auto& [from, to] :
       {std::pair{"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}})
    text = Replace(text, from, to);
  std::string spaced = " ";
  for (const char byte : text + " ") {
    if (StandsAlone(byte))
      spaced.append({' ', byte, ' '});
    else
      spaced.push_back(byte);
  }
  const auto not_digit = [](char byte) { return !IsDigit(byte); };
  // A point or comma stays only between digits, a dash unless a digit is before it.
  spaced = SplitPairs(spaced, {.after_second = true}, not_digit, IsPoint);
  spaced = SplitPairs(spaced, {.before_first = true}, IsPoint, not_digit);
  spaced = SplitPairs(spaced, {.after_second = true}, IsDigit, [](char b) { return b == '-'; });
  return JoinWords(SplitWords(spaced));
}

Result<Bleu> CorpusBleu(std::span<const std::string> hypotheses,
                        std::span<const std::vector<std::string>> references,
                        const BleuOptions& options) {
  if (hypotheses.size() != references.size())
    return Error{ErrorKind::kBadInput,
                 fmt::format("hypotheses and references differ in number: {} and {}",
                             hypotheses.size(), references.size()),
                 "give one list of references for each hypothesis"};
  if (hypotheses.empty())
    return Error{ErrorKind::kBadInput, "there are no hypotheses to score",
                 "give at least one translated segment"};
  if (options.max_order < 1 || options.max_order > kLongestOrder)
    return Error{ErrorKind::kUsage,
                 fmt::format("the longest n-gram of BLEU is out of range: {}", options.max_order),
                 fmt::format("use 1 to {}; 4 is the usual one", kLongestOrder)};
  Bleu bleu;
  const auto orders = static_cast<std::size_t>(options.max_order);
  bleu.matches.assign(orders, 0);
  bleu.totals.assign(orders, 0);
  bleu.precisions.assign(orders, 0);
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    if (references[i].empty())
      return Error{ErrorKind::kBadInput,
                   fmt::format("a hypothesis has no reference: segment {}", i),
                   "give each segment at least one reference"};
    AddSegment(hypotheses[i], references[i], options, bleu);
  }
  Score(options, bleu);
  return bleu;
}

}  // namespace xsp::accuracy
