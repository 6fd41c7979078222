#include "capture/collect/machine_files.h"

#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect {
namespace {

TEST(MachineFilesTest, FindsValuesByTheWholeKey) {
  const FixtureTree tree({{"proc/meminfo", "MemTotalX: 1 kB\nMemTotal:   42 kB\n"},
                          {"cpu.stat", "nr_periods 7\nnr_periods_x 8\n"},
                          {"etc/os-release", "ID=debian\n"}});
  const MachineFiles files(tree.root());
  EXPECT_EQ(files.Value("proc/meminfo", "MemTotal"), "42 kB");
  EXPECT_EQ(files.NumberOf("proc/meminfo", "MemTotal"), 42);
  EXPECT_EQ(files.NumberOf("cpu.stat", "nr_periods"), 7);
  EXPECT_EQ(files.Value("etc/os-release", "ID"), "debian");
  EXPECT_EQ(files.Value("etc/os-release", "NAME"), std::nullopt);
  EXPECT_EQ(files.Value("none", "NAME"), std::nullopt);
}

TEST(MachineFilesTest, ReadsTextNumbersAndNames) {
  const FixtureTree tree({{"a/x", " 12 34\n"}, {"a/y", "text\n"}});
  const MachineFiles files(tree.root());
  EXPECT_EQ(files.Text("a/y"), "text");
  EXPECT_EQ(files.Number("a/x"), 12);
  EXPECT_EQ(files.Number("a/y"), std::nullopt);
  EXPECT_EQ(files.Names("a"), (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(files.Names("b").empty());
  EXPECT_TRUE(files.Exists("a"));
  EXPECT_FALSE(files.Exists("b"));
}

TEST(FactSheetTest, SaysWhyOnlyWhereAValueIsMissing) {
  FactSheet sheet("p");
  sheet.Add("a", std::optional<std::string>("v"), "unused");
  sheet.Add("b", std::optional<std::int64_t>(), "hidden here");
  const auto facts = sheet.Take();
  EXPECT_EQ(facts[0].key, "p.a");
  EXPECT_EQ(facts[0].why, "");
  EXPECT_EQ(facts[1].value, "");
  EXPECT_EQ(facts[1].why, "hidden here");
}

}  // namespace
}  // namespace xsp::collect
