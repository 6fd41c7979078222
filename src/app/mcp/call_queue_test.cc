#include "app/mcp/call_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "store/thread_sanitizer_testing.h"

namespace xsp::mcp {
namespace {

using testing::ElementsAre;

TEST(CallQueueTest, CallsArePerformedInOrderOnOneThread) {
  std::vector<int> order;
  CallQueue queue;
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(queue.Add(std::to_string(i), [&order, i](CallQueue::State&) { order.push_back(i); }),
              CallQueue::Added::kYes);
  queue.Finish();
  EXPECT_THAT(order, ElementsAre(0, 1, 2));
}

/// A call that is performed until it is let go. The queue must have finished before this ends.
class HeldCall {
 public:
  explicit HeldCall(CallQueue& queue) {
    queue.Add("held", [this](CallQueue::State& state) {
      begun_.set_value();
      end_.get_future().wait();
      was_cancelled_ = state.is_cancelled;
      was_stopped_ = state.interrupts.stop();
    });
    begun_.get_future().wait();
  }

  void Release() { end_.set_value(); }
  bool was_cancelled() const { return was_cancelled_; }
  bool was_stopped() const { return was_stopped_; }

 private:
  std::promise<void> begun_, end_;
  bool was_cancelled_ = false, was_stopped_ = false;
};

TEST(CallQueueTest, AKeyIsUsedOnceAtATime) {
  CallQueue queue;
  HeldCall held(queue);
  const auto nothing = [](CallQueue::State&) {};
  EXPECT_EQ(queue.Add("held", nothing), CallQueue::Added::kKeyInUse);
  EXPECT_EQ(queue.Add("other", nothing), CallQueue::Added::kYes);
  EXPECT_EQ(queue.Add("other", nothing), CallQueue::Added::kKeyInUse);
  held.Release();
  queue.Finish();
}

TEST(CallQueueTest, TooManyAreRefused) {
  CallQueue queue;
  HeldCall held(queue);
  for (std::size_t i = 0; i < CallQueue::kMaxWaiting; ++i)
    EXPECT_EQ(queue.Add(std::to_string(i), [](CallQueue::State&) {}), CallQueue::Added::kYes);
  EXPECT_EQ(queue.Add("one more", [](CallQueue::State&) {}), CallQueue::Added::kFull);
  held.Release();
  queue.Finish();
}

TEST(CallQueueTest, ACancelledCallThatWaitsIsNotPerformed) {
  bool was_performed = false;
  CallQueue queue;
  HeldCall held(queue);
  queue.Add("waits", [&was_performed](CallQueue::State&) { was_performed = true; });
  queue.Cancel("waits");
  queue.Cancel("unknown");
  held.Release();
  queue.Finish();
  EXPECT_FALSE(was_performed);
  EXPECT_FALSE(held.was_cancelled());
}

TEST(CallQueueTest, ACancelledCallThatIsPerformedIsAskedToStop) {
  CallQueue queue;
  HeldCall held(queue);
  queue.Cancel("held");
  held.Release();
  queue.Finish();
  EXPECT_TRUE(held.was_cancelled());
  EXPECT_TRUE(held.was_stopped());
}

TEST(CallQueueTest, WhatWaitsAtTheEndIsPerformedAndAskedToStop) {
  bool was_stopped = false, was_cancelled = true;
  CallQueue queue;
  std::promise<void> begun;
  queue.Add("first", [&begun](CallQueue::State& state) {
    begun.set_value();
    // Finish() is what asks it to stop.
    while (!state.interrupts.stop()) std::this_thread::yield();
  });
  queue.Add("second", [&](CallQueue::State& state) {
    was_stopped = state.interrupts.stop();
    was_cancelled = state.is_cancelled;
  });
  begun.get_future().wait();
  queue.Finish();
  EXPECT_TRUE(was_stopped);
  EXPECT_FALSE(was_cancelled);
}

TEST(CallQueueTest, AStoppedQueuePerformsNothingMore) {
  bool was_performed = false;
  CallQueue queue;
  std::promise<void> begun;
  queue.Add("first", [&begun](CallQueue::State& state) {
    begun.set_value();
    while (!state.is_cancelled) std::this_thread::yield();
  });
  begun.get_future().wait();
  queue.Add("second", [&was_performed](CallQueue::State&) { was_performed = true; });
  queue.Stop();
  EXPECT_FALSE(was_performed);
}

}  // namespace
}  // namespace xsp::mcp
