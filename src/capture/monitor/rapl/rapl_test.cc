#include <gmock/gmock.h>

#include "capture/monitor/sampler_testing.h"

namespace xsp::monitor::rapl {

extern const SamplerSpec kSpec;

namespace {

using collect::FixtureTree;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kPackage = "sys/class/powercap/intel-rapl:0/";

void WritePackage(const FixtureTree& tree) {
  tree.Write(std::string(kPackage) + "name", "package-0\n");
  tree.Write(std::string(kPackage) + "max_energy_range_uj", "262143328850\n");
  tree.Write(std::string(kPackage) + "energy_uj", "262140000000\n");
}

TEST(RaplSamplerTest, PowerIsEnergyOverTimeOfPackagesAndTheirParts) {
  FixtureTree tree({{"sys/class/powercap/intel-rapl/enabled", "1\n"},
                    {"sys/class/powercap/intel-rapl:0:0/name", "dram\n"},
                    {"sys/class/powercap/intel-rapl:0:0/energy_uj", "1000000\n"},
                    {"sys/class/powercap/intel-rapl:0:0/max_energy_range_uj", "9000000\n"},
                    {"sys/class/powercap/intel-rapl-mmio:0/name", "package-0\n"},
                    {"sys/class/powercap/intel-rapl-mmio:0/energy_uj", "5\n"}});
  WritePackage(tree);
  ReadSampler sampler(kSpec, tree);
  EXPECT_THAT(sampler.Channels(), ElementsAre("rapl.power_watts package-0 [watt]",
                                              "rapl.power_watts package-0 dram [watt]"));
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("rapl.power_watts", "package-0"));
  // 3 J in a tenth of a second.
  tree.Write(std::string(kPackage) + "energy_uj", "262143000000\n");
  tree.Write("sys/class/powercap/intel-rapl:0:0/energy_uj", "1050000\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("rapl.power_watts", "package-0"), 30);
  EXPECT_DOUBLE_EQ(sampler.Value("rapl.power_watts", "package-0 dram"), 0.5);
}

TEST(RaplSamplerTest, ACounterThatWrapsGoesOn) {
  FixtureTree tree({});
  WritePackage(tree);
  ReadSampler sampler(kSpec, tree);
  sampler.Read();
  // 3,328,850 uJ up to the range, 1,671,150 after it: 5 J in a tenth of a second.
  tree.Write(std::string(kPackage) + "energy_uj", "1671150\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("rapl.power_watts", "package-0"), 50);
}

TEST(RaplSamplerTest, AFileThatVanishesIsUnknownForAsLongAndOnceMore) {
  FixtureTree tree({});
  WritePackage(tree);
  ReadSampler sampler(kSpec, tree);
  sampler.Read();
  tree.Write(std::string(kPackage) + "energy_uj", "");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("rapl.power_watts", "package-0"));
  tree.Write(std::string(kPackage) + "energy_uj", "262143000000\n");
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("rapl.power_watts", "package-0"));
  tree.Write(std::string(kPackage) + "energy_uj", "262143100000\n");
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("rapl.power_watts", "package-0"), 1);
}

TEST(RaplSamplerTest, WhatMayNotBeReadIsHiddenWithTheReason) {
  FixtureTree tree({{"sys/class/powercap/intel-rapl:0/name", "package-0\n"}});
  // A link into itself cannot be opened even by root.
  std::filesystem::create_symlink("energy_uj", tree.root() / kPackage / "energy_uj");
  EXPECT_THAT(
      ReadSampler(kSpec, tree).Hidden(),
      ElementsAre("rapl.power_watts: package-0: energy_uj: Too many levels of symbolic links "
                  "(only root may read it)"));
  EXPECT_THAT(ReadSampler(kSpec, FixtureTree({})).Hidden(),
              ElementsAre(HasSubstr("no /sys/class/powercap here")));
  FixtureTree empty({{"sys/class/powercap/dtpm/x", ""}});
  EXPECT_THAT(ReadSampler(kSpec, empty).Hidden(),
              ElementsAre(HasSubstr("no energy counter of the CPU")));
}

}  // namespace
}  // namespace xsp::monitor::rapl
