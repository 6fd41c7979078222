#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "api/operations/operation_list.h"
#include "core/json_text.h"
#include "store/catalogue.h"
#include "store/store_testing.h"

// cmake/Paths.cmake.
extern const char kTestWorkerFolder[];

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

/// One operator of a trace, and the kernel that it launches.
struct TestOperator {
  std::string type, module, kernel;
  double kernel_us = 10;
  std::string shape = "[4, 64]";
};

json Event(std::string_view category, std::string_view name, double start_us, double length_us,
           json args, int thread = 100) {
  return {{"ph", "X"},     {"cat", category}, {"name", name},     {"pid", thread == 7 ? 0 : 100},
          {"tid", thread}, {"ts", start_us},  {"dur", length_us}, {"args", std::move(args)}};
}

/// A trace as PyTorch's profiler writes it: one step, each operator in a module of its own.
std::string Trace(const std::vector<TestOperator>& operators, const std::string& device) {
  json events = json::array();
  events.push_back(Event("user_annotation", "ProfilerStep#1", 0, 100 * 1000, {{"External id", 1}}));
  double at_us = 10;
  int id = 2;
  for (const TestOperator& one : operators) {
    events.push_back(Event("python_function", "nn.Module: " + one.module, at_us, 90,
                           {{"Python id", id}, {"Python module id", id}}));
    events.push_back(
        Event("cpu_op", one.type, at_us + 1, 80,
              {{"External id", id}, {"Input Dims", json::array({core::ParseJson(one.shape)})}}));
    if (!one.kernel.empty()) {
      events.push_back(Event("cuda_runtime", "cudaLaunchKernel", at_us + 2, 5,
                             {{"External id", id}, {"correlation", id}}));
      events.push_back(
          Event("kernel", one.kernel, at_us + 20, one.kernel_us,
                {{"External id", id}, {"device", 0}, {"stream", 7}, {"correlation", id}}, 7));
    }
    at_us += 100;
    ++id;
  }
  return core::JsonText(json{{"schemaVersion", 1},
                             {"deviceProperties", {{{"id", 0}, {"name", device}}}},
                             {"traceEvents", events}});
}

class CompareOperationTest : public testing::Test {
 protected:
  void SetUp() override {
    context_.store = folder_.path() / "store";
    setenv("XSP_WORKER_PATH", kTestWorkerFolder, 1);
  }
  void TearDown() override { unsetenv("XSP_WORKER_PATH"); }

  std::string Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }

  json Compare(const std::vector<std::string>& sides, const std::string& bound = "") const {
    json request = {{"side", sides}};
    if (!bound.empty()) request["bound"] = bound;
    const auto document = Perform("compare", request, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? ToJson(document.value()) : json();
  }

  Error Refused(const std::vector<std::string>& sides, const std::string& bound = "") const {
    json request = {{"side", sides}};
    if (!bound.empty()) request["bound"] = bound;
    const auto document = Perform("compare", request, context_);
    EXPECT_FALSE(document.ok());
    return document.ok() ? Error{ErrorKind::kInternal, "", ""} : document.error();
  }

  void Import(const std::string& file, const std::string& name) const {
    const auto done = Perform("import", {{"file", json::array({file})}, {"name", name}}, context_);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }

  store::TestFolder folder_;
  Context context_;
};

const std::vector<TestOperator> kOne = {{"aten::linear", "Linear_0", "nv_gemm", 20},
                                        {"aten::relu", "ReLU_0", "void relu<float>(float*)", 5},
                                        {"aten::softmax", "Softmax_0", "softmax", 3.5}};
const std::vector<TestOperator> kOther = {{"aten::linear", "Linear_0", "amd_gemm", 26},
                                          {"aten::relu", "ReLU_0", "void relu<half>(half*)", 4},
                                          {"aten::topk", "TopK_0", "sort", 1}};

/// The rows with time in no other row, by path.
std::map<std::string, json> LeavesOf(const json& pair) {
  std::map<std::string, json> leaves;
  for (const json& row : pair["rows"])
    if (row["leaf"]) leaves[row["path"]] = row;
  return leaves;
}

TEST_F(CompareOperationTest, ComparesFilesWithoutStoringThem) {
  const json pair =
      Compare({Write("a.json", Trace(kOne, "GPU A")), Write("b.json", Trace(kOther, "GPU B"))});
  EXPECT_EQ(pair["basis"], "device");
  EXPECT_EQ(pair["sides"][0]["total_ns"], 28500);
  EXPECT_EQ(pair["sides"][1]["total_ns"], 31000);
  EXPECT_EQ(pair["sides"][1]["device_ns"], 31000);
  EXPECT_EQ(pair["sides"][0]["device_time"]["compute_ns"], 28500);
  EXPECT_EQ(pair["difference_ns"], 2500);
  EXPECT_EQ(pair["residual_ns"], 0);
  EXPECT_EQ(pair["verdict"], "unknown_noise");
  EXPECT_EQ(pair["comparable"]["verdict"], "partly");
  EXPECT_THAT(
      pair["comparable"]["differences"],
      testing::Contains(json{{"what", "gpu"}, {"a", "GPU A"}, {"b", "GPU B"}, {"matters", true}}));
  auto leaves = LeavesOf(pair);
  ASSERT_EQ(leaves.size(), 4U);
  const json& gemm = leaves["Linear_0/aten::linear/nv_gemm"];
  EXPECT_EQ(gemm["difference_ns"], 6000);
  EXPECT_EQ(gemm["b_path"], "Linear_0/aten::linear/amd_gemm");
  EXPECT_EQ(leaves["ReLU_0/aten::relu/void relu<float>(float*)"]["difference_ns"], -1000);
  EXPECT_EQ(leaves["Softmax_0/aten::softmax/softmax"]["b_ns"], json());
  EXPECT_EQ(leaves["TopK_0/aten::topk/sort"]["a_ns"], json());
  EXPECT_DOUBLE_EQ(pair["aligned_share"], 55.0 / 59.5);
  EXPECT_TRUE(store::List(context_.store).value().empty());
}

