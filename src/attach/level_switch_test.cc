#include "attach/level_switch.h"

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
  bool IsOn() const {
    record::SwitchPage page{};
    std::ifstream(file_, std::ios::binary).read(reinterpret_cast<char*>(&page), sizeof page);
    return page.is_on == 1;
  }

  /// Seconds until it is `on`; gives up after ten.
  double SecondsUntil(bool on) const {
    const auto start = Clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(Clock::now() - start).count();
    };
    while (IsOn() != on && seconds() < 10) usleep(1000);
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
  made.value()->Schedule(0.1, 0.2);
  EXPECT_GE(SecondsUntil(true), 0.08);
  EXPECT_GE(SecondsUntil(false), 0.15);
  EXPECT_FALSE(IsOn());
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
