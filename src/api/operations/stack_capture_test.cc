#include "api/operations/stack_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::api {
namespace {

using collect::FixtureTree;
using collect::ValueOf;
using testing::HasSubstr;

constexpr const char* kTorchRun = R"({"format_version": 1, "stack": {"cpu": {"model": "X"}},
  "facts": {"worker.name": "torch", "framework.version": "2.15", "onednn.version": "3.13",
            "torch.cpu_capability": "AVX512", "torch.config": "built\nwith", "job.batch": "4",
            "inputs": "1 x 3", "warmup.calls": "20"}})";
constexpr const char* kOrtRun = R"({"format_version": 1, "stack": {"cpu": {"model": "X"}},
  "facts": {"worker.name": "onnxruntime", "framework.version": "1.31"}})";

/// A store with the experiments `measured` (two backends), `imported` and `damaged`.
class StackCaptureTest : public testing::Test {
 protected:
  Result<StackCapture> Read(const std::string& argument) {
    return ReadStackCapture(store_.root(), argument);
  }
  std::string ErrorOf(const std::string& argument) {
    const auto capture = Read(argument);
    if (capture.ok()) return "(no error)";
    EXPECT_EQ(capture.error().kind, ErrorKind::kBadInput);
    EXPECT_FALSE(capture.error().hint.empty());
    return capture.error().what;
  }

  FixtureTree store_{{"measured/experiment.json", R"({"format_version": 1})"},
                     {"measured/torch-b1-model/run.json", kTorchRun},
                     {"measured/onnxruntime-b1-model/run.json", kOrtRun},
                     {"imported/experiment.json", R"({"format_version": 1})"},
                     {"imported/imported/run.json", R"({"format_version": 1, "facts": {}})"},
                     {"files/system.json", R"({"stack": {"cpu": {"model": "Y"}}, "roofs": []})"},
                     {"files/other.json", R"({"roofs": []})"},
                     {"files/noise.json", "nonsense"}};
};

TEST_F(StackCaptureTest, OfAnExperimentHasTheSoftwareOfEveryBackend) {
  const auto capture = Read("measured");
  ASSERT_TRUE(capture.ok()) << capture.error().what;
  EXPECT_EQ(capture.value().name, "measured");
  EXPECT_EQ(capture.value().kind, "experiment");
  const auto& facts = capture.value().facts;
  EXPECT_EQ(ValueOf(facts, "cpu.model"), "X");
  EXPECT_EQ(ValueOf(facts, "backend.torch.framework.version"), "2.15");
  EXPECT_EQ(ValueOf(facts, "backend.torch.onednn.version"), "3.13");
  EXPECT_EQ(ValueOf(facts, "backend.torch.cpu_capability"), "AVX512");
  EXPECT_EQ(ValueOf(facts, "backend.onnxruntime.framework.version"), "1.31");
  EXPECT_EQ(facts.size(), 5U) << "neither the job's facts nor a build log";
}

TEST_F(StackCaptureTest, OfARunHasItsOwnBackend) {
  const auto capture = Read("measured/torch-b1-model");
  ASSERT_TRUE(capture.ok()) << capture.error().what;
  EXPECT_EQ(capture.value().name, "measured/torch-b1-model");
  EXPECT_EQ(capture.value().kind, "run");
  EXPECT_EQ(capture.value().facts.size(), 4U);
}

TEST_F(StackCaptureTest, OfAFileIsWhatXspSystemWrote) {
  const auto capture = Read((store_.root() / "files/system.json").string());
  ASSERT_TRUE(capture.ok()) << capture.error().what;
  EXPECT_EQ(capture.value().kind, "file");
  EXPECT_EQ(ValueOf(capture.value().facts, "cpu.model"), "Y");
}

TEST_F(StackCaptureTest, ErrorsSayWhatIsWrong) {
  EXPECT_THAT(ErrorOf("imported"), HasSubstr("no stack is stored"));
  EXPECT_THAT(ErrorOf("nothing"), HasSubstr("no such run"));
  EXPECT_THAT(ErrorOf("none.json"), HasSubstr("no such file"));
  EXPECT_THAT(ErrorOf((store_.root() / "files/other.json").string()), HasSubstr("no stack"));
  EXPECT_THAT(ErrorOf((store_.root() / "files/noise.json").string()), HasSubstr("not a JSON"));
}

TEST_F(StackCaptureTest, OfThisMachineHasFacts) {
  const StackCapture capture = CaptureThisMachine();
  EXPECT_EQ(capture.kind, "machine");
  EXPECT_FALSE(ValueOf(capture.facts, "system.kernel").empty());
}

}  // namespace
}  // namespace xsp::api
