#include "measure/workers/worker_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::workers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

WorkerFacts FactsOf(const std::string& description) {
  WorkerProgram worker;
  worker.description = description;
  return workers::FactsOf(worker);
}

TEST(WorkerFacts, TellModelsWithExtensionsAndLevels) {
  const WorkerFacts facts = FactsOf(R"({"models": [
      {"format": "onnx", "extensions": [".onnx"], "levels": ["model", "layer"], "note": ""},
      {"format": "saved", "extensions": [], "levels": ["model"], "note": "a folder"}]})");
  EXPECT_THAT(facts.models,
              ElementsAre("onnx (.onnx), levels model, layer", "saved, levels model: a folder"));
}

TEST(WorkerFacts, TellOptionsWithValuesDefaultAndMeaning) {
  const WorkerFacts facts = FactsOf(R"({"options": [
      {"name": "xla", "values": ["on", "off"], "default": "off", "meaning": "compiled by XLA"},
      {"name": "streams", "type": "integer", "default": 0, "meaning": "calls at once"},
      {"name": "config", "type": "path", "default": "", "meaning": "the graph"},
      {"name": "bare"}]})");
  EXPECT_THAT(facts.options, ElementsAre("xla (on, off; unless given: off): compiled by XLA",
                                         "streams (integer; unless given: 0): calls at once",
                                         "config (path): the graph", "bare"));
}

TEST(WorkerFacts, JoinWhatTheWorkerOffers) {
  WorkerProgram worker;
  worker.devices = {"cpu", "gpu.0", "npu"};
  worker.graphs = {"static", "dynamic"};
  const WorkerFacts facts = workers::FactsOf(worker);
  EXPECT_EQ(facts.devices, "cpu, gpu.0, npu");
  EXPECT_EQ(facts.graphs, "static, dynamic");
  EXPECT_EQ(facts.precisions, "");
}

TEST(WorkerFacts, LeaveOutWhatIsMissingOrOfAnotherForm) {
  for (const char* description :
       {"", "[]", "{}", R"({"models": 3, "options": "none"})", R"({"models": {"format": "x"}})",
        R"({"models": [7, null, {"extensions": [".x"]}], "options": [[], {"meaning": "y"}]})"}) {
    const WorkerFacts facts = FactsOf(description);
    EXPECT_THAT(facts.models, IsEmpty()) << description;
    EXPECT_THAT(facts.options, IsEmpty()) << description;
  }
  const WorkerFacts odd = FactsOf(
      R"({"models": [{"format": "x", "extensions": ".x", "levels": [null, 2]}],
          "options": [{"name": "y", "values": {}, "default": ["z"], "meaning": 5}]})");
  EXPECT_THAT(odd.models, ElementsAre("x, levels 2"));
  EXPECT_THAT(odd.options, ElementsAre("y: 5"));
}

}  // namespace
}  // namespace xsp::workers
