#include "derive/accuracy/bleu.h"

#include <gmock/gmock.h>

#include <cmath>

namespace xsp::accuracy {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

const std::vector<std::string> kHypotheses = {
    "The cat sat on the mat.", "It costs $3.14, not 1,000 euros.", "A well-known 5-6 result", " "};
const std::vector<std::vector<std::string>> kReferences = {
    {"The cat is on the mat.", "There is a cat on the mat."},
    {"It costs $3.14 , not 1,000 euro!", "That costs 3.14 dollars."},
    {"A well-known 5 - 6 result is this.", "Known."},
    {"Nothing.", "At all, really."}};

// Expected figures: sacrebleu 2.6.0.
TEST(Bleu, ScoresACorpusAsSacrebleu) {
  const Bleu bleu = CorpusBleu(kHypotheses, kReferences).value();
  EXPECT_NEAR(bleu.score, 59.1408805135162, 1e-12);
  EXPECT_NEAR(bleu.brevity_penalty, 0.796703469893462, 1e-14);
  EXPECT_EQ(bleu.hypothesis_length, 22);
  EXPECT_EQ(bleu.reference_length, 27);
  EXPECT_THAT(bleu.matches, ElementsAre(20, 15, 11, 8));
  EXPECT_THAT(bleu.totals, ElementsAre(22, 19, 16, 13));
}

TEST(Bleu, TakesTokenisedTextAsItIs) {
  const Bleu bleu =
      CorpusBleu(kHypotheses, kReferences, {.tokenizer = BleuTokenizer::kNone}).value();
  EXPECT_NEAR(bleu.score, 22.2989945535409, 1e-12);
  EXPECT_THAT(bleu.totals, ElementsAre(16, 13, 10, 7));
}

TEST(Bleu, SmoothsInFourWays) {
  EXPECT_NEAR(CorpusBleu(kHypotheses, kReferences,
                         {.smoothing = BleuSmoothing::kAddK, .smoothing_value = 1})
                  .value()
                  .score,
              60.3855093237527, 1e-12);
  EXPECT_NEAR(
      CorpusBleu(kHypotheses, kReferences, {.smoothing = BleuSmoothing::kNone, .max_order = 2})
          .value()
          .score,
      67.4946259923626, 1e-12);
  const std::vector<std::string> hypotheses = {"big red dog runs", "two"};
  const std::vector<std::vector<std::string>> references = {{"big red dog walks"}, {"one"}};
  const Bleu exp = CorpusBleu(hypotheses, references).value();
  EXPECT_NEAR(exp.score, 56.2341325190349, 1e-12);
  EXPECT_THAT(exp.precisions, ElementsAre(60, DoubleNear(66.66666666666667, 1e-12), 50, 50));
  EXPECT_EQ(CorpusBleu(hypotheses, references, {.smoothing = BleuSmoothing::kNone}).value().score,
            0);
  const Bleu floor =
      CorpusBleu(hypotheses, references, {.smoothing = BleuSmoothing::kFloor}).value();
  EXPECT_NEAR(floor.precisions[3], 10, 1e-12);
}

TEST(Bleu, EffectiveOrderLeavesOutWhatIsTooShort) {
  const std::vector<std::string> hypotheses = {"red dog"};
  const std::vector<std::vector<std::string>> references = {{"red dog"}};
  EXPECT_LT(CorpusBleu(hypotheses, references).value().score, 1e-9);
  EXPECT_NEAR(CorpusBleu(hypotheses, references, {.effective_order = true}).value().score, 100,
              1e-10);
}

TEST(Bleu, TheShorterOfTwoAsCloseReferencesIsTheLength) {
  const std::vector<std::string> hypotheses = {"a b c"};
  const std::vector<std::vector<std::string>> references = {{"a b c d", "a b"}};
  EXPECT_EQ(CorpusBleu(hypotheses, references).value().reference_length, 2);
}

TEST(Bleu, NothingRightOrNothingSaidScoresZero) {
  const std::vector<std::vector<std::string>> references = {{"red dog"}};
  EXPECT_EQ(CorpusBleu(std::vector<std::string>{"cat"}, references).value().score, 0);
  const Bleu empty = CorpusBleu(std::vector<std::string>{""}, references).value();
  EXPECT_EQ(empty.score, 0);
  EXPECT_EQ(empty.brevity_penalty, 0);
}

TEST(Bleu, SaysWhatDoesNotFit) {
  const std::vector<std::vector<std::string>> none = {{}};
  EXPECT_EQ(CorpusBleu(kHypotheses, none).error().what,
            "hypotheses and references differ in number: 4 and 1");
  EXPECT_EQ(CorpusBleu(std::vector<std::string>{"a"}, none).error().what,
            "a hypothesis has no reference: segment 0");
  EXPECT_FALSE(CorpusBleu({}, {}).ok());
  EXPECT_FALSE(CorpusBleu(kHypotheses, kReferences, {.max_order = 0}).ok());
}

TEST(Tokenize13a, SplitsPunctuationButNotNumbers) {
  EXPECT_EQ(Tokenize13a("It costs $3.14, not 1,000."), "It costs $ 3.14 , not 1,000 .");
  EXPECT_EQ(Tokenize13a("well-known 5-6 don't"), "well-known 5 - 6 don't");
  EXPECT_EQ(Tokenize13a("&quot;a&amp;b&lt;<skipped>"), "\" a & b <");
  EXPECT_EQ(Tokenize13a("hyphen-\nated\nline"), "hyphenated line");
  EXPECT_EQ(Tokenize13a("日本.5"), "日本 . 5");
  EXPECT_EQ(Tokenize13a(""), "");
}

}  // namespace
}  // namespace xsp::accuracy
