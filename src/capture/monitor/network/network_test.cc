#include <gmock/gmock.h>

#include "capture/monitor/sampler_testing.h"

namespace xsp::monitor::network {

extern const SamplerSpec kSpec;

namespace {

using collect::FixtureTree;
using testing::ElementsAre;

constexpr const char* kHeadings =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n";

TEST(NetworkSamplerTest, CountsBytesOfEveryInterfaceButTheLoopback) {
  const std::string headings = kHeadings;
  FixtureTree tree({{"proc/net/dev", ""}});
  tree.Write("proc/net/dev", headings +
                                 "    lo:    3193      29    0    0    0     0          0         "
                                 "0     3193      29    0    0    0     0       0          0\n"
                                 "  eth0:1000 7 0 0 0 0 0 0  200 5 0 0 0 0 0 0\n");
  ReadSampler sampler(kSpec, tree);
  EXPECT_THAT(sampler.Channels(), ElementsAre("network.received_bytes_per_s network eth0 [byte/s]",
                                              "network.sent_bytes_per_s network eth0 [byte/s]"));
  sampler.Read();
  tree.Write("proc/net/dev", headings + "  eth0: 4000 9 0 0 0 0 0 0  250 6 0 0 0 0 0 0\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("network.received_bytes_per_s", "network eth0"), 30'000);
  EXPECT_DOUBLE_EQ(sampler.Value("network.sent_bytes_per_s", "network eth0"), 500);
  // The driver was loaded again in between: counters start anew, and one sample is not known.
  tree.Write("proc/net/dev", headings + "  eth0: 10 1 0 0 0 0 0 0  10 1 0 0 0 0 0 0\n");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("network.received_bytes_per_s", "network eth0"));
  tree.Write("proc/net/dev", headings);
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("network.sent_bytes_per_s", "network eth0"));
}

TEST(NetworkSamplerTest, ANamespaceWithoutInterfacesSaysSo) {
  FixtureTree tree({{"proc/net/dev", "  lo: 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0\n"}});
  EXPECT_THAT(ReadSampler(kSpec, tree).Hidden(),
              ElementsAre("network: no interface but the loopback is visible"));
  EXPECT_THAT(ReadSampler(kSpec, FixtureTree({})).Hidden(),
              ElementsAre("network: /proc/net/dev: No such file or directory"));
}

}  // namespace
}  // namespace xsp::monitor::network
