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

TEST(InterruptsTest, TheFirstAsksToStopTheSecondToGiveUp) {
  Interrupts interrupts;
  EXPECT_FALSE(interrupts.stop());
  interrupts.Request();
  EXPECT_TRUE(interrupts.stop());
  EXPECT_FALSE(interrupts.give_up());
  interrupts.Request();
  EXPECT_TRUE(interrupts.give_up());
}

TEST(InterruptsTest, WakesUntilAcknowledged) {
  Interrupts interrupts;
  EXPECT_FALSE(Readable(interrupts.wake_fd()));
  interrupts.Request();
  EXPECT_TRUE(Readable(interrupts.wake_fd()));
  interrupts.Acknowledge();
  EXPECT_FALSE(Readable(interrupts.wake_fd()));
  EXPECT_TRUE(interrupts.stop());
}

TEST(InterruptsTest, OneIsNotAskedByAnothersRequest) {
  Interrupts asked;
  const Interrupts other;
  asked.Request();
  EXPECT_FALSE(other.stop());
}

TEST(SignalInterruptsTest, SignalsAreRequestsInsteadOfEndingTheProcess) {
  Interrupts interrupts;
  const SignalInterrupts signals(interrupts);
  raise(SIGINT);
  EXPECT_TRUE(interrupts.stop());
  EXPECT_FALSE(interrupts.give_up());
  raise(SIGTERM);
  EXPECT_TRUE(interrupts.give_up());
}

TEST(SignalInterruptsTest, TheThirdEndsTheProcess) {
  EXPECT_EXIT(
      {
        Interrupts interrupts;
        const SignalInterrupts signals(interrupts);
        raise(SIGINT);
        raise(SIGINT);
        raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(SignalInterruptsTest, AfterItSignalsEndTheProcessAgain) {
  EXPECT_EXIT(
      {
        Interrupts interrupts;
        { const SignalInterrupts signals(interrupts); }
        raise(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace xsp::os
