#include "os/core_wait.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "core/hang_limit_testing.h"

namespace xsp::os {
namespace {

using Clock = std::chrono::steady_clock;

TEST(CoreWait, IsThatOfThreadsThatShareACore) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  std::atomic<bool> is_over = false;
  double before_s = 0, waited_s = 0;
  const auto compete = [&] {
    sched_setaffinity(0, sizeof(one), &one);
    while (!is_over) {
    }
  };
  std::thread first(compete), second(compete);
  before_s = CoreWaitSeconds(getpid());
  const Clock::time_point end = Clock::now() + core::kHangLimit;
  while (waited_s < 0.2 && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    waited_s = CoreWaitSeconds(getpid()) - before_s;
  }
  is_over = true;
  first.join();
  second.join();
  EXPECT_GE(waited_s, 0.2);
}

TEST(CoreWait, OfNoProcessIsNone) { EXPECT_EQ(CoreWaitSeconds(-1), 0); }

}  // namespace
}  // namespace xsp::os
