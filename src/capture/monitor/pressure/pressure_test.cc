#include <gmock/gmock.h>

#include "capture/monitor/sampler_testing.h"

namespace xsp::monitor::pressure {

extern const SamplerSpec kSpec;

namespace {

using collect::FixtureTree;
using testing::ElementsAre;

std::string Text(int some_us, int full_us) {
  return "some avg10=82.56 avg60=79.67 avg300=59.14 total=" + std::to_string(some_us) +
         "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=" + std::to_string(full_us) + "\n";
}

TEST(PressureSamplerTest, ShareIsTheGrowthOfTheTotal) {
  FixtureTree tree({});
  tree.Write("proc/pressure/cpu", Text(1000, 0));
  tree.Write("proc/pressure/memory", Text(0, 0));
  tree.Write("proc/pressure/io", Text(500, 100));
  ReadSampler sampler(kSpec, tree);
  EXPECT_THAT(sampler.Channels(),
              ElementsAre("pressure.cpu_some_share [1]", "pressure.memory_some_share [1]",
                          "pressure.memory_full_share [1]", "pressure.io_some_share [1]",
                          "pressure.io_full_share [1]"));
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("pressure.io_some_share")) << "averages of the kernel do not count";
  tree.Write("proc/pressure/cpu", Text(101'000, 0));
  tree.Write("proc/pressure/io", Text(25'500, 10'100));
  tree.Write("proc/pressure/memory", "");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("pressure.cpu_some_share"), 1);
  EXPECT_DOUBLE_EQ(sampler.Value("pressure.io_some_share"), 0.25);
  EXPECT_DOUBLE_EQ(sampler.Value("pressure.io_full_share"), 0.1);
  EXPECT_TRUE(sampler.IsUnknown("pressure.memory_some_share"));
}

TEST(PressureSamplerTest, AKernelWithoutItSaysSo) {
  FixtureTree tree({{"proc/pressure/io", ""}, {"proc/pressure/memory", "some total=4\n"}});
  ReadSampler sampler(kSpec, tree);
  EXPECT_THAT(sampler.Channels(), ElementsAre("pressure.memory_some_share [1]"));
  EXPECT_THAT(sampler.Hidden(),
              ElementsAre("pressure.cpu: /proc/pressure/cpu: No such file or directory",
                          "pressure.memory_full_share: /proc/pressure/memory has no such line",
                          "pressure.io: /proc/pressure/io: the kernel does not count it"));
}

}  // namespace
}  // namespace xsp::monitor::pressure
