#include "answer/suite/stop_request.h"

#include <gtest/gtest.h>
#include <poll.h>

namespace xsp::suite {
namespace {

TEST(StopRequestTest, FirstSignalOnlyAsks) {
  const StopRequest stop;
  EXPECT_FALSE(stop.asked());
  std::raise(SIGINT);
  EXPECT_TRUE(stop.asked());
}

TEST(StopRequestTest, SecondSignalEndsTheProcess) {
  EXPECT_EXIT(
      {
        const StopRequest stop;
        std::raise(SIGTERM);
        std::raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(StopRequestTest, SecondSignalMayBeTheOther) {
  EXPECT_EXIT(
      {
        const StopRequest stop;
        std::raise(SIGINT);
        std::raise(SIGTERM);
      },
      ::testing::KilledBySignal(SIGTERM), "");
}

TEST(StopRequestTest, SignalIsToldAndWakesWhoWaits) {
  const StopRequest stop;
  pollfd line = {stop.descriptor(), POLLIN, 0};
  EXPECT_EQ(poll(&line, 1, 0), 0);
  std::raise(SIGTERM);
  EXPECT_EQ(stop.signal(), SIGTERM);
  // Whoever looks later finds it, too.
  EXPECT_EQ(poll(&line, 1, 0), 1);
  EXPECT_EQ(poll(&line, 1, 0), 1);
}

TEST(StopRequestTest, EachBeginsUnasked) {
  {
    const StopRequest stop;
    std::raise(SIGINT);
  }
  const StopRequest next;
  EXPECT_FALSE(next.asked());
  pollfd line = {next.descriptor(), POLLIN, 0};
  EXPECT_EQ(poll(&line, 1, 0), 0);
}

}  // namespace
}  // namespace xsp::suite
