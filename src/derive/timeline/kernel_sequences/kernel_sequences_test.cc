#include "derive/timeline/kernel_sequences/kernel_sequences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "derive/timeline/timeline_testing.h"

namespace xsp::timeline::kernel_sequences {
namespace {

using trace::SpanId;

constexpr std::size_t kAll = 1'000'000;

class KernelSequencesTest : public testing::Test {
 protected:
  /// Kernels of 10 ns each, `gap_ns` between them, named by the letters of `names`.
  void Run(std::string_view names, std::int64_t gap_ns = 1) {
    for (const char name : names) {
      recording_.Kernel(stream_, at_, 10, std::string(1, name));
      at_ += 10 + gap_ns;
    }
  }
  void Pause() { at_ += kLongestGapNs; }

  std::vector<std::string> Found(std::size_t most = kAll, std::size_t longest = kLongest) {
    const Timeline timeline(recording_.trace());
    std::vector<std::string> found;
    for (const Sequence& sequence : FindSequences(timeline, timeline.devices()[0], most, longest)) {
      std::string names = std::to_string(sequence.occurrences) + " x ";
      for (const SpanId kernel : sequence.kernels) names += timeline.NameOf(kernel);
      found.push_back(names);
    }
    return found;
  }

  Recording recording_;
  trace::TrackId stream_ = recording_.Stream(0, 7);
  std::int64_t at_ = 0;
};

TEST_F(KernelSequencesTest, AreAsLongAsTheyGoTogether) {
  Run("xabcyabczabc");
  EXPECT_THAT(Found(), testing::ElementsAre("3 x abc"));
}

TEST_F(KernelSequencesTest, AreShownBesideLongerOnesWhereTheyRunMoreOften) {
  Run("abcxabcyabzabwabv");
  EXPECT_THAT(Found(), testing::ElementsAre("5 x ab", "2 x abc"));
}

TEST_F(KernelSequencesTest, AreNotRepetitionsOfAnother) {
  Run("pabcabcabcabcabcq");
  EXPECT_THAT(Found(), testing::ElementsAre("5 x abc"));
}

TEST_F(KernelSequencesTest, OfOneNameAreShownOnceWithTheirLength) {
  Run("aaaxaaayaaazaa");
  EXPECT_THAT(Found(), testing::ElementsAre("3 x aaa"));
}

TEST_F(KernelSequencesTest, EndWhereTheStreamPausesOrCopies) {
  Run("ab");
  Pause();
  Run("cab");
  recording_.Copy(stream_, at_, 10);
  at_ += 20;
  Run("ca");
  EXPECT_THAT(Found(), testing::UnorderedElementsAre("2 x ab", "2 x ca"));
}

TEST_F(KernelSequencesTest, EndWhereTheWorkOfAnotherStepBegins) {
  const auto thread = recording_.Thread();
  for (std::int64_t i = 0; i < 3; ++i) {
    recording_.Step(thread, i, 100 * i, 100);
    const SpanId launch = recording_.Launch(thread, 100 * i);
    recording_.Kernel(stream_, 100 * i + 10, 40, "a", launch);
    recording_.Kernel(stream_, 100 * i + 60, 30, "b", launch);
  }
  EXPECT_THAT(Found(), testing::ElementsAre("3 x ab"));
}

TEST_F(KernelSequencesTest, AddUpDurationsAndGaps) {
  Run("abxab", 3);
  const Timeline timeline(recording_.trace());
  const std::vector<Sequence> found = FindSequences(timeline, timeline.devices()[0], kAll);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].duration_ns, 40);
  EXPECT_EQ(found[0].gap_ns, 6);
}

TEST_F(KernelSequencesTest, KeepsThoseWithTheMostTime) {
  Run("abxabyabzcdwcdv");
  EXPECT_THAT(Found(1), testing::ElementsAre("3 x ab"));
}

TEST_F(KernelSequencesTest, AreCutAtTheGreatestLength) {
  Run("abcdef");
  Pause();
  Run("abcdef");
  EXPECT_THAT(Found(kAll, 4), testing::ElementsAre("2 x abcd"));
}

TEST_F(KernelSequencesTest, AreNotShownTwiceBecauseTheirSurroundingsDiffer) {
  Run("pabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdq");
  Pause();
  Run("rbcdabcdabcdabcdabcdabcdabcdabcdabcdabcdabcdq");
  // "bcd" occurs 22 times, "abcd" and "bcda" 21 and 20 times.
  EXPECT_THAT(Found(), testing::Contains("21 x abcd"));
  EXPECT_THAT(Found(), testing::Not(testing::Contains("22 x bcd")));
}

/// More than half is one string three times or more, or all is one more than one and a half times:
/// by spelling out every repetition.
bool SlowRepeats(const std::string& text) {
  for (std::size_t period = 1; period <= text.size(); ++period) {
    for (std::size_t from = 0; from < text.size(); ++from) {
      for (std::size_t length = period + 1; from + length <= text.size(); ++length) {
        std::string spelt;
        while (spelt.size() < length) spelt += text.substr(from, period);
        if (text.substr(from, length) != spelt.substr(0, length)) continue;
        if ((length == text.size() && 2 * length > 3 * period) ||
            (length >= 3 * period && 2 * length > text.size()))
          return true;
      }
    }
  }
  return false;
}

