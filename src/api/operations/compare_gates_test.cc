#include "api/operations/compare_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "api/operations/operation_list.h"
#include "core/json_text.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// A trace of PyTorch's profiler: one step of 100 ms with two operators, of which the second
/// launches a kernel of this duration.
std::string StepTrace(double kernel_us, const std::string& kernel = "gemm<4, 8>") {
  const auto event = [](const char* category, const std::string& name, double start_us,
                        double length_us, int thread, json args) {
    return json{{"ph", "X"},     {"cat", category}, {"name", name},     {"pid", 100},
                {"tid", thread}, {"ts", start_us},  {"dur", length_us}, {"args", std::move(args)}};
  };
  const json events = {
      event("user_annotation", "ProfilerStep#1", 0, 100 * 1000, 100, {{"External id", 1}}),
      event("cpu_op", "aten::relu", 10, 20, 100, {{"External id", 2}}),
      event("cuda_runtime", "cudaLaunchKernel", 12, 5, 100,
            {{"External id", 2}, {"correlation", 2}}),
      event("kernel", "relu", 30, 10, 7,
            {{"External id", 2}, {"device", 0}, {"stream", 7}, {"correlation", 2}}),
      event("cpu_op", "aten::linear", 100, 20, 100, {{"External id", 3}}),
      event("cuda_runtime", "cudaLaunchKernel", 102, 5, 100,
            {{"External id", 3}, {"correlation", 3}}),
      event("kernel", kernel, 130, kernel_us, 7,
            {{"External id", 3}, {"device", 0}, {"stream", 7}, {"correlation", 3}})};
  return core::JsonText(json{{"schemaVersion", 1},
                             {"deviceProperties", {{{"id", 0}, {"name", "GPU"}}}},
                             {"traceEvents", events}});
}

class CompareGatesTest : public testing::Test {
 protected:
  CompareGatesTest() { context_.store = folder_.path() / "store"; }

