#include "measure/protocols/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::protocols {
namespace {

using testing::HasSubstr;

TEST(ParseLatency, TakesEveryUnit) {
  EXPECT_EQ(ParseLatency("50ms").value(), 50'000'000);
  EXPECT_EQ(ParseLatency("0.5 s").value(), 500'000'000);
  EXPECT_EQ(ParseLatency("250us").value(), 250'000);
  EXPECT_EQ(ParseLatency("1ns").value(), 1);
}

TEST(ParseLatency, RefusesWhatIsNone) {
  for (const char* text : {"", "50", "ms", "-5ms", "0ms", "5m", "5msx", "nanms", "infs", "1e30s"})
    EXPECT_EQ(ParseLatency(text).error().kind, ErrorKind::kUsage) << text;
}

requests::ExperimentRequest Request(const std::string& kind) {
  requests::ExperimentRequest request;
  request.scenario.kind = kind;
  if (kind == "server") request.scenario.latency_bound_ns = 50'000'000;
  return request;
}

TEST(WithScenario, TakesMLPerfsPercentilesAndSamplesAQuery) {
  EXPECT_EQ(WithScenario(Request("single-stream")).scenario.percentile, 90);
  EXPECT_EQ(WithScenario(Request("server")).scenario.percentile, 99);
  const requests::ExperimentRequest multi = WithScenario(Request("multi-stream"));
  EXPECT_EQ(multi.scenario.percentile, 99);
  EXPECT_EQ(multi.batches, std::vector<std::int64_t>{8});
  EXPECT_EQ(multi.depth, "model");
  EXPECT_TRUE(multi.only);
  EXPECT_EQ(WithScenario(requests::ExperimentRequest()).depth, "");
}

TEST(CheckScenario, RefusesWhatCannotBeMeant) {
  const auto refused = [](const std::string& kind, auto change) {
    requests::ExperimentRequest request = Request(kind);
    change(request);
    const Status status = CheckScenario(request);
    if (status.ok()) return std::string();
    EXPECT_EQ(status.error().kind, ErrorKind::kUsage);
    return status.error().what;
  };
  const auto nothing = [](requests::ExperimentRequest&) {};
  for (const char* kind : kScenarios) EXPECT_EQ(refused(kind, nothing), "");
  EXPECT_THAT(refused("batch", nothing), HasSubstr("no such scenario"));
  EXPECT_THAT(refused("server", [](auto& r) { r.scenario.latency_bound_ns = 0; }),
              HasSubstr("bound"));
  EXPECT_THAT(refused("server", [](auto& r) { r.scenario.queries = 458; }),
              HasSubstr("too few queries"));
  EXPECT_EQ(refused("server", [](auto& r) { r.scenario.queries = 459; }), "");
  EXPECT_THAT(refused("server", [](auto& r) { r.scenario.percentile = 99.99999; }),
              HasSubstr("no run has"));
  EXPECT_THAT(refused("server", [](auto& r) { r.scenario.percentile = 100; }),
              HasSubstr("percentile"));
  EXPECT_THAT(refused("offline", [](auto& r) { r.scenario.percentile = 90; }),
              HasSubstr("offline"));
  EXPECT_THAT(refused("offline", [](auto& r) { r.scenario.latency_bound_ns = 1; }),
              HasSubstr("--latency-bound"));
  EXPECT_THAT(refused("single-stream", [](auto& r) { r.batches = {1, 2}; }), HasSubstr("--batch"));
  EXPECT_THAT(refused("server", [](auto& r) { r.scenario.streams = 4; }), HasSubstr("--streams"));
  EXPECT_THAT(refused("multi-stream", [](auto& r) { r.scenario.streams = -1; }),
              HasSubstr("streams"));
  EXPECT_THAT(refused("offline", [](auto& r) { r.scenario.queries = -3; }), HasSubstr("queries"));
  EXPECT_THAT(refused("offline", [](auto& r) { r.depth = "kernel"; }), HasSubstr("--depth"));
  EXPECT_THAT(refused("", [](auto& r) { r.scenario.queries = 9; }), HasSubstr("need a scenario"));
}

}  // namespace
}  // namespace xsp::protocols