TEST(KernelSequencesPropertyTest, AgreeWithLookingAtEverySubstring) {
  std::mt19937 random(41);
  const auto below = [&](int n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  for (int round = 0; round < 400; ++round) {
    Recording recording;
    const trace::TrackId streams[] = {recording.Stream(0, 7), recording.Stream(0, 13)};
    struct Kernel {
      char name;
      std::int64_t start, end;
    };
    std::vector<std::vector<Kernel>> parts;
    const std::size_t longest = static_cast<std::size_t>(2 + below(8));
    const int letters = 1 + static_cast<int>(below(4));
    // The text has streams in the order in which they start.
    std::int64_t at = 0;
    for (const trace::TrackId stream : streams) {
      at += 1000;
      parts.emplace_back();
      for (std::int64_t i = 0, n = below(40); i < n; ++i) {
        const std::int64_t took = below(50);
        if (below(20) == 0) {
          recording.Copy(stream, at, took);
          parts.emplace_back();
        } else {
          const char name = static_cast<char>('a' + below(letters));
          recording.Kernel(stream, at, took, std::string(1, name));
          parts.back().push_back({name, at, at + took});
        }
        at += took + below(5);
        if (below(20) == 0) {
          at += kLongestGapNs + 1;
          parts.emplace_back();
        }
      }
    }
    const Timeline timeline(recording.trace());
    if (timeline.devices().empty()) continue;

    std::map<std::string, std::vector<std::pair<std::size_t, std::size_t>>> places;
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (std::size_t from = 0; from < parts[p].size(); ++from) {
        std::string names;
        for (std::size_t i = from; i < parts[p].size() && names.size() < longest; ++i) {
          names += parts[p][i].name;
          if (names.size() >= 2) places[names].emplace_back(p, from);
        }
      }
    using Found = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;
    // By time, then by first occurrence, then by length.
    std::map<std::tuple<std::int64_t, std::pair<std::size_t, std::size_t>, std::size_t>, Found>
        candidates;
    const auto add = [&](const Found& found, const std::pair<std::size_t, std::size_t>& first) {
      candidates.emplace(std::tuple(-std::get<2>(found), first, std::get<0>(found).size()), found);
    };
    const auto sum = [&](const std::string& names, auto taken) {
      std::int64_t duration = 0, gap = 0;
      for (const auto& [p, from] : taken)
        for (std::size_t i = 0; i < names.size(); ++i) {
          const Kernel& kernel = parts[p][from + i];
          duration += kernel.end - kernel.start;
          if (i > 0) gap += kernel.start - parts[p][from + i - 1].end;
        }
      return Found(names, static_cast<std::int64_t>(taken.size()), duration, gap);
    };
    for (const auto& [names, all] : places) {
      std::set<char> before, after;
      std::vector<std::pair<std::size_t, std::size_t>> taken;
      for (const auto& [p, from] : all) {
        before.insert(from == 0 ? '-' : parts[p][from - 1].name);
        const std::size_t end = from + names.size();
        after.insert(end == parts[p].size() ? '-' : parts[p][end].name);
        if (taken.empty() || taken.back().first != p || taken.back().second + names.size() <= from)
          taken.emplace_back(p, from);
      }
      const bool ends = names.size() == longest || after.size() > 1 || after.contains('-');
      const bool starts = before.size() > 1 || before.contains('-');
      const bool overlaps = 4 * (all.size() - taken.size()) > all.size();
      if (taken.size() >= 2 && !overlaps && starts && ends && !SlowRepeats(names))
        add(sum(names, taken), taken.front());
    }
    for (char name = 'a'; name < 'a' + letters; ++name) {
      std::map<std::size_t, std::vector<std::pair<std::size_t, std::size_t>>> runs;
      for (std::size_t p = 0; p < parts.size(); ++p)
        for (std::size_t from = 0; from < parts[p].size();) {
          std::size_t end = from;
          while (end < parts[p].size() && parts[p][end].name == name) ++end;
          if (end - from >= 2 && end - from <= longest) runs[end - from].emplace_back(p, from);
          from = std::max(end, from + 1);
        }
      Found most;
      std::pair<std::size_t, std::size_t> first;
      for (const auto& [length, taken] : runs) {
        const Found run = sum(std::string(length, name), taken);
        // Of equal ones the first to run.
        if (taken.size() < 2) continue;
        if (std::get<1>(most) == 0 || std::get<2>(run) > std::get<2>(most) ||
            (std::get<2>(run) == std::get<2>(most) && taken.front() < first)) {
          most = run;
          first = taken.front();
        }
      }
      if (std::get<1>(most) > 0) add(most, first);
    }
    std::vector<Found> expected;
    for (const auto& [order, candidate] : candidates) {
      const auto& [names, times, duration, gap] = candidate;
      bool told = false;
      for (const Found& better : expected) {
        const std::int64_t others = std::get<1>(better);
        const bool as_often = 10 * std::abs(others - times) <= std::max(others, times);
        const bool inside = std::get<0>(better).find(names) != std::string::npos ||
                            names.find(std::get<0>(better)) != std::string::npos;
        told = told || (as_often && inside);
      }
      if (!told) expected.push_back(candidate);
    }

    std::vector<Found> found;
    for (const Sequence& sequence : FindSequences(timeline, timeline.devices()[0], kAll, longest)) {
      std::string names;
      for (const SpanId kernel : sequence.kernels) names += timeline.NameOf(kernel);
      found.emplace_back(names, sequence.occurrences, sequence.duration_ns, sequence.gap_ns);
    }
    ASSERT_THAT(found, testing::ContainerEq(expected)) << "round " << round;
  }
}

}  // namespace
}  // namespace xsp::timeline::kernel_sequences
