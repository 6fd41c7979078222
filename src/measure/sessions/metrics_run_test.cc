#include "measure/sessions/metrics_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace xsp::sessions {
namespace {

using testing::HasSubstr;

MetricsRun RunOf(std::map<std::string, std::string, std::less<>> facts) {
  MetricsRun run;
  run.seconds = 30;
  run.recorded_s = 2;
  run.trace.facts = std::move(facts);
  return run;
}

TEST(MetricsRun, SumsKernelsOverProcessesAndTakesTheMostPasses) {
  const MetricsFigures figures = FiguresOf(RunOf({{"cuda.metrics.kernels", "100"},
                                                  {"cuda.metrics.kernels.4711", "20"},
                                                  {"cuda.metrics.kernels_untied", "3"},
                                                  {"cuda.metrics.kernels_unmeasured.4711", "4"},
                                                  {"cuda.metrics.graph_launches", "5"},
                                                  {"cuda.metrics.device.0.passes", "9"},
                                                  {"cuda.metrics.device.1.passes", "11"}})
                                               .trace);
  EXPECT_EQ(figures.kernels, 120);
  EXPECT_EQ(figures.unmeasured, 7);
  EXPECT_EQ(figures.graph_launches, 5);
  EXPECT_EQ(figures.passes, 11);
}

TEST(MetricsRun, CountsTheKernelsOfAProcessThatEndedBeforeItToldItsFigures) {
  trace::Trace trace;
  const trace::StringId cupti = trace.strings.Intern("measured:cupti");
  const trace::StringId other = trace.strings.Intern("measured:procfs");
  for (const auto& [span, provenance] :
       {std::pair{1u, cupti}, std::pair{1u, cupti}, std::pair{2u, cupti}, std::pair{3u, other}}) {
    trace.metrics.span.push_back(span);
    trace.metrics.name.push_back(0);
    trace.metrics.unit.push_back(0);
    trace.metrics.provenance.push_back(provenance);
    trace.metrics.value.push_back(1);
  }
  EXPECT_EQ(FiguresOf(trace).kernels, 2);
  trace.facts["cuda.metrics.kernels"] = "7";
  EXPECT_EQ(FiguresOf(trace).kernels, 7);
}

TEST(MetricsRun, SaysWhatWasMeasuredInHowManyPassesAndWhatItCost) {
  const auto notes = MetricsNotes(
      RunOf({{"cuda.metrics.kernels", "100"}, {"cuda.metrics.device.0.passes", "9"}}), "roofline");
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_THAT(notes[0], HasSubstr("100 kernels, each replayed in 9 passes"));
  EXPECT_THAT(notes[0], HasSubstr("30 s, 15 times as long"));
}

TEST(MetricsRun, SaysThatNothingWasMeasuredAndWhy) {
  MetricsRun run = RunOf({});
  run.exit.code = 1;
  run.trace.diagnostics["cuda_metrics_refused"] = {1, "not measured: CUPTI_ERROR", "Do this."};
  run.trace.diagnostics["cuda_metrics_times"] = {1, "times are none", ""};
  const auto notes = MetricsNotes(run, "dram");
  ASSERT_EQ(notes.size(), 3u);
  EXPECT_THAT(notes[0], HasSubstr("no kernel has any"));
  EXPECT_THAT(notes[1], HasSubstr("run for metrics failed"));
  EXPECT_EQ(notes[2], "Metrics run: not measured: CUPTI_ERROR. Do this.");
}

}  // namespace
}  // namespace xsp::sessions