TEST_F(CompareOperationTest, AFolderIsOneExecution) {
  const std::filesystem::path folder = folder_.path() / "run#1";
  std::filesystem::create_directory(folder);
  const std::string file = Write("run#1/a.json", Trace(kOne, "GPU"));
  EXPECT_EQ(Compare({folder.string(), file})["difference_ns"], 0);
}

TEST_F(CompareOperationTest, TwoSidesOfOneFileDifferByNothing) {
  const std::string file = Write("a.json", Trace(kOne, "GPU"));
  const json pair = Compare({file, file});
  for (const json& row : pair["rows"]) EXPECT_EQ(row["difference_ns"], 0) << row;
  EXPECT_EQ(pair["difference_ns"], 0);
  EXPECT_EQ(pair["ratio"], 1);
  EXPECT_EQ(pair["aligned_share"], 1);
}

TEST_F(CompareOperationTest, ASideMayBeItsOwnBase) {
  Import(Write("a.json", Trace(kOne, "GPU")), "a");
  const json pair = Compare({"a", "a"});
  EXPECT_EQ(pair["verdict"], "no_difference");
  EXPECT_EQ(pair["reason"], "both sides are the same run");
  EXPECT_EQ(pair["difference_ns"], 0);
  EXPECT_EQ(pair["rows"][0]["verdict"], "no_difference");
}

TEST_F(CompareOperationTest, ComparesSeveralWithTheFirst) {
  Import(Write("a.json", Trace(kOne, "GPU")), "a");
  Import(Write("b.json", Trace(kOther, "GPU")), "b");
  const json document = Compare({"a", "b", "b/imported", "a#point=1"});
  std::vector<std::string> names;
  for (const json& pair : document["pairs"])
    names.push_back(std::string(pair["sides"][0]["name"]) + " " +
                    std::string(pair["sides"][1]["name"]));
  EXPECT_THAT(names, ElementsAre("a b", "a b/imported", "a a#point=1"));
  EXPECT_EQ(document["pairs"][0]["difference_ns"], document["pairs"][1]["difference_ns"]);
}

TEST_F(CompareOperationTest, OfOtherModelsItClaimsNothing) {
  const json pair =
      Compare({Write("a.json", Trace({{"aten::linear", "Linear_0", "gemm"}}, "GPU")),
               Write("b.json", Trace({{"aten::embedding", "Embedding_0", "gather"}}, "GPU"))});
  EXPECT_EQ(pair["verdict"], "inconclusive");
  EXPECT_EQ(pair["comparable"]["verdict"], "no");
  EXPECT_THAT(pair["reason"], HasSubstr("in common"));
  EXPECT_EQ(pair["aligned_share"], 0);
}

TEST_F(CompareOperationTest, OfOtherBatchSizesItClaimsNothing) {
  const json pair = Compare(
      {Write("a.json", Trace({{"aten::linear", "Linear_0", "gemm", 5, "[4, 64]"}}, "GPU")),
       Write("b.json", Trace({{"aten::linear", "Linear_0", "gemm", 9, "[8, 64]"}}, "GPU"))});
  EXPECT_EQ(pair["verdict"], "inconclusive");
  EXPECT_THAT(pair["reason"], HasSubstr("batch sizes differ"));
}

TEST_F(CompareOperationTest, KeepsNamesAsTheyAre) {
  const std::string name = "<script>alert('|')</script>\n*x*";
  const json pair = Compare({Write("a.json", Trace({{"aten::linear", "Linear_0", name}}, "GPU")),
                             Write("b.json", Trace({{"aten::linear", "Linear_0", name}}, "GPU"))});
  EXPECT_TRUE(LeavesOf(pair).contains("Linear_0/aten::linear/" + name));
}

TEST_F(CompareOperationTest, WithoutADeviceComparesLayersAndTheTimeBetween) {
  const json pair = Compare({Write("a.json", Trace({{"aten::linear", "Linear_0", ""}}, "GPU")),
                             Write("b.json", Trace(kOther, "GPU"))});
  EXPECT_EQ(pair["basis"], "host");
  EXPECT_EQ(pair["sides"][0]["device_ns"], json());
  EXPECT_EQ(pair["sides"][0]["total_ns"], 100e6);
  auto leaves = LeavesOf(pair);
  EXPECT_EQ(leaves["Linear_0/aten::linear"]["a_ns"], 80000);
  EXPECT_EQ(leaves["(between layers)"]["a_ns"], 100e6 - 80000);
  EXPECT_EQ(leaves["(between layers)"]["b_ns"], 100e6 - 3 * 80000);
  EXPECT_EQ(pair["residual_ns"], 0);
}

