#include "derive/accuracy/answers.h"

#include <gtest/gtest.h>

namespace xsp::accuracy {
namespace {

TEST(Answers, AreComparedWithoutCasePunctuationAndArticles) {
  EXPECT_EQ(NormaliseAnswer(" The  Denver-Broncos, a team! "), "denverbroncos team");
  EXPECT_EQ(NormaliseAnswer("theory of a.n. anthem"), "theory of anthem");  // "a.n." is "an".
  EXPECT_EQ(NormaliseAnswer("an\u2013a\u2013b thé the_"), "\u2013 \u2013b thé");
  EXPECT_EQ(NormaliseAnswer("A, an; THE"), "");
  EXPECT_TRUE(AnswersMatch("Super Bowl 50", "the super bowl (50)"));
  EXPECT_FALSE(AnswersMatch("50", "fifty"));
}

TEST(Answers, F1CountsSharedWordsWithRepetition) {
  // Two of the prediction's three words, two of the reference's four.
  EXPECT_DOUBLE_EQ(AnswerF1("red red dog", "red dog runs fast"),
                   2 * (2.0 / 3) * 0.5 / (2.0 / 3 + 0.5));
  EXPECT_DOUBLE_EQ(AnswerF1("cat", "dog"), 0);
  EXPECT_DOUBLE_EQ(AnswerF1("The dog", "dog."), 1);
}

TEST(Answers, VersionsDifferWhereNothingIsLeft) {
  EXPECT_EQ(AnswerF1("", "the", SquadVersion::k1_1), 0);
  EXPECT_EQ(AnswerF1("", "the", SquadVersion::k2_0), 1);
  EXPECT_EQ(AnswerF1("dog", "the", SquadVersion::k2_0), 0);
}

TEST(Answers, TakeTheBestReferenceOfEach) {
  const std::vector<std::string> predictions = {"the red dog", "blue"};
  const std::vector<std::vector<std::string>> references = {{"dog", "Red Dog"},
                                                            {"blue sky", "sea"}};
  const AnswerScores scores = ScoreAnswers(predictions, references).value();
  EXPECT_DOUBLE_EQ(scores.exact_match, 0.5);
  EXPECT_DOUBLE_EQ(scores.f1, (1 + 2.0 / 3) / 2);
}

TEST(Answers, QuestionsWithoutAnswerAreForVersion2) {
  const std::vector<std::string> predictions = {""};
  const std::vector<std::vector<std::string>> none = {{}};
  EXPECT_EQ(ScoreAnswers(predictions, none, SquadVersion::k2_0).value().exact_match, 1);
  EXPECT_EQ(ScoreAnswers(predictions, none).error().what,
            "a question has no reference: question 0");
  // A reference of which nothing is left counts only where there is no other.
  const std::vector<std::vector<std::string>> some = {{"the", "dog"}};
  EXPECT_EQ(ScoreAnswers(predictions, some, SquadVersion::k2_0).value().f1, 0);
}

TEST(Answers, SaysWhatDoesNotFit) {
  const std::vector<std::string> predictions = {"a", "b"};
  const std::vector<std::vector<std::string>> references = {{"a"}};
  EXPECT_EQ(ScoreAnswers(predictions, references).error().what,
            "predictions and references differ in number: 2 and 1");
  EXPECT_FALSE(ScoreAnswers({}, {}).ok());
}

}  // namespace
}  // namespace xsp::accuracy
