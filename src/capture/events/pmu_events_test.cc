#include "capture/events/pmu_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "os/published_table.h"
#include "source_dir.h"

namespace xsp::events {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kTables = fs::path(XSP_SOURCE_DIR) / "machine";

std::map<std::string, counters::Event> ByName(const PmuEvents& chosen) {
  std::map<std::string, counters::Event> events;
  for (const counters::Event& event : chosen.events)
    EXPECT_TRUE(events.emplace(event.name, event).second) << event.name;
  return events;
}

std::string SetOf(const CpuIdentity& cpu) { return EventsOf(cpu, kTables).value().set; }

TEST(PmuEventsTest, ChoosesByVendorFamilyAndModel) {
  EXPECT_EQ(SetOf({"GenuineIntel", 6, 0x4f}), "intel_256");
  EXPECT_EQ(SetOf({"GenuineIntel", 6, 0x55}), "intel_512");
  EXPECT_EQ(SetOf({"GenuineIntel", 6, 0x8f}), "intel_512_half");
  EXPECT_EQ(SetOf({"AuthenticAMD", 23, 0x01}), "zen1");
  EXPECT_EQ(SetOf({"AuthenticAMD", 23, 0x31}), "zen2");
  EXPECT_EQ(SetOf({"AuthenticAMD", 25, 0x01}), "zen2");  // Zen 3 has its codes.
  EXPECT_EQ(SetOf({"AuthenticAMD", 25, 0x11}), "zen4");
  EXPECT_EQ(SetOf({"AuthenticAMD", 26, 0x02}), "zen5");
}

TEST(PmuEventsTest, GuessesNothingOfACpuThatIsNotInTheTable) {
  for (const CpuIdentity& cpu :
       {CpuIdentity{"GenuineIntel", 6, 0x3f}, CpuIdentity{"GenuineIntel", 15, 0x8f},
        CpuIdentity{"", -1, -1}, CpuIdentity{"HygonGenuine", 24, 1}}) {
    const PmuEvents chosen = EventsOf(cpu, kTables).value();
    EXPECT_EQ(chosen.set, "");
    const auto events = ByName(chosen);
    EXPECT_EQ(events.size(), 10u);
    EXPECT_TRUE(events.contains("task_clock_ns") && events.contains("instructions"));
  }
}

TEST(PmuEventsTest, HasTheCodesOfTheSources) {
  // FP_ARITH_INST_RETIRED: event 0xC7; umasks and operations a count as Intel's event lists say.
  const auto intel = ByName(EventsOf({"GenuineIntel", 6, 0x8f}, kTables).value());
  const auto expect = [&](const std::string& name, std::uint64_t config, double factor) {
    ASSERT_TRUE(intel.contains(name)) << name;
    EXPECT_EQ(intel.at(name).type, 4u) << name;
    EXPECT_EQ(intel.at(name).config, config) << name;
    EXPECT_EQ(intel.at(name).factor, factor) << name;
    EXPECT_EQ(intel.at(name).unit, "flop") << name;
  };
  expect("fp_retired.float64.scalar", 0x01c7, 1);
  expect("fp_retired.float32.scalar", 0x02c7, 1);
  expect("fp_retired.float64.128", 0x04c7, 2);
  expect("fp_retired.float32.128", 0x08c7, 4);
  expect("fp_retired.float64.256", 0x10c7, 4);
  expect("fp_retired.float32.256", 0x20c7, 8);
  expect("fp_retired.float64.512", 0x40c7, 8);
  expect("fp_retired.float32.512", 0x80c7, 16);
  expect("fp_retired.float16.512", 0x10cf, 32);
  EXPECT_EQ(intel.at("llc_load_misses").config, 0x10002u);
  const auto amd = ByName(EventsOf({"AuthenticAMD", 25, 0x01}, kTables).value());
  EXPECT_EQ(amd.at("fp_retired.any.any").config, 0xff03u);
}

TEST(PmuEventsTest, EveryRowHasItsSourceAndEverySetItsEvents) {
  const os::PublishedTable cpus =
      os::PublishedTable::Read(kTables / "pmu_cpus.csv", {"set"}).value();
  const os::PublishedTable events =
      os::PublishedTable::Read(kTables / "pmu_events.csv", {"set"}).value();
  std::set<std::string, std::less<>> defined, used = {"any"};
  std::map<std::pair<std::string, int>, int> in_group;
  for (const auto& row : events.rows()) {
    EXPECT_NE(events.Text(row, "source"), "") << events.Text(row, "name");
    defined.emplace(events.Text(row, "set"));
    // A group of more than four fits no CPU with hyper-threads: four counters each.
    const int group = std::stoi(std::string(events.Text(row, "group")));
    const int members = ++in_group[std::pair(std::string(events.Text(row, "set")), group)];
    EXPECT_LE(members, 4) << events.Text(row, "name");
  }
  for (const auto& row : cpus.rows()) {
    EXPECT_NE(cpus.Text(row, "source"), "");
    used.emplace(cpus.Text(row, "set"));
  }
  EXPECT_EQ(defined, used);
}

class DamagedTables : public testing::Test {
 protected:
  DamagedTables() {
    std::string pattern = (fs::temp_directory_path() / "pmu-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    Write("pmu_cpus.csv", "vendor,family,models,set,source\nV,6,00-0f,s,x\n");
    Write("pmu_events.csv", std::string(kHeader) + "s,e,1,4,0xc7,1,1,x\n");
  }
  ~DamagedTables() override { fs::remove_all(folder_); }

  void Write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  Result<PmuEvents> Events() const { return EventsOf({"V", 6, 3}, folder_); }

  static constexpr const char* kHeader = "set,name,unit,type,config,factor,group,source\n";
  fs::path folder_;
};

TEST_F(DamagedTables, AreToldByName) {
  ASSERT_EQ(Events().value().events.size(), 5u);
  for (const char* row : {"s,e,1,x,0xc7,1,1,x\n", "s,e,1,4,zz,1,1,x\n", "s,e,1,4,0xc7,0,1,x\n",
                          "s,,1,4,0xc7,1,1,x\n"}) {
    Write("pmu_events.csv", kHeader + std::string(row));
    const auto events = Events();
    ASSERT_FALSE(events.ok()) << row;
    EXPECT_EQ(events.error().kind, ErrorKind::kEnvironment);
    EXPECT_THAT(events.error().hint, HasSubstr("pmu_events.csv"));
  }
  Write("pmu_cpus.csv", "vendor,family,models,set,source\nV,6,0f-00,s,x\n");
  EXPECT_THAT(Events().error().hint, HasSubstr("pmu_cpus.csv"));
  fs::remove(folder_ / "pmu_cpus.csv");
  EXPECT_EQ(Events().error().kind, ErrorKind::kEnvironment);
}

TEST_F(DamagedTables, ReadsWhatCpuInfoSays) {
  fs::create_directories(folder_ / "proc");
  Write("proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n"
        "model name\t: AMD EPYC\n\nprocessor\t: 1\nmodel\t\t: 99\n");
  const CpuIdentity cpu = ReadCpuIdentity(folder_);
  EXPECT_EQ(cpu.vendor, "AuthenticAMD");
  EXPECT_EQ(cpu.family, 25);
  EXPECT_EQ(cpu.model, 17);
}

TEST(PmuEventsTest, AreFoundHere) {
  const auto here = EventsHere();
  ASSERT_TRUE(here.ok()) << here.error().what;
  EXPECT_GE(here.value().events.size(), 10u);
}

}  // namespace
}  // namespace xsp::events
