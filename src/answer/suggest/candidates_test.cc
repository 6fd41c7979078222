#include "answer/suggest/candidates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "answer/suggest/predictable_points.h"
#include "answer/suggest/suggest_testing.h"
#include "store/store_testing.h"

namespace xsp::suggest {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class CandidatesTest : public testing::Test {
 protected:
  void Add(const TestExperiment& made) { Write(made, store()); }
  std::filesystem::path store() const { return folder_.path() / "store"; }

  /// What is read of the store, with its notes.
  CandidateReading Read(bool with_p99 = false, const ExperimentChoice& choice = {}) {
    auto stored = ReadExperiments(store(), choice, [&](const nlohmann::json&) { return model_; });
    EXPECT_TRUE(stored.ok()) << stored.error().what;
    experiments_ = stored.value().experiments;
    std::vector<std::filesystem::path> folders;
    for (const StoredExperiment& one : experiments_) folders.push_back(one.folder);
    tables_.emplace(store::ManyExperiments::Open(folders).value());
    auto reading = ReadCandidates(experiments_, *tables_, with_p99);
    EXPECT_TRUE(reading.ok()) << reading.error().what;
    CandidateReading read = std::move(reading).value();
    read.notes.insert(read.notes.end(), stored.value().notes.begin(), stored.value().notes.end());
    return read;
  }

