#include "os/processor.h"

#include <gtest/gtest.h>

#include <fstream>

namespace xsp::os {
namespace {

namespace fs = std::filesystem;

class ProcessorTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(testing::TempDir()) /
            testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  void Write(const std::string& path, const std::string& text) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  fs::path root_;
};

TEST_F(ProcessorTest, ReadsModelFlagsAndCoresOfTwoThreadedCores) {
  Write("proc/cpuinfo",
        "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Some CPU @ 2.00GHz\n"
        "microcode\t: 0x2b\nflags\t\t: sse2 fma avx2\n\nprocessor\t: 1\nmodel name\t: other\n");
  Write("sys/devices/system/cpu/online", "0-3\n");
  for (int cpu = 0; cpu < 4; ++cpu) {
    const std::string topology = "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    Write(topology + "physical_package_id", "0\n");
    Write(topology + "core_id", std::to_string(cpu / 2) + "\n");
  }
  const Processor processor = ReadProcessor(root_);
  EXPECT_EQ(processor.model, "Some CPU @ 2.00GHz");
  EXPECT_EQ(processor.microcode, "0x2b");
  EXPECT_TRUE(processor.Has("fma"));
  EXPECT_FALSE(processor.Has("avx"));
  EXPECT_EQ(processor.sockets, 1);
  EXPECT_EQ(processor.cores, 2);
  EXPECT_EQ(processor.online, (std::vector<int>{0, 1, 2, 3}));
}

TEST_F(ProcessorTest, ReadsCachesAndTellsDataFromInstruction) {
  const std::string cache = "sys/devices/system/cpu/cpu0/cache/";
  Write(cache + "index0/level", "1\n");
  Write(cache + "index0/type", "Instruction\n");
  Write(cache + "index0/size", "32K\n");
  Write(cache + "index1/level", "1\n");
  Write(cache + "index1/type", "Data\n");
  Write(cache + "index1/size", "48K\n");
  Write(cache + "index1/shared_cpu_list", "0,4\n");
  Write(cache + "index2/level", "3\n");
  Write(cache + "index2/type", "Unified\n");
  Write(cache + "index2/size", "2M\n");
  const Processor processor = ReadProcessor(root_);
  ASSERT_NE(processor.DataCache(1), nullptr);
  EXPECT_EQ(processor.DataCache(1)->size_bytes, 48 << 10);
  EXPECT_EQ(processor.DataCache(1)->shared_by, (std::vector<int>{0, 4}));
  EXPECT_EQ(processor.DataCache(2), nullptr);
  EXPECT_EQ(processor.DataCache(3)->size_bytes, 2 << 20);
}

TEST_F(ProcessorTest, NamesAnArmCoreThatHasNoModelName) {
  Write("proc/cpuinfo", "Features : fp asimd bf16\nCPU implementer : 0x41\nCPU part : 0xd0c\n");
  const Processor processor = ReadProcessor(root_);
  EXPECT_EQ(processor.model, "implementer 0x41 part 0xd0c");
  EXPECT_TRUE(processor.Has("bf16"));
}

TEST_F(ProcessorTest, ReadsThePowerProcessorsOneLine) {
  Write("proc/cpuinfo",
        "processor\t: 0\ncpu\t\t: POWER9 (architected), altivec supported\n"
        "clock\t\t: 2200.000000MHz\n\nprocessor\t: 1\ncpu\t\t: other\n");
  EXPECT_EQ(ReadProcessor(root_).model, "POWER9 (architected)");
  EXPECT_EQ(ReadProcessor(root_).flags, std::vector<std::string>{"altivec"});
}

TEST_F(ProcessorTest, StaysEmptyWhereNothingIsSaid) {
  const Processor processor = ReadProcessor(root_);
  EXPECT_TRUE(processor.model.empty());
  EXPECT_EQ(processor.cores, 0);
  EXPECT_TRUE(processor.caches.empty());
}

TEST(CpuListTest, ReadsWhatItWrites) {
  const std::vector<int> cpus = {0, 1, 2, 5, 7, 8};
  EXPECT_EQ(FormatCpuList(cpus), "0-2,5,7-8");
  EXPECT_EQ(ParseCpuList("0-2,5,7-8\n"), cpus);
  EXPECT_EQ(FormatCpuList({}), "");
}

TEST(CpuListTest, LeavesOutWhatIsNoList) {
  EXPECT_EQ(ParseCpuList("x,3,4-y,-1,2-1"), (std::vector<int>{3}));
  EXPECT_TRUE(ParseCpuList("").empty());
  EXPECT_TRUE(ParseCpuList("0-99999999999").empty());
}

TEST(CpuListTest, ThisThreadMayRunSomewhere) { EXPECT_FALSE(AllowedCpus().empty()); }

}  // namespace
}  // namespace xsp::os
