#include "answer/suggest/suggestion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "answer/suggest/filter.h"
#include "answer/suggest/suggestion_answer.h"
#include "core/json_text.h"

namespace xsp::suggest {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

/// With an interval of 10 % to both sides.
Candidate Make(const std::string& model, double latency_ms, double memory_mb = 100,
               std::int64_t batch = 1) {
  Candidate candidate;
  candidate.identity.model = model;
  candidate.identity.backend = "PyTorch 2.15.0";
  candidate.identity.batch = batch;
  candidate.identity.machine = "AMD EPYC 7763 64-Core Processor, 2 cores";
  candidate.precision = "float32";
  candidate.worker = "torch";
  candidate.experiment = model + " run";
  candidate.task = "image classification";
  const double ns = latency_ms * 1e6;
  candidate.Of(Metric::kLatency) = {ns, 0.9 * ns, 1.1 * ns};
  candidate.Of(Metric::kMemory) = Exact(memory_mb * 1e6);
  candidate.memory_of = "process";
  return candidate;
}

Question Bounded(const std::vector<std::string>& bounds) {
  Question question;
  question.bounds = ParseBounds(bounds).value();
  return question;
}

Suggestion Done(const Question& question, std::vector<Candidate> candidates) {
  auto suggestion = Suggest(question, std::move(candidates));
  EXPECT_TRUE(suggestion.ok()) << suggestion.error().what;
  return suggestion.ok() ? std::move(suggestion).value() : Suggestion{};
}

Error Refused(const Question& question, std::vector<Candidate> candidates) {
  auto suggestion = Suggest(question, std::move(candidates));
  EXPECT_FALSE(suggestion.ok());
  return suggestion.ok() ? Error{ErrorKind::kInternal, "", ""} : suggestion.error();
}

/// "MODEL BATCH STANDING" of each, in order.
std::vector<std::string> Standings(const Suggestion& suggestion) {
  std::vector<std::string> texts;
  for (const JudgedCandidate& judged : suggestion.judged)
    texts.push_back(judged.candidate.identity.model + " " +
                    std::to_string(*judged.candidate.identity.batch) + " " +
                    std::string(ToString(judged.standing)));
  return texts;
}

TEST(SuggestionTest, RecommendsTheFastestOfAModelAndSaysWhatDominatesTheOthers) {
  const Suggestion suggestion = Done({}, {Make("net", 10), Make("net", 40, 200, 2)});
  EXPECT_THAT(Standings(suggestion), ElementsAre("net 1 front", "net 2 dominated"));
  EXPECT_THAT(suggestion.recommended, ElementsAre(0U));
  EXPECT_EQ(suggestion.judged[1].dominated_by, 0U);
  EXPECT_THAT(suggestion.judged[1].reason,
              HasSubstr("#0 is better in latency, throughput, memory"));
  EXPECT_THAT(suggestion.sentences.front(),
              HasSubstr("Recommended: net on PyTorch 2.15.0, float32, batch 1"));
}

TEST(SuggestionTest, DoesNotCompareModelsWhoseAccuracyIsNotKnown) {
  const std::vector<Candidate> two = {Make("large", 40, 400), Make("small", 1, 10)};
  const Suggestion apart = Done({}, two);
  EXPECT_FALSE(apart.models_compete);
  EXPECT_THAT(Standings(apart), ElementsAre("small 1 front", "large 1 front"));
  EXPECT_THAT(apart.recommended, ElementsAre(0U, 1U));
  EXPECT_THAT(apart.sentences, Contains(HasSubstr("Models do not compete")));
  Question question;
  question.compare_models = true;
  EXPECT_THAT(Standings(Done(question, two)), ElementsAre("small 1 front", "large 1 dominated"));
}

TEST(SuggestionTest, ComparesModelsByTheirAccuracy) {
  std::vector<Candidate> three = {Make("large", 40), Make("small", 1), Make("poor", 80)};
  three[0].accuracies = {{"top_1", "val", {0.8, 0.79, 0.81}, 5000}};
  three[1].accuracies = {{"top_1", "val", {0.6, 0.59, 0.61}, 5000}};
  three[2].accuracies = {{"top_1", "val", {0.5, 0.49, 0.51}, 5000}};
  const Suggestion suggestion = Done({}, three);
  EXPECT_TRUE(suggestion.models_compete);
  EXPECT_EQ(suggestion.accuracy_metric, "top_1");
  EXPECT_THAT(Standings(suggestion),
              ElementsAre("large 1 front", "small 1 front", "poor 1 dominated"));
  EXPECT_THAT(suggestion.recommended, ElementsAre(0U)) << "the most accurate";
  const Suggestion bounded = Done(Bounded({"accuracy=55%"}), three);
  EXPECT_EQ(bounded.judged[bounded.recommended.front()].candidate.identity.model, "small")
      << "the fastest that is accurate enough";
}

TEST(SuggestionTest, ChoosesNoAccuracyAmongSeveralDataSets) {
  std::vector<Candidate> two = {Make("a", 40), Make("b", 1)};
  two[0].accuracies = {{"top_1", "val", Exact(0.8), 50}};
  two[1].accuracies = {{"top_1", "other", Exact(0.6), 50}};
  const Suggestion suggestion = Done({}, two);
  EXPECT_EQ(suggestion.dataset, "");
  EXPECT_THAT(suggestion.method, Contains(HasSubstr("cannot be compared: other, val")));
  Question question;
  question.dataset = "val";
  EXPECT_EQ(Done(question, two).dataset, "val");
  question.dataset = "vol";
  EXPECT_THAT(Refused(question, two).hint, HasSubstr("other, val"));
}

TEST(SuggestionTest, MarksWhatMayNotKeepABound) {
  const Suggestion suggestion = Done(
      Bounded({"latency=10ms"}), {Make("net", 8), Make("net", 9.5, 10, 2), Make("net", 20, 1, 4)});
  EXPECT_THAT(Standings(suggestion), ElementsAre("net 2 front", "net 1 front", "net 4 excluded"));
  EXPECT_EQ(suggestion.judged[0].fit, Fit::kMaybe);
  EXPECT_EQ(suggestion.judged[1].fit, Fit::kYes);
  EXPECT_THAT(suggestion.recommended, ElementsAre(1U)) << "what surely keeps it";
  EXPECT_THAT(suggestion.sentences, Contains(HasSubstr("Latency at most 10ms excludes 1 of 3")));
}

TEST(SuggestionTest, DoesNotLetWhatMayKeepABoundDominateWhatDoes) {
  // Within the noise of the bound in memory, and better in everything else.
  std::vector<Candidate> two = {Make("net", 1), Make("net", 5, 50, 2)};
  two[0].Of(Metric::kMemory) = {90e6, 40e6, 140e6};
  const Suggestion suggestion = Done(Bounded({"memory=100MB"}), two);
  EXPECT_THAT(Standings(suggestion), ElementsAre("net 1 front", "net 2 front"));
  EXPECT_THAT(suggestion.recommended, ElementsAre(1U));
}

TEST(SuggestionTest, RecommendsNothingWhoseValueDoesNotKeepTheBound) {
  std::vector<Candidate> one = {Make("net", 50)};
  one[0].Of(Metric::kLatency) = {50e6, 0, 100e6};
  const Suggestion suggestion = Done(Bounded({"latency=1ms"}), one);
  EXPECT_THAT(Standings(suggestion), ElementsAre("net 1 front"));
  EXPECT_EQ(suggestion.judged[0].fit, Fit::kMaybe);
  EXPECT_TRUE(suggestion.recommended.empty());
  EXPECT_THAT(suggestion.sentences.front(), HasSubstr("No candidate keeps the bounds"));
}

TEST(SuggestionTest, SaysWhatComesNearestWhereNothingKeepsTheBounds) {
  const Suggestion suggestion =
      Done(Bounded({"latency=1ms", "memory=150MB"}), {Make("net", 8, 100), Make("net", 4, 200, 2)});
  EXPECT_TRUE(suggestion.recommended.empty());
  EXPECT_EQ(suggestion.sentences[0],
            "No candidate keeps the bounds: latency at most 1ms, memory at "
            "most 150MB.");
  EXPECT_THAT(suggestion.sentences[1], AllOf(HasSubstr("Latency at most 1ms excludes 2 of 2"),
                                             HasSubstr("batch 1"), HasSubstr("8.00 ms")))
      << "of those that keep the memory";
}

TEST(SuggestionTest, ComparesNothingWithoutAValueOfAnObjective) {
  std::vector<Candidate> two = {Make("net", 8), Make("net", 4, 100, 2)};
  two[1].Of(Metric::kMemory) = {};
  const Suggestion suggestion = Done({}, two);
  EXPECT_THAT(Standings(suggestion), ElementsAre("net 1 front", "net 2 not compared"));
  EXPECT_EQ(suggestion.judged[1].reason, "memory is not known");
  EXPECT_THAT(suggestion.method, Contains(HasSubstr("1 candidate not compared")));
  Question question;
  question.objectives = {{Metric::kLatency, ""}};
  EXPECT_THAT(Standings(Done(question, two)), ElementsAre("net 2 front", "net 1 dominated"));
}

TEST(SuggestionTest, ShowsTies) {
  const Suggestion suggestion = Done({}, {Make("net", 10), Make("net", 10.5, 100, 1)});
  EXPECT_THAT(suggestion.judged[0].tied_with, ElementsAre(1U));
  EXPECT_THAT(suggestion.judged[1].tied_with, ElementsAre(0U));
  EXPECT_THAT(suggestion.sentences.front(), HasSubstr("lowest latency within the noise"));
}

TEST(SuggestionTest, NamesTheExperimentsOfCandidatesThatAreCalledTheSame) {
  std::vector<Candidate> two = {Make("net", 10), Make("net", 10.5)};
  two[1].experiment = "one thread";
  two[1].identity.settings = "threads 1";
  EXPECT_THAT(Done({}, two).sentences.front(),
              AllOf(HasSubstr("batch 1 [net run] ("),
                    HasSubstr("Equal within the noise: net on PyTorch 2.15.0, float32, batch 1 "
                              "[one thread].")));
}

TEST(SuggestionTest, CallsNothingEqualWhoseNoiseIsNotKnown) {
  std::vector<Candidate> two = {Make("net", 10), Make("net", 10.5)};
  two[1].precision = "float16";
  two[1].Of(Metric::kLatency) = {.centre = 10.5e6};
  EXPECT_THAT(Done({}, two).sentences.front(),
              AllOf(HasSubstr("the lowest latency of 2 candidates"), Not(HasSubstr("Equal")),
                    HasSubstr("Perhaps as good: net on PyTorch 2.15.0, float16, batch 1: the noise "
                              "is not known.")));
}

TEST(SuggestionTest, KeepsPredictionsOutUnlessAsked) {
  std::vector<Candidate> two = {Make("net", 10), Make("net", 1)};
  two[1].is_predicted = true;
  two[1].identity.machine = "H100";
  two[1].Of(Metric::kMemory) = {};
  const Suggestion apart = Done({}, two);
  EXPECT_THAT(Standings(apart), ElementsAre("net 1 front", "net 1 predicted"));
  Question question = Bounded({"latency=20ms"});
  question.include_predicted = true;
  const Suggestion mixed = Done(question, two);
  ASSERT_TRUE(mixed.judged[0].candidate.is_predicted);
  EXPECT_EQ(mixed.judged[0].fit, Fit::kMaybe) << "a prediction never surely keeps a bound";
  EXPECT_THAT(mixed.recommended, ElementsAre(1U));
}

TEST(SuggestionTest, PricesEachMachineByItsWords) {
  std::vector<Candidate> two = {Make("net", 3.6), Make("net", 3.6, 100, 2)};
  two[1].identity.machine = "NVIDIA H100 80GB HBM3";
  Question question;
  question.prices = {{"", 1.0}, {"h100", 4.0}};
  const Suggestion suggestion = Done(question, two);
  EXPECT_EQ(suggestion.objectives.front().metric, Metric::kCost);
  EXPECT_NEAR(suggestion.judged[0].candidate.Of(Metric::kCost).centre, 1, 1e-9);
  EXPECT_NEAR(suggestion.judged[1].candidate.Of(Metric::kCost).centre, 2, 1e-9);
  question.prices = {{"A100", 4.0}};
  EXPECT_THAT(Refused(question, two).what, HasSubstr("machine of no candidate: A100"));
  EXPECT_THAT(Refused(Bounded({"cost=1"}), two).what, HasSubstr("cost needs the price"));
}

TEST(SuggestionTest, NamesTheNearestValueOfAFilterThatNothingPasses) {
  const std::vector<Candidate> one = {Make("resnet50", 3)};
  Question question;
  question.task = "classificattion";
  EXPECT_THAT(Refused(question, one).hint, HasSubstr("Did you mean classification?"));
  question = {};
  question.models = {"resnet5O"};
  EXPECT_THAT(Refused(question, one).hint, HasSubstr("Did you mean resnet50?"));
  EXPECT_EQ(Refused(question, one).kind, ErrorKind::kUsage);
}

TEST(SuggestionTest, FiltersByWordsWorkersAndNames) {
  std::vector<Candidate> two = {Make("a", 3), Make("b", 4)};
  two[1].task = "object detection";
  two[1].worker = "onnxruntime";
  two[1].identity.backend = "ONNX Runtime 1.31.0";
  const auto passed = [&](Question question) { return Done(question, two).judged.size(); };
  Question question;
  question.task = "Classification";
  EXPECT_EQ(passed(question), 1U);
  question = {};
  question.backends = {"onnxruntime"};
  EXPECT_EQ(passed(question), 1U);
  question.backends = {"onnx runtime", "PyTorch"};
  EXPECT_EQ(passed(question), 2U);
  question.machines = {"epyc 7763"};
  EXPECT_EQ(passed(question), 2U);
  EXPECT_TRUE(HasWords("AMD EPYC 7763", "7763 epyc"));
  EXPECT_FALSE(HasWords("AMD EPYC 7763", "776"));
  EXPECT_FALSE(HasWords("AMD EPYC 7763", ""));
}

TEST(SuggestionTest, GivesTheSameDocumentWhateverTheOrder) {
  std::vector<Candidate> candidates;
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i)
    candidates.push_back(
        Make("m" + std::to_string(i % 3), 1 + random() % 9, 10 + random() % 5, 1 + i));
  const std::string document = core::JsonText(DocumentOf(Done({}, candidates)));
  std::ranges::shuffle(candidates, random);
  EXPECT_EQ(core::JsonText(DocumentOf(Done({}, candidates))), document);
}

TEST(SuggestionTest, DrawsAChartOfThroughputAndOfAccuracyIfItIsKnown) {
  std::vector<Candidate> one = {Make("net", 3)};
  EXPECT_THAT(AnswerOf(Done({}, one)).charts, SizeIs(1));
  one[0].accuracies = {{"top_1", "val", Exact(0.8), 50}};
  const suite::Answer answer = AnswerOf(Done({}, one));
  ASSERT_THAT(answer.charts, SizeIs(2));
  EXPECT_EQ(answer.tables.front().rows.columns.size(), answer.tables.front().rows.rows[0].size());
}

}  // namespace
}  // namespace xsp::suggest