  ModelFacts model_ = {"image classification", "trained on ImageNet", true};
  std::vector<StoredExperiment> experiments_;
  std::optional<store::ManyExperiments> tables_;
  store::TestFolder folder_;
};

TEST_F(CandidatesTest, ReadsEachPointWithItsMachineTaskAndMemory) {
  Add({.name = "x", .batches = {1, 4}});
  const CandidateReading reading = Read();
  ASSERT_THAT(reading.candidates, SizeIs(2));
  const Candidate& four = reading.candidates[1];
  EXPECT_EQ(four.identity.batch, 4);
  EXPECT_EQ(four.identity.machine, "AMD EPYC 7763 64-Core Processor, 2 cores");
  EXPECT_EQ(four.task, "image classification");
  EXPECT_EQ(four.worker, "torch");
  EXPECT_DOUBLE_EQ(four.Of(Metric::kLatency).centre, 40e6);
  EXPECT_DOUBLE_EQ(four.Of(Metric::kLatency).low, 38e6);
  EXPECT_DOUBLE_EQ(four.Of(Metric::kMemory).centre, 4e6);
  EXPECT_THAT(reading.notes, IsEmpty());
}

TEST_F(CandidatesTest, TakesTheLatestUndisturbedMeasurement) {
  Add({.name = "old", .created = "2026-11-01T00:00:00Z", .latency_ms = 10});
  Add({.name = "later", .created = "2026-11-02T00:00:00Z", .iterations = 100, .latency_ms = 11});
  Add({.name = "busy", .created = "2026-11-03T00:00:00Z", .is_disturbed = true, .latency_ms = 20});
  const CandidateReading reading = Read();
  ASSERT_THAT(reading.candidates, SizeIs(1)) << "iterations do not make another program";
  EXPECT_EQ(reading.candidates[0].experiment, "later");
  EXPECT_EQ(reading.candidates[0].measurements, 3U);
  EXPECT_FALSE(reading.candidates[0].is_disturbed);
}

TEST_F(CandidatesTest, KeepsOtherModelFilesMachinesAndPrecisionsApart) {
  Add({.name = "a"});
  Add({.name = "b", .sha256 = std::string(64, 'b')});
  Add({.name = "c", .cpu = "Xeon"});
  Add({.name = "d", .precision = "bfloat16"});
  EXPECT_THAT(Read().candidates, SizeIs(4));
}

TEST_F(CandidatesTest, TakesAccuracyOfTheSameProgramAtAnotherBatchSize) {
  Add({.name = "scores", .dataset = "val", .latency_ms = 30});
  Add({.name = "times", .batches = {1, 8}, .has_kernels = true});
  const CandidateReading reading = Read();
  ASSERT_THAT(reading.candidates, SizeIs(2));
  EXPECT_EQ(reading.candidates[0].experiment, "times") << "not the loop over a data set";
  for (const Candidate& candidate : reading.candidates) {
    ASSERT_THAT(candidate.accuracies, SizeIs(1)) << "the labels' only";
    EXPECT_EQ(candidate.accuracies[0].metric, "top_1");
    EXPECT_EQ(candidate.accuracies[0].dataset, "val");
    EXPECT_LT(candidate.accuracies[0].value.low, 0.75);
    EXPECT_EQ(candidate.precision, "float32");
  }
}

TEST_F(CandidatesTest, OffersNoAccuracyOfRandomWeights) {
  model_.weights = "Random, seed 0";
  Add({.name = "scores", .dataset = "val"});
  const CandidateReading reading = Read();
  EXPECT_THAT(reading.candidates[0].accuracies, IsEmpty());
  EXPECT_THAT(reading.notes, Contains(HasSubstr("not offered for net: the weights are random")));
}

TEST_F(CandidatesTest, OffersNoAccuracyOnDrawnLabels) {
  Add({.name = "scores", .dataset = "synthetic:count=40"});
  const CandidateReading reading = Read();
  EXPECT_THAT(reading.candidates[0].accuracies, IsEmpty());
  EXPECT_THAT(reading.notes, Contains(HasSubstr("its labels are drawn at random")));
}

TEST_F(CandidatesTest, ReadsThePercentileOnlyIfItIsAskedFor) {
  Add({.name = "x", .calls = 400});
  EXPECT_FALSE(Read().candidates[0].Of(Metric::kLatencyP99).is_known());
  const CandidateReading reading = Read(true);
  const Value p99 = reading.candidates[0].Of(Metric::kLatencyP99);
  EXPECT_DOUBLE_EQ(p99.centre, 396e3);
  EXPECT_DOUBLE_EQ(p99.high, 400e3);
}

TEST_F(CandidatesTest, LeavesOutPointsThatAreNotDoneAndSaysSo) {
  Add({.name = "x"});
  Add({.name = "y", .sha256 = "other", .status = "partial", .batches = {1, 2}});
  const CandidateReading reading = Read();
  EXPECT_THAT(reading.candidates, SizeIs(1));
  EXPECT_THAT(reading.notes, Contains(HasSubstr("2 points of the store left out: not done")));
}

TEST_F(CandidatesTest, ReadsTheOthersWhereExperimentsAreDamaged) {
  Add({.name = "a"});
  Add({.name = "b", .sha256 = "b"});
  Add({.name = "c", .sha256 = "c"});
  std::ofstream(store() / "a" / "point.parquet") << "damaged";
  std::ofstream(store() / "b" / "experiment.json") << "{";
  const CandidateReading reading = Read();
  EXPECT_THAT(reading.candidates, SizeIs(1));
  EXPECT_THAT(reading.notes,
              Contains(HasSubstr("cannot be read, and their values are missing: a: ")));
  EXPECT_THAT(reading.notes, Contains(HasSubstr("1 experiment of the store cannot be read")));
}

TEST_F(CandidatesTest, ChoosesExperimentsByTime) {
  Add({.name = "old", .created = "2026-10-31T23:59:59Z"});
  Add({.name = "new", .sha256 = "new"});
  const CandidateReading reading = Read(false, {{}, "2026-11-01"});
  ASSERT_THAT(reading.candidates, SizeIs(1));
  EXPECT_EQ(reading.candidates[0].experiment, "new");
}

TEST_F(CandidatesTest, RefusesAnEmptyStore) {
  const auto reading =
      ReadExperiments(store(), {}, [](const nlohmann::json&) { return ModelFacts(); });
  ASSERT_FALSE(reading.ok());
  EXPECT_EQ(reading.error().kind, ErrorKind::kBadInput);
}

TEST_F(CandidatesTest, PredictsByTheRoofsOfDataSheets) {
  Add({.name = "x", .batches = {1, 2}, .latency_ms = 10, .has_kernels = true});
  CandidateReading reading = Read();
  const auto points = ReadPredictablePoints(experiments_, *tables_, reading.candidates).value();
  ASSERT_TRUE(points[0].has_value());
  EXPECT_EQ(points[0]->rates.provenance, "data-sheet");
  PeakRates machine = points[0]->rates;
  machine.machine = "another";
  for (auto& [key, peak] : machine.flops_per_s) peak *= 4;
  std::vector<std::string> notes;
  AddPredictions(points, machine, reading.candidates, notes);
  ASSERT_THAT(reading.candidates, SizeIs(4));
  EXPECT_TRUE(reading.candidates[2].is_predicted);
  // 8 ms in the kernel, 2 ms elsewhere.
  EXPECT_NEAR(reading.candidates[2].Of(Metric::kLatency).centre, 8e6 / 4 + 2e6, 1);
  EXPECT_THAT(notes, Contains(HasSubstr("error between batch sizes")));
  std::vector<std::string> again;
  std::vector<Candidate> there(reading.candidates.begin(), reading.candidates.begin() + 2);
  AddPredictions(points, points[0]->rates, there, again);
  EXPECT_THAT(there, SizeIs(2)) << "measured on that machine";
}

TEST_F(CandidatesTest, TakesMeasuredRoofsWhereThereIsNoDataSheet) {
  Add({.name = "x", .cpu = "AMD EPYC", .has_kernels = true});
  const CandidateReading reading = Read();
  const auto points = ReadPredictablePoints(experiments_, *tables_, reading.candidates).value();
  ASSERT_TRUE(points[0].has_value());
  EXPECT_EQ(points[0]->rates.provenance, "measured");
}

TEST(PredictedMachineTest, FindsDevicesAndCpusAndNamesTheNearest) {
  EXPECT_EQ(FindPredictedMachine("NVIDIA A100-SXM4-80GB").value().machine, "A100 SXM4 80 GB");
  EXPECT_GT(FindPredictedMachine("AMD EPYC 7763 64-Core Processor").value().bytes_per_s, 0);
  const auto unknown = FindPredictedMachine("A1000000");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(unknown.error().hint, HasSubstr("Near are: "));
}

}  // namespace
}  // namespace xsp::suggest
