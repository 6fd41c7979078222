#include <gmock/gmock.h>

#include "capture/monitor/sampler_testing.h"

namespace xsp::monitor::disk {

extern const SamplerSpec kSpec;

namespace {

using collect::FixtureTree;
using testing::ElementsAre;

constexpr const char* kBefore =
    "   7       0 loop0 5 0 900 0 0 0 0 0 0 0 0\n"
    "   8       0 sda 100 5 1000 7 50 6 2000 8 0 9 10 0 0 0 0 0 0\n"
    "   8       1 sda1 90 5 900 7 50 6 2000 8 0 9 10 0 0 0 0 0 0\n"
    " 259       0 nvme0n1 1 0 8 0 0 0 0 0 0 0 0\n"
    " 253       0 dm-0 90 5 900 7 50 6 2000 8 0 9 10\n";

const FixtureTree& WithDisks(const FixtureTree& tree) {
  for (const char* path : {"sys/block/sda/device/model", "sys/block/nvme0n1/device/model",
                           "sys/block/loop0/size", "sys/block/dm-0/size"})
    tree.Write(path, "x\n");
  return tree;
}

TEST(DiskSamplerTest, CountsBytesOfWholeDisksAlone) {
  FixtureTree tree({{"proc/diskstats", kBefore}});
  ReadSampler sampler(kSpec, WithDisks(tree));
  EXPECT_THAT(sampler.Channels(), ElementsAre("disk.read_bytes_per_s disk sda [byte/s]",
                                              "disk.write_bytes_per_s disk sda [byte/s]",
                                              "disk.read_bytes_per_s disk nvme0n1 [byte/s]",
                                              "disk.write_bytes_per_s disk nvme0n1 [byte/s]"));
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("disk.read_bytes_per_s", "disk sda"));
  // 20 sectors read and 4 written in a tenth of a second.
  tree.Write("proc/diskstats",
             "   8       0 sda 101 5 1020 7 51 6 2004 8 0 9 10\n 259       0 nvme0n1 1 0 8 0 0 0 0 "
             "0 0 0 0\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("disk.read_bytes_per_s", "disk sda"), 20 * 512 * 10.0);
  EXPECT_DOUBLE_EQ(sampler.Value("disk.write_bytes_per_s", "disk sda"), 4 * 512 * 10.0);
  EXPECT_DOUBLE_EQ(sampler.Value("disk.read_bytes_per_s", "disk nvme0n1"), 0);
}

TEST(DiskSamplerTest, ADiskThatWentAwayIsUnknownAndStartsAnew) {
  FixtureTree tree({{"proc/diskstats", kBefore}});
  ReadSampler sampler(kSpec, WithDisks(tree));
  sampler.Read();
  tree.Write("proc/diskstats", " 259       0 nvme0n1 1 0 10 0 0 0 0 0 0 0 0\n");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("disk.read_bytes_per_s", "disk sda"));
  EXPECT_DOUBLE_EQ(sampler.Value("disk.read_bytes_per_s", "disk nvme0n1"), 2 * 512 * 10.0);
  // Another one in its place, whose counters are higher: that traffic is nobody's.
  tree.Write("proc/diskstats", "   8       0 sda 0 0 5000 7 51 6 5000 8 0 9 10\n");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("disk.read_bytes_per_s", "disk sda"));
  // Counters that fall were set back.
  tree.Write("proc/diskstats", "   8       0 sda 0 0 4000 7 51 6 5001 8 0 9 10\n");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("disk.read_bytes_per_s", "disk sda"));
  EXPECT_DOUBLE_EQ(sampler.Value("disk.write_bytes_per_s", "disk sda"), 512 * 10.0);
}

TEST(DiskSamplerTest, AMachineWithoutDisksSaysSo) {
  EXPECT_THAT(ReadSampler(kSpec, FixtureTree({{"proc/diskstats", kBefore}})).Hidden(),
              ElementsAre("disk: no disk of /proc/diskstats is a device of /sys/block"));
  EXPECT_THAT(ReadSampler(kSpec, FixtureTree({})).Hidden(),
              ElementsAre("disk: /proc/diskstats: No such file or directory"));
}

}  // namespace
}  // namespace xsp::monitor::disk
