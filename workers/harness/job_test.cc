#include "harness/job.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::worker {
namespace {

std::string WhyNot(const std::string& text) {
  Job job;
  const Status status = ParseJob(text, job);
  if (status.ok()) return "";
  EXPECT_EQ(status.error().kind, ErrorKind::kBadInput);
  EXPECT_FALSE(status.error().hint.empty());
  return status.error().what;
}

TEST(Job, ReadsEveryField) {
  Job job;
  ASSERT_TRUE(ParseJob(R"({"version": 1,
    "model": {"name": "bert", "path": "/models/bert.pt", "inputs": [
      {"name": "ids", "dtype": "int64", "shape": ["batch", 128], "range": [1, 30522]},
      {"name": "mask", "dtype": "bool", "shape": [7], "fill": "ones"}]},
    "device": "cuda:0", "precision": "bfloat16", "graph": "frozen", "batch": 4, "threads": 2,
    "seed": 9, "rung": "details", "iterations": 12, "outputs": "/tmp/results",
    "options": {"execution_mode": "parallel"},
    "warmup": {"window": 5, "tolerance": 0.1, "max_calls": 50, "max_seconds": 1.5}})",
                       job)
                  .ok());
  EXPECT_EQ(job.model_name, "bert");
  EXPECT_EQ(job.model_path, "/models/bert.pt");
  EXPECT_EQ(job.device, "cuda:0");
  EXPECT_EQ(job.precision, "bfloat16");
  EXPECT_EQ(job.graph, "frozen");
  EXPECT_EQ(job.batch, 4);
  EXPECT_EQ(job.threads, 2);
  EXPECT_EQ(job.seed, 9u);
  EXPECT_EQ(job.rung, XSP_RUNG_DETAILS);
  EXPECT_EQ(job.iterations, 12);
  EXPECT_EQ(job.warmup.window, 5);
  EXPECT_EQ(job.warmup.tolerance, 0.1);
  EXPECT_EQ(job.outputs_folder, "/tmp/results");
  ASSERT_EQ(job.options.size(), 1u);
  EXPECT_EQ(job.options[0], (std::pair<std::string, std::string>("execution_mode", "parallel")));
  EXPECT_EQ(job.inputs.at(1).fill, Fill::kOnes);
  EXPECT_EQ(job.warmup.max_calls, 50);
  EXPECT_EQ(job.warmup.max_seconds, 1.5);
  ASSERT_EQ(job.inputs.size(), 2u);
  EXPECT_EQ(job.inputs[0].shape, (std::vector<std::int64_t>{4, 128}));
  EXPECT_EQ(job.inputs[0].dtype, XSP_INT64);
  EXPECT_EQ(job.inputs[0].range.second, 30522);
  EXPECT_EQ(job.inputs[1].dtype, XSP_BOOL);
}

TEST(Job, NeedsOnlyVersionAndPath) {
  Job job;
  ASSERT_TRUE(ParseJob(R"({"version": 1, "model": {"path": "a/b.pt"}})", job).ok());
  EXPECT_EQ(job.model_name, "b.pt");
  EXPECT_EQ(job.rung, XSP_RUNG_MODEL);
  EXPECT_EQ(job.batch, 1);
  EXPECT_TRUE(job.inputs.empty());
}

TEST(Job, SaysWhichFieldIsWrong) {
  const auto with = [](const std::string& fields) {
    return WhyNot(R"({"version": 1, "model": {"path": "m"}, )" + fields + "}");
  };
  EXPECT_NE(with(R"("batch": 0)").find("batch"), std::string::npos);
  EXPECT_NE(with(R"("batch": 1.5)").find("batch"), std::string::npos);
  EXPECT_NE(with(R"("batch": 18446744073709551615)").find("batch"), std::string::npos);
  EXPECT_NE(with(R"("threads": -1)").find("threads"), std::string::npos);
  EXPECT_NE(with(R"("rung": "cellar")").find("rung"), std::string::npos);
  EXPECT_NE(with(R"("device": 3)").find("device"), std::string::npos);
  EXPECT_NE(with(R"("warmup": {"window": 0})").find("warmup.window"), std::string::npos);
  EXPECT_NE(with(R"("warmup": {"tolerance": -1})").find("warmup.tolerance"), std::string::npos);
  EXPECT_NE(with(R"("warmup": {"max_seconds": "a"})").find("warmup.max_seconds"),
            std::string::npos);
}

TEST(Job, SaysWhatIsWrongWithAnInput) {
  const auto with = [](const std::string& input) {
    return WhyNot(R"({"version": 1, "model": {"path": "m", "inputs": [)" + input + "]}}");
  };
  EXPECT_NE(with(R"({"dtype": "float32"})").find("shape"), std::string::npos);
  EXPECT_NE(with(R"({"shape": [0]})").find("shape"), std::string::npos);
  EXPECT_NE(with(R"({"shape": ["width"]})").find("shape"), std::string::npos);
  EXPECT_NE(with(R"({"shape": [1,1,1,1,1,1,1,1,1]})").find("shape"), std::string::npos);
  EXPECT_NE(with(R"({"shape": [1], "dtype": "float31"})").find("dtype"), std::string::npos);
  EXPECT_NE(with(R"({"shape": [1], "range": [5, 5]})").find("range"), std::string::npos);
  EXPECT_NE(with("3").find("inputs[0]"), std::string::npos);
}

TEST(Job, RefusesWhatIsNoJob) {
  EXPECT_NE(WhyNot(""), "");
  EXPECT_NE(WhyNot("[]"), "");
  EXPECT_NE(WhyNot("{"), "");
  EXPECT_NE(WhyNot(R"({"version": 2, "model": {"path": "m"}})").find("version"), std::string::npos);
  EXPECT_NE(WhyNot(R"({"version": 1})").find("model"), std::string::npos);
  EXPECT_NE(WhyNot(R"({"version": 1, "model": {}})").find("path"), std::string::npos);
  EXPECT_NE(WhyNot(R"({"version": 1, "model": 5})").find("path"), std::string::npos);
}

}  // namespace
}  // namespace xsp::worker
