#include "os/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <vector>

namespace xsp::os {
namespace {

TEST(ForEach, CallsWithEachNumberOnce) {
  std::vector<std::atomic<int>> calls(1000);
  EXPECT_TRUE(ForEach(calls.size(), [&](std::size_t i) -> Status {
                ++calls[i];
                return Ok{};
              }).ok());
  for (const auto& number : calls) EXPECT_EQ(number, 1);
}

TEST(ForEach, ReturnsAnErrorAndBeginsNoMore) {
  std::atomic<int> calls = 0;
  const Status failed = ForEach(1'000'000, [&](std::size_t) -> Status {
    ++calls;
    return Error{ErrorKind::kEnvironment, "full", ""};
  });
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().what, "full");
  EXPECT_LT(calls, 1000);
}

TEST(ForEachWaiting, HasSixteenCallsAtOnceOnAnyMachine) {
  std::vector<std::atomic<int>> calls(64);
  std::barrier together(16);  // With fewer threads none would get on.
  EXPECT_TRUE(ForEachWaiting(calls.size(), [&](std::size_t i) -> Status {
                together.arrive_and_wait();
                ++calls[i];
                return Ok{};
              }).ok());
  for (const auto& number : calls) EXPECT_EQ(number, 1);
}

TEST(ForEachWaiting, ReturnsAnErrorAndBeginsNoMore) {
  std::atomic<int> calls = 0;
  const Status failed = ForEachWaiting(1'000'000, [&](std::size_t) -> Status {
    ++calls;
    return Error{ErrorKind::kEnvironment, "full", ""};
  });
  ASSERT_FALSE(failed.ok());
  EXPECT_LT(calls, 1000);
  EXPECT_TRUE(ForEachWaiting(0, [](std::size_t) -> Status { return Ok{}; }).ok());
}

}  // namespace
}  // namespace xsp::os
