#include <gmock/gmock.h>

#include "capture/monitor/sampler_testing.h"

namespace xsp::monitor::memory {

extern const SamplerSpec kSpec;

namespace {

using collect::FixtureTree;
using testing::ElementsAre;

TEST(MemorySamplerTest, UsedIsTotalLessAvailable) {
  FixtureTree tree(
      {{"proc/meminfo",
        "MemTotal:       16000 kB\nMemFree:         1000 kB\nMemAvailable:    6000 kB\n"}});
  ReadSampler sampler(kSpec, tree);
  EXPECT_THAT(sampler.Channels(), ElementsAre("memory.used_bytes [byte]"));
  sampler.Read();
  EXPECT_EQ(sampler.Value("memory.used_bytes"), 10'000 * 1024.0) << "known at the first sample";
  tree.Write("proc/meminfo", "MemTotal:       16000 kB\nMemAvailable:   15000 kB\n");
  sampler.Read();
  EXPECT_EQ(sampler.Value("memory.used_bytes"), 1000 * 1024.0);
  tree.Write("proc/meminfo", "");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("memory.used_bytes"));
}

TEST(MemorySamplerTest, AKernelThatDoesNotSayWhatIsAvailableIsHidden) {
  EXPECT_THAT(
      ReadSampler(kSpec, FixtureTree({{"proc/meminfo", "MemTotal: 1 kB\n"}})).Hidden(),
      ElementsAre("memory.used_bytes: /proc/meminfo does not say MemTotal and MemAvailable"));
  EXPECT_THAT(ReadSampler(kSpec, FixtureTree({})).Hidden(),
              ElementsAre("memory.used_bytes: /proc/meminfo: No such file or directory"));
}

}  // namespace
}  // namespace xsp::monitor::memory
