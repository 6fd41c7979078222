#include "os/memory_limit.h"

#include <gtest/gtest.h>

#include <csignal>

#include "core/hang_limit_testing.h"
#include "os/subprocess.h"

namespace xsp::os {
namespace {

using namespace std::chrono_literals;

TEST(MemoryLimitTest, TheKernelKillsWhatPassesIt) {
  Result<MemoryLimit> limit = MemoryLimit::Create(32 << 20);
  if (!limit.ok()) GTEST_SKIP() << limit.error().what;
  const auto kills_before = OutOfMemoryKills();
  SpawnOptions options;
  // tail holds all of a line that never ends.
  options.argv = {"sh", "-c", "head -c 300000000 /dev/zero | tail; exit $?"};
  options.cgroup = limit.value().folder();
  Subprocess process = Subprocess::Spawn(options).value();
  process.CloseStdin();
  const std::optional<ExitStatus> exit = process.Wait(core::kHangLimit);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->code, 128 + SIGKILL);
  if (kills_before) {
    EXPECT_GT(OutOfMemoryKills().value(), *kills_before);
  }
}

TEST(MemoryLimitTest, LeavesNoGroupBehind) {
  std::filesystem::path folder;
  {
    Result<MemoryLimit> limit = MemoryLimit::Create(32 << 20);
    if (!limit.ok()) GTEST_SKIP() << limit.error().what;
    folder = limit.value().folder();
    EXPECT_TRUE(std::filesystem::exists(folder));
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(AvailableMemoryTest, IsMoreThanThisTestNeeds) {
  ASSERT_TRUE(AvailableMemoryBytes().has_value());
  EXPECT_GT(*AvailableMemoryBytes(), 1 << 20);
}

}  // namespace
}  // namespace xsp::os
