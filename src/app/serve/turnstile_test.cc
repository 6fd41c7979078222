#include "app/serve/turnstile.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace xsp::serve {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kAsLongAsItTakes = std::chrono::hours(1);

TEST(Turnstile, TurnsAwayWhoMayNotWait) {
  Turnstile turnstile(2, 0);
  const Turnstile::Place first = turnstile.Enter(kAsLongAsItTakes);
  std::optional<Turnstile::Place> second(turnstile.Enter(kAsLongAsItTakes));
  EXPECT_TRUE(first.is_held());
  EXPECT_TRUE(second->is_held());
  EXPECT_FALSE(turnstile.Enter(kAsLongAsItTakes).is_held());
  second.reset();
  EXPECT_TRUE(turnstile.Enter(kAsLongAsItTakes).is_held());
}

TEST(Turnstile, WaitsAtMostTheTimeThatIsGiven) {
  Turnstile turnstile(1, 5);
  const Turnstile::Place place = turnstile.Enter(milliseconds(0));
  EXPECT_FALSE(turnstile.Enter(milliseconds(1)).is_held());
}

TEST(Turnstile, AMovedPlaceIsLeftOnce) {
  Turnstile turnstile(1, 0);
  {
    Turnstile::Place place = turnstile.Enter(milliseconds(0));
    const Turnstile::Place moved(std::move(place));
    EXPECT_TRUE(moved.is_held());
    EXPECT_FALSE(turnstile.Enter(milliseconds(0)).is_held());
  }
  const Turnstile::Place only = turnstile.Enter(milliseconds(0));
  EXPECT_TRUE(only.is_held());
  EXPECT_FALSE(turnstile.Enter(milliseconds(0)).is_held());
}

TEST(Turnstile, WhoWaitsEntersWhenSomebodyLeaves) {
  Turnstile turnstile(1, 1);
  std::optional<Turnstile::Place> place(turnstile.Enter(kAsLongAsItTakes));
  std::jthread waiting([&] { EXPECT_TRUE(turnstile.Enter(kAsLongAsItTakes).is_held()); });
  place.reset();
}

TEST(Turnstile, WhoWaitsEntersWhenMoreMayBeInside) {
  Turnstile turnstile(1, 3);
  const Turnstile::Place place = turnstile.Enter(kAsLongAsItTakes);
  std::vector<std::jthread> waiting;
  for (int i = 0; i < 3; ++i)
    waiting.emplace_back([&] { EXPECT_TRUE(turnstile.Enter(kAsLongAsItTakes).is_held()); });
  turnstile.SetAtOnce(2);
}

TEST(Turnstile, AgreesWithACountOnRandomEntries) {
  std::mt19937 random(5);
  Turnstile turnstile(3, 1);
  std::size_t at_once = 3;
  std::vector<Turnstile::Place> inside;
  for (int i = 0; i < 2000; ++i) {
    if (random() % 20 == 0) {
      at_once = random() % 5;
      turnstile.SetAtOnce(static_cast<int>(at_once));
    } else if (random() % 2 == 0) {
      Turnstile::Place place = turnstile.Enter(milliseconds(0));
      ASSERT_EQ(place.is_held(), inside.size() < at_once) << i;
      if (place.is_held()) inside.push_back(std::move(place));
    } else if (!inside.empty()) {
      inside.pop_back();
    }
  }
}

TEST(Turnstile, NeverLetsMoreInsideAndLetsAllThrough) {
  Turnstile turnstile(3, 8);
  std::atomic<int> inside = 0, max_inside = 0, passed = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        for (int round = 0; round < 200; ++round) {
          const Turnstile::Place place = turnstile.Enter(kAsLongAsItTakes);
          ASSERT_TRUE(place.is_held());
          const int now = ++inside;
          int before = max_inside;
          while (before < now && !max_inside.compare_exchange_weak(before, now)) {
          }
          ++passed;
          --inside;
        }
      });
  }
  EXPECT_LE(max_inside, 3);
  EXPECT_EQ(passed, 8 * 200);
}

}  // namespace
}  // namespace xsp::serve
