#include "derive/history/session_sources.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "derive/history/history_testing.h"
#include "store/store_testing.h"

namespace xsp::history {
namespace {

class SessionSourcesTest : public testing::Test {
 protected:
  void Add(const std::string& name, double latency_ns, TestExperiment experiment = {}) {
    experiment.name = name;
    experiment.created = TestDate(++day_);
    experiment.latency_ns = latency_ns;
    WriteTestExperiment(store_.path(), experiment);
  }

  compare::SessionNoise NoiseOf(const std::string& a, const std::string& b) {
    compare::Sides sides;
    for (compare::Side* side : {&sides.a, &sides.b}) {
      side->source.experiment = store_.path() / (side == &sides.a ? a : b);
      side->source.point_id = 1;
      side->point = TestPointOf({});
    }
    return ReadSessionNoise(store_.path(), sides).value();
  }

  store::TestFolder store_;
  int day_ = 0;
};

TEST_F(SessionSourcesTest, KnowsNothingOfTheSidesAlone) {
  Add("a", 1e6);
  Add("b", 2e6);
  EXPECT_EQ(NoiseOf("a", "b").sessions, 0U);
}

TEST_F(SessionSourcesTest, TakesTheOtherSessionsOfTheSeries) {
  Add("a", 1e6);
  for (const double latency_ns : {1e6, 1.1e6, 1.2e6})
    Add("other" + std::to_string(day_), latency_ns);
  Add("b", 9e6);
  const compare::SessionNoise noise = NoiseOf("a", "b");
  EXPECT_EQ(noise.sessions, 3U);
  EXPECT_EQ(noise.degrees, 2U);
  EXPECT_NEAR(noise.largest_ratio, 1.2, 1e-9);
}

TEST_F(SessionSourcesTest, LeavesOutWhatIsNoOtherSessionOfTheProgram) {
  Add("a", 1e6);
  Add("b", 1e6);
  Add("same", 1e6);
  Add("busy", 2e6, {.was_busy = true});
  Add("one-process", 3e6, {.processes = 1});
  Add("machine", 4e6, {.cpu = "Other CPU"});
  Add("batch", 5e6, {.batch = 8});
  Add("model", 6e6, {.model = "other"});
  // Another program of the series: compared with sessions of its own only.
  Add("version", 7e6, {.version = "2.16.0"});
  const compare::SessionNoise noise = NoiseOf("a", "b");
  EXPECT_EQ(noise.degrees, 0U);
  EXPECT_TRUE(std::isnan(noise.spread));
}

TEST_F(SessionSourcesTest, ExperimentsThatAlternatedAreOneSession) {
  Add("a", 1e6);
  Add("b", 1e6);
  Add("first", 1e6, {.session = "s"});
  Add("second", 1e6, {.session = "s"});
  Add("later", 1.2e6, {.session = "t"});
  const compare::SessionNoise noise = NoiseOf("a", "b");
  EXPECT_EQ(noise.sessions, 2U);
  EXPECT_EQ(noise.degrees, 1U);
}

TEST_F(SessionSourcesTest, OfASideThatIsNotInTheStoreKnowsNothing) {
  for (const char* name : {"one", "two", "three", "four"}) Add(name, 1e6);
  EXPECT_EQ(NoiseOf("elsewhere/a", "elsewhere/b").sessions, 0U);
  EXPECT_EQ(NoiseOf("one", "elsewhere/b").sessions, 3U);
}

}  // namespace
}  // namespace xsp::history
