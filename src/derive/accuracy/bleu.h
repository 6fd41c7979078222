#ifndef XSP_DERIVE_ACCURACY_BLEU_H_
#define XSP_DERIVE_ACCURACY_BLEU_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::accuracy {

enum class BleuTokenizer {
  k13a,   ///< mteval-v13a's international default, sacrebleu's "13a".
  kNone,  ///< Words between white space: the text is tokenised already.
};

/// What an n-gram order without a match counts as (Chen and Cherry 2014, "A Systematic Comparison
/// of Smoothing Techniques for Sentence-Level BLEU").
enum class BleuSmoothing {
  kExp,    ///< Method 3: 1/2, 1/4, ... match for the first, second, ... such order. The default.
  kNone,   ///< Nothing: the score is 0.
  kFloor,  ///< Method 1: smoothing_value matches.
  kAddK,   ///< Method 2: smoothing_value is added to matches and n-grams of orders above 1.
};

struct BleuOptions {
  BleuTokenizer tokenizer = BleuTokenizer::k13a;
  BleuSmoothing smoothing = BleuSmoothing::kExp;
  double smoothing_value = 0.1;  ///< sacrebleu's default is 0.1 for kFloor, 1 for kAddK.
  bool lowercase = false;        ///< Compare in lower case; see Lowercase().
  int max_order = 4;             ///< Longest n-gram, 1 ... 16.
  bool effective_order = false;  ///< Leave out orders for which the hypotheses are too short.
};

struct Bleu {
  double score = 0;                    ///< 0 ... 100
  double brevity_penalty = 1;          ///< 0 ... 1
  std::int64_t hypothesis_length = 0;  ///< Words of all hypotheses.
  std::int64_t reference_length = 0;   ///< Of each segment's reference closest in length.
  std::vector<std::int64_t> matches;   ///< [max_order] clipped matches of n-grams.
  std::vector<std::int64_t> totals;    ///< [max_order] n-grams of the hypotheses.
  std::vector<double> precisions;      ///< [max_order] smoothed, 0 ... 100
};

/// `line` as mteval-v13a splits it: words separated by single spaces. Pure; any thread.
std::string Tokenize13a(std::string_view line);

/// Corpus BLEU (Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine
/// Translation"), with the conventions of sacrebleu (Post 2018, "A Call for Clarity in Reporting
/// BLEU Scores"): the closest reference length, the shorter one of two as close; a score of 0 where
/// not one word matches.
///
/// `references` holds, for each hypothesis, one or more references. Text is UTF-8. Errors: no
/// hypotheses, lists of different length, a hypothesis without reference, an order out of range.
/// Pure; any thread. O(words * max_order) time and memory per segment.
Result<Bleu> CorpusBleu(std::span<const std::string> hypotheses,
                        std::span<const std::vector<std::string>> references,
                        const BleuOptions& options = {});

}  // namespace xsp::accuracy

#endif  // XSP_DERIVE_ACCURACY_BLEU_H_
