#include "harness/dataset_pass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "source_dir.h"

namespace xsp::worker {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kSample = XSP_SOURCE_DIR "/src/pipeline/sample";

/// Pictures of 8 x 8 pixels made into float32 [3, 8, 8].
DatasetSpec Pictures(int count) {
  DatasetSpec spec;
  spec.description = {{"kind", "synthetic"}, {"count", count}, {"width", 8}, {"height", 8}};
  spec.preprocess = {{{"step", "decode"}},
                     {{"step", "normalise"}, {"scale", 0.5}},
                     {{"step", "layout"}, {"order", "nchw"}}};
  spec.postprocess = {{{"step", "top_k"}, {"k", 1}}};
  // Tests of this file run at the same time.
  spec.predictions = testing::TempDir() + "predictions-" +
                     testing::UnitTest::GetInstance()->current_test_info()->name() + ".jsonl";
  return spec;
}

std::vector<InputSpec> ImageInput(std::int64_t batch) {
  InputSpec input;
  input.name = "input";
  input.shape = {batch, 3, 8, 8};
  return {input};
}

std::vector<json> Lines(const DatasetSpec& spec) {
  std::ifstream file(spec.predictions);
  std::vector<json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
  return lines;
}

/// Results of a call whose row i has its largest value at class `best[i]`, of three.
xsp_worker_tensor Scores(std::vector<float>& values, const std::vector<int>& best) {
  values.assign(best.size() * 3, 0);
  for (std::size_t i = 0; i < best.size(); ++i)
    values[i * 3 + static_cast<std::size_t>(best[i])] = 1;
  xsp_worker_tensor tensor = {};
  std::strcpy(tensor.name, "output");
  tensor.rank = 2;
  tensor.shape[0] = static_cast<std::int64_t>(best.size());
  tensor.shape[1] = 3;
  tensor.data = values.data();
  tensor.bytes = values.size() * sizeof(float);
  return tensor;
}

TEST(DatasetPass, MakesABatchAndPredictions) {
  const DatasetSpec spec = Pictures(5);
  std::unique_ptr<DatasetPass> pass;
  ASSERT_TRUE(DatasetPass::Open(spec, ImageInput(2), 2, pass).ok());
  EXPECT_EQ(pass->size(), 5u);
  ASSERT_TRUE(pass->Prepare(2, 2).ok());
  EXPECT_EQ(pass->prepared(), 2u);
  std::vector<float> values;
  const xsp_worker_tensor scores = Scores(values, {2, 0});
  ASSERT_TRUE(pass->Keep({&scores, 1}).ok());
  const auto lines = Lines(spec);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["position"], 2);
  EXPECT_EQ(lines[0]["sample"], "synthetic 2");
  EXPECT_EQ(lines[0]["prediction"]["classes"][0]["index"], 2);
  EXPECT_EQ(lines[1]["prediction"]["classes"][0]["index"], 0);
}

TEST(DatasetPass, FillsAShortBatchWithItsLastSample) {
  std::unique_ptr<DatasetPass> pass;
  ASSERT_TRUE(DatasetPass::Open(Pictures(3), ImageInput(4), 4, pass).ok());
  ASSERT_TRUE(pass->Prepare(0, 3).ok());
  EXPECT_EQ(pass->prepared(), 3u);
  const auto* bytes = static_cast<const char*>(pass->inputs()[0].data);
  const std::size_t sample = pass->inputs()[0].bytes / 4;
  EXPECT_NE(std::memcmp(bytes, bytes + sample, sample), 0);
  EXPECT_EQ(std::memcmp(bytes + 2 * sample, bytes + 3 * sample, sample), 0);
}

TEST(DatasetPass, LeavesTheInputsOfTheCallBefore) {
  std::unique_ptr<DatasetPass> pass;
  ASSERT_TRUE(DatasetPass::Open(Pictures(2), ImageInput(1), 1, pass).ok());
  ASSERT_TRUE(pass->Prepare(0, 1).ok());
  const xsp_worker_tensor before = pass->inputs()[0];
  const std::vector<char> copy(static_cast<char*>(before.data),
                               static_cast<char*>(before.data) + before.bytes);
  ASSERT_TRUE(pass->Prepare(1, 1).ok());
  EXPECT_EQ(std::memcmp(before.data, copy.data(), copy.size()), 0);
  EXPECT_NE(std::memcmp(pass->inputs()[0].data, copy.data(), copy.size()), 0);
}

TEST(DatasetPass, WritesDownWhatItCannotTake) {
  DatasetSpec spec = Pictures(0);
  // Pictures of many sizes, none of them the model's.
  spec.description = {{"kind", "folder"}, {"path", std::string(kSample) + "/folder"}};
  std::unique_ptr<DatasetPass> pass;
  ASSERT_TRUE(DatasetPass::Open(spec, ImageInput(1), 1, pass).ok());
  ASSERT_TRUE(pass->Prepare(0, 1).ok());
  EXPECT_EQ(pass->prepared(), 0u);
  ASSERT_TRUE(pass->Flush().ok());
  const auto lines = Lines(spec);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0]["error"].get<std::string>(), HasSubstr("takes float32 [3, 8, 8]"));
}

TEST(DatasetPass, TakesSomeSpreadEvenly) {
  DatasetSpec spec = Pictures(10);
  spec.samples = 2;
  std::unique_ptr<DatasetPass> pass;
  ASSERT_TRUE(DatasetPass::Open(spec, ImageInput(1), 1, pass).ok());
  EXPECT_EQ(pass->size(), 2u);
  ASSERT_TRUE(pass->Prepare(1, 1).ok());
  std::vector<float> values;
  const xsp_worker_tensor scores = Scores(values, {1});
  ASSERT_TRUE(pass->Keep({&scores, 1}).ok());
  EXPECT_EQ(Lines(spec)[0]["sample"], "synthetic 5");
}

TEST(DatasetPass, RefusesWhatCannotWork) {
  std::unique_ptr<DatasetPass> pass;
  DatasetSpec spec = Pictures(1);
  spec.preprocess = {{{"step", "polish"}}};
  Status status = DatasetPass::Open(spec, ImageInput(1), 1, pass);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(status.error().what, HasSubstr("polish"));

  auto inputs = ImageInput(2);
  inputs[0].shape = {3, 8, 8};
  status = DatasetPass::Open(Pictures(1), inputs, 2, pass);
  ASSERT_FALSE(status.ok());
  EXPECT_THAT(status.error().what, HasSubstr("first dimension is the batch"));

  spec = Pictures(1);
  spec.predictions = "/nowhere/predictions.jsonl";
  status = DatasetPass::Open(spec, ImageInput(1), 1, pass);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::worker
