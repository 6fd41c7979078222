#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "api/operations/operation_list.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A step of two operators, each of which launches a kernel; 100 short spans on a third track.
class TimelineOperationTest : public testing::Test {
 protected:
  void SetUp() override {
    context_.store = folder_.path() / "store";
    trace::Trace trace;
    trace::TraceWriter writer(trace);
    writer.AddTrack({trace::TrackKind::kThread, "main", 1, 1});
    writer.AddTrack({trace::TrackKind::kStream, "stream 7", 1, 1, 0, 7});
    writer.AddTrack({trace::TrackKind::kThread, "loader", 1, 2});
    for (const std::int64_t start : {1000, 6000}) {
      const auto layer =
          writer.AddSpan({trace::Level::kLayer, "conv", "aten::conv2d", 1, start, 4000});
      const auto launch = writer.AddSpan({trace::Level::kLibrary, "cuda_runtime",
                                          "cudaLaunchKernel", 1, start + 100, 200, layer, start});
      writer.AddSpan(
          {trace::Level::kKernel, "kernel", "it's a gemm", 2, start + 500, 3000, launch, start});
    }
    writer.AddMetric(1, "flops.float32.vector", 12, "flop", "analytic");
    for (int i = 0; i < 100; ++i)
      writer.AddSpan({trace::Level::kApplication, "range", "read", 3, 1000 + 10 * i, 5});
    auto experiment = store::ExperimentWriter::Create(context_.store, "e");
    ASSERT_TRUE(experiment.ok());
    ASSERT_TRUE(experiment.value().AddRun("small", trace::Trace(), "{}").ok());
    ASSERT_TRUE(experiment.value().AddRun("big", trace, "{}").ok());
    ASSERT_TRUE(experiment.value().Commit("{}").ok());
  }

  json Timeline(json request = json::object()) const {
    request["run"] = request.value("run", "e");
    const auto document = api::Perform("timeline", request, context_);
    EXPECT_TRUE(document.ok()) << document.error().what;
    return document.ok() ? ToJson(document.value()) : json();
  }

  Error Refused(json request) const {
    request["run"] = request.value("run", "e");
    const auto document = api::Perform("timeline", request, context_);
    EXPECT_FALSE(document.ok());
    return document.ok() ? Error{ErrorKind::kInternal, "", ""} : document.error();
  }

  store::TestFolder folder_;
  Context context_;
};

TEST_F(TimelineOperationTest, ShowsTheRunWithTheMostSpansAsAWhole) {
  const json document = Timeline();
  EXPECT_EQ(document["run"], "big");
  EXPECT_EQ(document["spans"], 106);
  EXPECT_EQ(document["origin_ns"], 1000);
  EXPECT_EQ(document["duration_ns"], 9000);
  ASSERT_EQ(document["tracks"].size(), 3U);
  EXPECT_EQ(document["tracks"][0]["lanes"], 2);
  EXPECT_EQ(document["tracks"][1]["name"], "stream 7");
  EXPECT_EQ(document["tracks"][2]["spans"], 100);
  std::int64_t spans = 0;
  for (const json& count : document["blocks"]["spans"]) spans += count.get<std::int64_t>();
  EXPECT_EQ(spans, 106);
}

TEST_F(TimelineOperationTest, MergesWhatIsShorterThanAPixelAndTellsTheRestApart) {
  const json document = Timeline({{"width", 10}, {"to_ns", 9000}});
  EXPECT_EQ(document["bucket_ns"], 512);
  const json& blocks = document["blocks"];
  std::int64_t of_loader = 0, busy_ns = 0;
  for (std::size_t i = 0; i < blocks["track"].size(); ++i) {
    const std::string name = document["names"][blocks["name"][i].get<std::size_t>()]["name"];
    if (blocks["track"][i] != 3) {
      EXPECT_EQ(blocks["spans"][i], 1);
      continue;
    }
    ++of_loader;
    busy_ns += blocks["busy_ns"][i].get<std::int64_t>();
    EXPECT_EQ(name, "read");
  }
  EXPECT_EQ(of_loader, 2);
  EXPECT_EQ(busy_ns, 500);
}

TEST_F(TimelineOperationTest, SumsTheTimeWithinTheInterval) {
  const json sums = Timeline({{"from_ns", 2000}, {"to_ns", 6000}, {"parts", {"sums"}}})["sums"];
  // The first operator until 4000, the second from 5000 on; of the kernels 500 to 3500 and 5500 on.
  EXPECT_EQ(sums["rows"][0]["name"], "aten::conv2d");
  EXPECT_EQ(sums["rows"][0]["spans"], 2);
  EXPECT_EQ(sums["rows"][0]["duration_ns"], 3000);
  EXPECT_EQ(sums["rows"][1]["name"], "it's a gemm");
  EXPECT_EQ(sums["rows"][1]["duration_ns"], 2000);
  EXPECT_EQ(sums["names"], 3);
  EXPECT_EQ(sums["spans"], 5);
}

TEST_F(TimelineOperationTest, FindsSpansByAPartOfTheirNameFromATimeOn) {
  const json document = Timeline({{"search", "IT'S"}, {"from_ns", 3000}, {"parts", {"none"}}});
  EXPECT_FALSE(document.contains("blocks"));
  EXPECT_EQ(document["hits"]["spans"], 2);
  EXPECT_EQ(document["hits"]["before"], 1);
  ASSERT_EQ(document["hits"]["rows"].size(), 1U);
  EXPECT_EQ(document["hits"]["rows"][0]["start_ns"], 5500);
}

TEST_F(TimelineOperationTest, TakesTheTextOfASearchLiterally) {
  EXPECT_EQ(Timeline({{"search", "' OR 1=1 --"}})["hits"]["spans"], 0);
  EXPECT_EQ(Timeline({{"search", "%"}})["hits"]["spans"], 0);
}

TEST_F(TimelineOperationTest, LeadsFromALaunchToItsKernelAndBack) {
  const json launch = Timeline({{"span", 2}})["span"];
  EXPECT_EQ(launch["name"], "cudaLaunchKernel");
  ASSERT_EQ(launch["parents"].size(), 1U);
  EXPECT_EQ(launch["parents"][0]["name"], "aten::conv2d");
  ASSERT_EQ(launch["flows"].size(), 1U);
  EXPECT_EQ(launch["flows"][0]["id"], 3);
  EXPECT_EQ(launch["flows"][0]["kind"], "launch");
  EXPECT_EQ(launch["flows"][0]["is_outgoing"], true);
  const json kernel = Timeline({{"span", 3}})["span"];
  ASSERT_EQ(kernel["flows"].size(), 1U);
  EXPECT_EQ(kernel["flows"][0]["id"], 2);
  EXPECT_EQ(kernel["flows"][0]["is_outgoing"], false);
}

TEST_F(TimelineOperationTest, ShowsTheMetricsOfASpan) {
  EXPECT_EQ(Timeline({{"span", 1}})["span"]["metrics"][0]["value"], 12.0);
}

TEST_F(TimelineOperationTest, RefusesAnEmptyIntervalASpanThatIsNotThereAndARunWithoutSpans) {
  EXPECT_EQ(Refused({{"from_ns", 5}, {"to_ns", 5}}).kind, ErrorKind::kUsage);
  EXPECT_THAT(Refused({{"span", 1000}}).what, HasSubstr("no such span: 1000"));
  EXPECT_THAT(Refused({{"run", "e/small"}}).what, HasSubstr("no run has spans"));
}

}  // namespace
}  // namespace xsp::api
