#include "capture/attach/level_switch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

namespace xsp::attach {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class LevelSwitchTest : public testing::Test {
 protected:
  LevelSwitchTest()
      : file_(fs::path(testing::TempDir()) / ("switch-" + std::to_string(getpid()))) {}
  ~LevelSwitchTest() override { fs::remove(file_); }

  /// As a measured process would read it.
  record::SwitchPage Page() const {
    record::SwitchPage page{};
    std::ifstream(file_, std::ios::binary).read(reinterpret_cast<char*>(&page), sizeof page);
    return page;
  }
  bool IsOn() const { return Page().is_on == 1; }

  /// Seconds from `start` until it has changed `count` times; gives up after ten.
  double SecondsUntilChange(std::uint32_t count, Clock::time_point start) const {
    const auto seconds = [&] {
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    while (Page().changes < count && seconds() < 10) usleep(1000);
    return seconds();
  }

  const fs::path file_;
};

TEST_F(LevelSwitchTest, SetsAndToggles) {
  const auto made = LevelSwitch::Create(file_, true);
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(IsOn());
  made.value()->Toggle();
  EXPECT_FALSE(IsOn());
  made.value()->Toggle();
  EXPECT_TRUE(IsOn());
  made.value()->Set(false);
  EXPECT_FALSE(IsOn());
}

TEST_F(LevelSwitchTest, IsOnFromTheDelayForTheDuration) {
  const auto made = LevelSwitch::Create(file_, false);
  const std::uint32_t changes = Page().changes;
  const auto start = Clock::now();
  made.value()->Schedule(0.1, 0.2);
  // Not before; how long after, only the machine knows.
  EXPECT_GE(SecondsUntilChange(changes + 1, start), 0.1);
  EXPECT_GE(SecondsUntilChange(changes + 2, start), 0.3);
  EXPECT_FALSE(IsOn());
  EXPECT_EQ(Page().changes, changes + 2);
}

TEST_F(LevelSwitchTest, EndsWithoutWaitingForWhatIsToCome) {
  const auto start = Clock::now();
  {
    const auto made = LevelSwitch::Create(file_, false);
    made.value()->Schedule(100, 100);
  }
  EXPECT_LT(Clock::now() - start, std::chrono::seconds(50));
  EXPECT_FALSE(IsOn());
}

TEST_F(LevelSwitchTest, AFolderThatIsNotThereIsAnError) {
  const auto made = LevelSwitch::Create(file_ / "nowhere", true);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::attach