  std::string Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }

  /// Stores an experiment of one trace.
  void Import(const std::string& name, double kernel_us) const {
    const json request = {{"file", {Write(name + ".json", StepTrace(kernel_us))}}, {"name", name}};
    const auto done = Perform("import", request, context_);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }

  Document Compare(json request) const {
    auto document = Perform("compare", request, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? std::move(document).value() : Document{};
  }

  Error Refused(const std::string& operation, const json& request) const {
    const auto document = Perform(operation, request, context_);
    EXPECT_FALSE(document.ok()) << request;
    return document.ok() ? Error{ErrorKind::kInternal, "", ""} : document.error();
  }

  json Done(const std::string& operation, const json& request) const {
    const auto document = Perform(operation, request, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? ToJson(document.value()) : json();
  }

  store::TestFolder folder_;
  Context context_;
};

TEST_F(CompareGatesTest, ARegressionIsStatusSixAndNamesTheRows) {
  Import("before", 20);
  Import("after", 40);
  const Document document =
      Compare({{"side", {"before", "after"}}, {"gate", {"device=10%"}}, {"gate_noise", "5%"}});
  EXPECT_EQ(document.exit_status, 6);
  const json pair = ToJson(document);
  EXPECT_EQ(pair["outcome"], "regression");
  const json& gate = pair["gates"][0];
  EXPECT_EQ(gate["gate"], "device=10%");
  EXPECT_EQ(gate["metric"], "device");
  EXPECT_EQ(gate["limit"], 0.1);
  EXPECT_EQ(gate["outcome"], "regression");
  EXPECT_DOUBLE_EQ(gate["value"], 50.0 / 30);
  EXPECT_DOUBLE_EQ(gate["low"], 50.0 / 30 / 1.05);
  EXPECT_EQ(gate["a"], 30000);
  EXPECT_EQ(gate["unit"], "ns");
  ASSERT_EQ(gate["nodes"].size(), 1U);
  EXPECT_EQ(gate["nodes"][0]["path"], "aten::linear/gemm<4, 8>");
  EXPECT_EQ(gate["nodes"][0]["difference_ns"], 20000);
  EXPECT_EQ(gate["nodes"][0]["share"], 1);
  // The rest of the document is as without gates.
  EXPECT_EQ(pair["difference_ns"], 20000);
  EXPECT_EQ(pair["verdict"], "unknown_noise");
}

TEST_F(CompareGatesTest, WithoutAGateThereIsNoOutcome) {
  Import("before", 20);
  const Document document = Compare({{"side", {"before", "before"}}});
  EXPECT_EQ(document.exit_status, 0);
  EXPECT_FALSE(ToJson(document).contains("gates"));
  EXPECT_FALSE(ToJson(document).contains("outcome"));
}

TEST_F(CompareGatesTest, TracesAreInconclusiveUnlessANoiseIsAssumed) {
  Import("before", 20);
  Import("after", 40);
  json request = {{"side", {"before", "after"}}, {"gate", {"device=10%"}}};
  const Document unknown = Compare(request);
  EXPECT_EQ(unknown.exit_status, 7);
  EXPECT_THAT(ToJson(unknown)["gates"][0]["reason"].get<std::string>(), HasSubstr("--gate-noise"));
  request["gate_noise"] = "100%";
  EXPECT_EQ(Compare(request).exit_status, 7);
  request["gate_noise"] = "0%";
  EXPECT_EQ(Compare(request).exit_status, 6);
  request["gate"] = {"device=70%"};
  EXPECT_EQ(Compare(request).exit_status, 0);
}

TEST_F(CompareGatesTest, TheWorstOfSeveralPairsAndGatesDecides) {
  Import("a", 20);
  Import("same", 20);
  Import("slow", 40);
  const auto status = [&](const std::vector<std::string>& sides, const std::string& gates) {
    return Compare({{"side", sides}, {"gate", {gates}}, {"gate_noise", "1%"}}).exit_status;
  };
  EXPECT_EQ(status({"a", "same"}, "device=10%,kernel:gemm*=10%"), 0);
  EXPECT_EQ(status({"a", "same"}, "device=10%,layer:none=10%"), 7);
  EXPECT_EQ(status({"a", "slow"}, "layer:none=10%,device=10%,layer:aten::relu=1%"), 6);
  EXPECT_EQ(status({"a", "slow", "same"}, "device=10%"), 6);
  EXPECT_EQ(status({"a", "same", "a"}, "energy=10%"), 7);
  const json document = ToJson(
      Compare({{"side", {"a", "slow", "same"}}, {"gate", {"device=10%"}}, {"gate_noise", "1%"}}));
  EXPECT_EQ(document["outcome"], "regression");
  EXPECT_EQ(document["pairs"][0]["gates"][0]["outcome"], "regression");
  EXPECT_EQ(document["pairs"][1]["gates"][0]["outcome"], "pass");
}

TEST_F(CompareGatesTest, MistakesAreFoundBeforeAnythingIsRead) {
  const std::vector<std::string> none = {"none", "none"};
  const Error unknown = Refused("compare", {{"side", none}, {"gate", {"latncy=3%"}}});
  EXPECT_EQ(unknown.kind, ErrorKind::kUsage);
  EXPECT_THAT(unknown.hint, HasSubstr("Did you mean latency?"));
  for (const char* gate : {"latency", "latency=-1%", "latency=3%,latency=4%", "layer=3%"})
    EXPECT_EQ(Refused("compare", {{"side", none}, {"gate", {gate}}}).kind, ErrorKind::kUsage);
  EXPECT_EQ(
      Refused("compare", {{"side", none}, {"gate", {"latency=3%"}}, {"gate_noise", "-1%"}}).kind,
      ErrorKind::kUsage);
  EXPECT_EQ(Refused("compare", {{"side", none}, {"junit", "x.xml"}}).kind, ErrorKind::kUsage);
}

TEST_F(CompareGatesTest, WritesAJunitFile) {
  Import("before", 20);
  Import("after", 40);
  const std::string file = (folder_.path() / "gates.xml").string();
  Compare({{"side", {"before", "after"}},
           {"gate", {"device=10%,layer:none=10%,kernel:gemm<4*=1000%"}},
           {"gate_noise", "1%"},
           {"junit", file}});
  const std::string text = os::ReadFile(file).value();
  EXPECT_THAT(text, HasSubstr(R"(tests="3" failures="1" errors="1" skipped="0")"));
  EXPECT_THAT(text, AllOf(HasSubstr("name=\"kernel:gemm&lt;4*=1000%\" time=\"0\"/>"),
                          HasSubstr("aten::linear/gemm&lt;4, 8&gt;: 20.0")));
  EXPECT_EQ(Refused("compare", {{"side", {"before", "after"}},
                                {"gate", {"device=10%"}},
                                {"junit", (folder_.path() / "none" / "x.xml").string()}})
                .kind,
            ErrorKind::kEnvironment);
}

TEST_F(CompareGatesTest, ABaselineIsTheFirstSide) {
  Import("before", 20);
  Import("after", 40);
  EXPECT_EQ(Done("baseline/set", {{"name", "main"}, {"experiment", "before#point=1"}})["selector"],
            "point=1");
  const json gate = {
      {"side", {"after"}}, {"baseline", "main"}, {"gate", {"device=10%"}}, {"gate_noise", "1%"}};
  const Document compared = Compare(gate);
  EXPECT_EQ(compared.exit_status, 6);
  EXPECT_EQ(ToJson(compared)["sides"][0]["name"], "before#point=1");
  Done("rename", {{"name", "before"}, {"new_name", "better"}});
  EXPECT_EQ(ToJson(Compare(gate))["sides"][0]["name"], "better#point=1");
  EXPECT_THAT(Refused("remove", {{"name", {"after", "better"}}}).what, HasSubstr("baseline main"));
  EXPECT_EQ(store::List(context_.store).value().size(), 2U);
  std::filesystem::remove_all(context_.store / "better");
  EXPECT_THAT(Refused("compare", gate).what, HasSubstr("not in the store"));
  EXPECT_EQ(Done("baseline/list", json::object())[0]["status"], "removed");
}

TEST_F(CompareGatesTest, ASideThatIsTheBaselinePasses) {
  Import("before", 20);
  Done("baseline/set", {{"name", "main"}, {"experiment", "latest"}});
  const Document document =
      Compare({{"side", {"before"}}, {"baseline", "main"}, {"gate", {"latency=0%,device=0%"}}});
  EXPECT_EQ(document.exit_status, 0);
  EXPECT_EQ(ToJson(document)["gates"][0]["reason"], "both sides are the same run");
}

TEST_F(CompareGatesTest, ABaselineIsAnExperimentOfTheStoreAndOnePoint) {
  Import("before", 20);
  const auto refused = [&](const std::string& experiment) {
    return Refused("baseline/set", {{"name", "main"}, {"experiment", experiment}}).kind;
  };
  EXPECT_EQ(refused("none"), ErrorKind::kBadInput);
  EXPECT_EQ(refused("before.json"), ErrorKind::kBadInput);
  EXPECT_EQ(refused("before/imported"), ErrorKind::kBadInput);
  EXPECT_EQ(refused("before#bach=1"), ErrorKind::kUsage);
  EXPECT_EQ(refused("before#point=7"), ErrorKind::kUsage);
  EXPECT_TRUE(Done("baseline/list", json::object()).empty());
  EXPECT_EQ(Refused("compare", {{"side", {"before"}}, {"baseline", "main"}}).kind,
            ErrorKind::kBadInput);
}

TEST_F(CompareGatesTest, BaselinesAreReplacedAndRemoved) {
  Import("before", 20);
  Import("after", 40);
  EXPECT_EQ(Done("baseline/set", {{"name", "main"}, {"experiment", "before"}})["replaced"], json());
  EXPECT_EQ(Done("baseline/set", {{"name", "main"}, {"experiment", "after"}})["replaced"],
            "before");
  EXPECT_EQ(Done("baseline/list", json::object())[0]["experiment"], "after");
  EXPECT_EQ(Done("baseline/remove", {{"name", {"main"}}})["removed"], json::array({"main"}));
  EXPECT_EQ(Refused("baseline/remove", {{"name", {"main"}}}).kind, ErrorKind::kBadInput);
  EXPECT_EQ(store::List(context_.store).value().size(), 2U);
}

}  // namespace
}  // namespace xsp::api
