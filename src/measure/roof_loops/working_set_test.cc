#include "measure/roof_loops/working_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::roof_loops {
namespace {

constexpr std::int64_t kKiB = 1024;
constexpr std::int64_t kMebibyte = 1024 * kKiB;
constexpr std::int64_t kPlenty = 64 * 1024 * kMebibyte;

os::Processor WithCaches(std::vector<os::Cache> caches) {
  os::Processor processor;
  processor.caches = std::move(caches);
  return processor;
}

std::vector<int> Cpus(int count) {
  std::vector<int> cpus;
  for (int cpu = 0; cpu < count; ++cpu) cpus.push_back(cpu);
  return cpus;
}

const os::Processor kServer = WithCaches({{1, "Data", 48 * kKiB, Cpus(1)},
                                          {2, "Unified", 2 * kMebibyte, Cpus(1)},
                                          {3, "Unified", 260 * kMebibyte, Cpus(2)}});

TEST(WorkingSetTest, LiesBetweenTheLevelBeforeAndItsOwn) {
  const auto sets = PlanWorkingSets(kServer, 1, kPlenty);
  ASSERT_EQ(sets.size(), 4U);
  EXPECT_EQ(sets[0].level, "L1");
  EXPECT_LE(sets[0].bytes_per_core, 24 * kKiB);
  EXPECT_GT(sets[0].bytes_per_core, 20 * kKiB);
  EXPECT_GT(sets[1].bytes_per_core, 2 * 48 * kKiB);
  EXPECT_LE(sets[1].bytes_per_core, kMebibyte);
  EXPECT_GT(sets[2].bytes_per_core, 4 * kMebibyte);
  EXPECT_LE(sets[2].bytes_per_core, 130 * kMebibyte);
  EXPECT_EQ(sets[3].level, "DRAM");
  EXPECT_NEAR(static_cast<double>(sets[3].bytes_per_core), 1040.0 * kMebibyte, 4.0 * kKiB);
  EXPECT_TRUE(sets[3].streaming);
  EXPECT_FALSE(sets[2].streaming);
}

TEST(WorkingSetTest, AllCoresTogetherExceedASharedCacheAsOneDoes) {
  const auto one = PlanWorkingSets(kServer, 1, kPlenty);
  const auto two = PlanWorkingSets(kServer, 2, kPlenty);
  EXPECT_NEAR(static_cast<double>(one.back().bytes_per_core),
              2.0 * static_cast<double>(two.back().bytes_per_core), 8.0 * kKiB);
}

TEST(WorkingSetTest, SaysWhenMemoryDoesNotExceedTheLastCache) {
  const auto sets = PlanWorkingSets(kServer, 1, 300 * kMebibyte);
  EXPECT_LE(sets.back().bytes_per_core, 300 * kMebibyte);
  EXPECT_THAT(sets.back().remark, testing::HasSubstr("1.2 times"));
  EXPECT_EQ(PlanWorkingSets(kServer, 1, kPlenty).back().remark, "");
}

TEST(WorkingSetTest, SaysWhenAShareIsNoLargerThanTheLevelBefore) {
  const auto processor = WithCaches({{1, "Data", 32 * kKiB, Cpus(1)},
                                     {2, "Unified", kMebibyte, Cpus(1)},
                                     {3, "Unified", 16 * kMebibyte, Cpus(16)}});
  const auto sets = PlanWorkingSets(processor, 16, kPlenty);
  ASSERT_EQ(sets[2].level, "L3");
  EXPECT_GT(sets[2].bytes_per_core, kMebibyte);
  EXPECT_LT(sets[2].bytes_per_core, 2 * kMebibyte);
  EXPECT_THAT(sets[2].remark, testing::HasSubstr("together with L2"));
}

TEST(WorkingSetTest, MeasuresDramWhereNoCacheIsStated) {
  const auto sets = PlanWorkingSets(WithCaches({}), 4, kPlenty);
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_EQ(sets[0].level, "DRAM");
  EXPECT_GT(sets[0].bytes_per_core, 16 * kMebibyte);
}

TEST(WorkingSetTest, SplitsIntoThreeAlignedArrays) {
  for (const WorkingSet& set : PlanWorkingSets(kServer, 2, kPlenty)) {
    EXPECT_EQ(set.bytes_per_core % (3 * kKiB), 0) << set.level;
  }
}

TEST(ArenaTest, GivesMemoryThatCanBeWritten) {
  const Arena arena(kMebibyte);
  ASSERT_NE(arena.data(), nullptr);
  arena.data()[kMebibyte - 1] = 7;
  EXPECT_EQ(arena.data()[kMebibyte - 1], 7);
}

TEST(ArenaTest, IsNullWhenTheMachineRefuses) {
  const Arena arena(std::int64_t{1} << 60);
  EXPECT_EQ(arena.data(), nullptr);
}

}  // namespace
}  // namespace xsp::roof_loops
