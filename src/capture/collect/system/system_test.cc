#include "capture/collect/system/system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::system {
namespace {

using testing::IsEmpty;

TEST(SystemCollectorTest, ReadsKernelAndSettings) {
  const FixtureTree tree(
      {{"proc/sys/kernel/osrelease", "6.1.0\n"},
       {"proc/sys/kernel/randomize_va_space", "2\n"},
       {"proc/sys/kernel/hostname", "private-name\n"},
       {"proc/uptime", "1234.56 99.0\n"},
       {"proc/cmdline", "quiet mitigations=off\n"},
       {"etc/os-release", "NAME=x\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"},
       {"sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc"},
       {"sys/devices/system/cpu/vulnerabilities/meltdown", "Not affected\n"},
       {"sys/devices/system/cpu/vulnerabilities/retbleed", "Vulnerable\n"}});
  const auto facts = Collect(MachineFiles(tree.root()));
  EXPECT_EQ(ValueOf(facts, "system.kernel"), "6.1.0");
  EXPECT_EQ(ValueOf(facts, "system.distribution"), "Debian GNU/Linux 12");
  EXPECT_EQ(ValueOf(facts, "system.uptime_s"), "1234");
  EXPECT_EQ(ValueOf(facts, "system.clock_source"), "tsc");
  EXPECT_EQ(ValueOf(facts, "system.address_randomisation"), "on");
  EXPECT_EQ(ValueOf(facts, "system.mitigations"), "retbleed: Vulnerable");
  EXPECT_EQ(ValueOf(facts, "system.mitigations_switched_off"), "yes");
  EXPECT_THAT(BadFacts(facts, "system"), IsEmpty());
}

TEST(SystemCollectorTest, NeverStoresTheHostName) {
  const FixtureTree tree(
      {{"proc/sys/kernel/hostname", "private-name\n"}, {"etc/hostname", "private-name\n"}});
  for (const Fact& fact : Collect(MachineFiles(tree.root()))) {
    EXPECT_EQ(fact.value.find("private-name"), std::string::npos) << fact.key;
  }
}

TEST(SystemCollectorTest, SaysWhenNoVulnerabilityApplies) {
  const FixtureTree tree({{"sys/devices/system/cpu/vulnerabilities/l1tf", "Not affected\n"}});
  EXPECT_EQ(ValueOf(Collect(MachineFiles(tree.root())), "system.mitigations"), "none apply");
}

TEST(SystemCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "system"), IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::system
