#include "os/interrupt.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

namespace xsp::os {
namespace {

bool Readable(int fd) {
  pollfd entry = {fd, POLLIN, 0};
  return poll(&entry, 1, 0) == 1;
}

TEST(InterruptsTest, CountsSignalsInsteadOfDying) {
  const Interrupts interrupts;
  EXPECT_FALSE(interrupts.stop());
  raise(SIGINT);
  EXPECT_TRUE(interrupts.stop());
  EXPECT_FALSE(interrupts.give_up());
  raise(SIGTERM);
  EXPECT_TRUE(interrupts.give_up());
}

TEST(InterruptsTest, TheThirdEndsTheProcess) {
  EXPECT_EXIT(
      {
        const Interrupts interrupts;
        raise(SIGINT);
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptsTest, WakesUntilAcknowledged) {
  Interrupts interrupts;
  EXPECT_FALSE(Readable(interrupts.wake_fd()));
  raise(SIGINT);
  EXPECT_TRUE(Readable(interrupts.wake_fd()));
  interrupts.Acknowledge();
  EXPECT_FALSE(Readable(interrupts.wake_fd()));
  EXPECT_TRUE(interrupts.stop());
}

TEST(InterruptsTest, StartsAfreshEachTime) {
  {
    const Interrupts first;
    raise(SIGINT);
  }
  EXPECT_FALSE(Interrupts().stop());
}

}  // namespace
}  // namespace xsp::os
