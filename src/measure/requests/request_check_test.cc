#include "measure/requests/request_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace xsp::requests {
namespace {

using testing::HasSubstr;

ExperimentRequest Consistent() {
  ExperimentRequest request;
  request.model = "resnet50";
  return request;
}

TEST(RequestCheck, AcceptsTheDefaults) { EXPECT_TRUE(CheckRequest(Consistent()).ok()); }

TEST(RequestCheck, RefusesEachInconsistency) {
  struct Case {
    std::function<void(ExperimentRequest&)> change;
    std::string what;
  };
  const std::vector<Case> cases = {
      {[](auto& request) { request.model = "a\xff.onnx"; }, "not UTF-8: a\uFFFD.onnx"},
      {[](auto& request) { request.name = "\xc3"; }, "not UTF-8"},
      {[](auto& request) { request.batches = {}; }, "no batch size"},
      {[](auto& request) {
         request.batches = {1, 0};
       },
       "batch size is not between"},
      {[](auto& request) { request.iterations = 0; }, "iterations are not between"},
      {[](auto& request) { request.precision_target = 1; }, "precision target"},
      {[](auto& request) { request.time_limit_s = -1; }, "time limit is negative"},
      {[](auto& request) { request.processes = 101; }, "processes are not between"},
      {[](auto& request) { request.loads = 0; }, "loads are not between 1 and 30"},
      {[](auto& request) { request.loads = 31; }, "loads are not between 1 and 30"},
      {[](auto& request) {
         request.loads = 2;
         request.scenario.kind = "offline";
       },
       "a scenario or a data set loads the model once"},
      {[](auto& request) { request.threads = -1; }, "threads are negative"},
      {[](auto& request) { request.warmup_limit_s = -1; }, "warm-up limit is negative"},
      {[](auto& request) { request.deadline_s = -1; }, "deadline is negative"},
      {[](auto& request) { request.memory_limit_bytes = -1; }, "memory limit is negative"},
      {[](auto& request) {
         request.inputs = {"x=1x2", "3x4"};
       },
       "one without its name: 3x4"},
      {[](auto& request) { request.options = {"graph"}; }, "option is not NAME=VALUE: graph"},
      {[](auto& request) {
         request.worker = "worker";
         request.backends = {"torch", "onnxruntime"};
       },
       "one worker program for several backends"}};
  for (const Case& bad : cases) {
    ExperimentRequest request = Consistent();
    bad.change(request);
    const Status status = CheckRequest(request);
    ASSERT_FALSE(status.ok()) << bad.what;
    EXPECT_EQ(status.error().kind, ErrorKind::kUsage) << bad.what;
    EXPECT_THAT(status.error().what, HasSubstr(bad.what));
  }
}

}  // namespace
}  // namespace xsp::requests
