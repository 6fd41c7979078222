#include "core/nearest_word.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace xsp::core {
namespace {

constexpr std::array<std::string_view, 6> kKnown = {"name",  "shape",  "dtype",
                                                    "range", "inputs", "x"};

/// By the recurrence alone, without tables.
std::size_t SlowDistance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const std::string_view a1 = a.substr(1), b1 = b.substr(1);
  std::size_t least = std::min(SlowDistance(a1, b) + 1, SlowDistance(a, b1) + 1);
  least = std::min(least, SlowDistance(a1, b1) + (a[0] == b[0] ? 0 : 1));
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0])
    least = std::min(least, SlowDistance(a.substr(2), b.substr(2)) + 1);
  return least;
}

TEST(EditDistanceTest, AgreesWithTheRecurrence) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string a(random() % 6, ' '), b(random() % 6, ' ');
    for (char& letter : a) letter = static_cast<char>('a' + random() % 3);
    for (char& letter : b) letter = static_cast<char>('a' + random() % 3);
    ASSERT_EQ(EditDistance(a, b), SlowDistance(a, b)) << a << " " << b;
  }
}

TEST(NearestWordTest, FindsWhatWasMeant) {
  EXPECT_EQ(NearestWord("shpae", kKnown), "shape");
  EXPECT_EQ(NearestWord("input", kKnown), "inputs");
  EXPECT_EQ(NearestWord("Name", kKnown), "name");
  EXPECT_EQ(NearestWord("typed", kKnown), "");
  EXPECT_EQ(NearestWord("", kKnown), "x");
  EXPECT_EQ(NearestWord(std::string(100'000, 'a'), kKnown), "");
}

TEST(NearestWordTest, PrefersTheNearerOne) {
  constexpr std::array<std::string_view, 3> kNear = {"outputs", "inputs", "input"};
  EXPECT_EQ(NearestWord("inputt", kNear), "inputs");
  EXPECT_EQ(NearestWord("input", kNear), "input");
}

TEST(NearestWordTest, TakesThreeLettersForABeginning) {
  constexpr std::array<std::string_view, 3> kLong = {"precision_target", "precision", "throughput"};
  EXPECT_EQ(NearestWord("Prec", kLong), "precision");
  EXPECT_EQ(NearestWord("thr", kLong), "throughput");
  EXPECT_EQ(NearestWord("th", kLong), "");
  EXPECT_EQ(NearestWord("target", kLong), "");
}

TEST(NearestWordsTest, PutsThoseThatBeginWithTheWordFirst) {
  constexpr std::array<std::string_view, 3> kNames = {"nett", "resnet50-2026-11-29", "bert"};
  EXPECT_THAT(NearestWords("resnet", kNames, 2),
              testing::ElementsAre("resnet50-2026-11-29", "nett"));
}

TEST(NearestWordsTest, RanksByDistance) {
  constexpr std::array<std::string_view, 3> kNames = {"bert", "gpt", "resnet50"};
  EXPECT_THAT(NearestWords("resnet5O", kNames, 2), testing::ElementsAre("resnet50", "bert"));
  EXPECT_THAT(NearestWords("zzzz", kNames, 9), testing::ElementsAre("bert", "gpt", "resnet50"));
}

}  // namespace
}  // namespace xsp::core