TEST_F(CompareOperationTest, RefusesWhatItCannotCompare) {
  Import(Write("a.json", Trace(kOne, "GPU")), "a");
  EXPECT_EQ(Refused({"a"}).kind, ErrorKind::kUsage);
  EXPECT_EQ(Refused({"a", "none"}).kind, ErrorKind::kBadInput);
  EXPECT_EQ(Refused({"a", Write("empty.json", "")}).kind, ErrorKind::kBadInput);
  EXPECT_EQ(Refused({"a", Write("noise.json", "\x01\x02")}).kind, ErrorKind::kBadInput);
  const Error unknown = Refused({"a", "a#bach=1"});
  EXPECT_EQ(unknown.kind, ErrorKind::kUsage);
  EXPECT_THAT(unknown.hint, HasSubstr("Did you mean batch?"));
  for (const char* selector : {"a#batch", "a#batch=", "a#=1"})
    EXPECT_EQ(Refused({"a", selector}).kind, ErrorKind::kUsage) << selector;
  const Error none = Refused({"a", "a#batch=3"});
  EXPECT_EQ(none.kind, ErrorKind::kUsage);
  EXPECT_THAT(none.hint, HasSubstr("#point=1"));
  for (const char* bound : {"x", "0", "-1%", "100%", "2 percent", "nan"})
    EXPECT_EQ(Refused({"a", "a"}, bound).kind, ErrorKind::kUsage) << bound;
}

TEST_F(CompareOperationTest, RefusesASideWithoutACall) {
  Import(Write("a.json", Trace(kOne, "GPU")), "a");
  const std::string ranges = Write("ranges.json", R"({"traceEvents": [
      {"ph": "X", "name": "step", "pid": 1, "tid": 1, "ts": 0, "dur": 10}]})");
  EXPECT_THAT(Refused({"a", ranges}).what, HasSubstr("nothing to compare"));
}

/// Of two experiments, unless other programs disturb one of them: tests run beside others.
void ExpectSlower(const json& pair) {
  const bool was_busy = pair["reason"].is_string() &&
                        pair["reason"].get<std::string>().find("busy") != std::string::npos;
  EXPECT_EQ(pair["verdict"], was_busy ? "inconclusive" : "slower") << pair["reason"];
}

/// Measured by the toy worker: several processes of two batch sizes.
TEST_F(CompareOperationTest, JudgesMeasuredPointsByTheirProcesses) {
  const auto measure = [&](const std::string& name, const std::string& network) {
    const json request = {{"model", Write(name + ".toy", network)},
                          {"backend", json::array({"example"})},
                          {"batch", json::array({1, 2})},
                          {"iterations", 10},
                          {"processes", 3},
                          {"name", name},
                          {"no_roofs", true},
                          {"depth", "layer"}};
    const auto done = Perform("run", request, context_);
    ASSERT_TRUE(done.ok()) << done.error().what;
  };
  measure("small", "input 64\ndense 64\nrelu\n");
  measure("large", "input 64\ndense 4096\nrelu\n");
  const json document = Compare({"small", "large"});
  ASSERT_EQ(document["pairs"].size(), 2U);
  for (const json& pair : document["pairs"]) {
    EXPECT_EQ(pair["basis"], "host");
    ExpectSlower(pair);
    EXPECT_EQ(pair["ratio_of"], "latency");
    EXPECT_EQ(pair["sides"][0]["processes"], 3);
    EXPECT_EQ(pair["sides"][0]["batch"], pair["sides"][1]["batch"]);
    EXPECT_GT(pair["low"], 1);
    EXPECT_LT(pair["low"], pair["ratio"]);
    EXPECT_LT(pair["ratio"], pair["high"]);
    double leaves_ns = 0;
    for (const auto& [path, row] : LeavesOf(pair)) leaves_ns += row["difference_ns"].get<double>();
    EXPECT_NEAR(leaves_ns, pair["difference_ns"], 1e-3);
    EXPECT_EQ(pair["residual_ns"], 0);
  }
  const json one = Compare({"small#batch=2,backend=toy", "large#batch=2"}, "2%");
  EXPECT_EQ(one["sides"][0]["batch"], 2);
  ExpectSlower(one);
  EXPECT_THAT(Refused({"small#backend=toy", "large#batch=1"}).hint,
              AllOf(HasSubstr("#point=1"), HasSubstr("#point=2")));
  EXPECT_EQ(Compare({"small#batch=1", "large#batch=2"})["verdict"], "inconclusive");
  // One process of each.
  EXPECT_EQ(Compare({"small/b1-layer", "large/b1-layer"})["verdict"], "unknown_noise");
}

}  // namespace
}  // namespace xsp::api
