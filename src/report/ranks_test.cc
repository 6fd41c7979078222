#include "report/ranks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

namespace xsp::report {
namespace {

using nlohmann::json;

class RanksTest : public testing::Test {
 protected:
  void Run(const std::string& sql) const {
    const auto done = database_.Query(sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
  void Track(int id, const char* rank, int device) const {
    Run(
        fmt::format("INSERT INTO track (run_id, id, kind, name, device, rank) VALUES (1, {}, "
                    "'stream', 's', {}, {})",
                    id, device, rank));
  }
  void Span(int id, int track, const char* type, const char* name, long start, long end) const {
    Run(
        fmt::format("INSERT INTO span (run_id, id, parent_id, level, type, name, track_id, "
                    "start_ns, duration_ns, placed_by) VALUES (1, {}, 0, 'kernel', '{}', '{}', "
                    "{}, {}, {}, 'none')",
                    id, type, name, track, start, end - start));
  }
  json Get(std::size_t most_rows = 64) {
    auto ranks = Ranks(database_, 1, 1, most_rows, cuts_);
    EXPECT_TRUE(ranks.ok()) << ranks.error().what;
    return ranks.value();
  }

  /// Empty, with raw tables as an experiment shows them: led by the run.
  static store::Database Empty() {
    auto database = store::Database::OpenEmpty().value();
    for (const char* table : {"span", "track"})
      EXPECT_TRUE(
          database.Query(fmt::format("ALTER TABLE {} ADD COLUMN run_id BIGINT", table)).ok());
    return database;
  }

  store::Database database_ = Empty();
  json cuts_ = json::array();
};

TEST_F(RanksTest, OneRankIsNoComparison) {
  Track(1, "0", 0);
  Span(1, 1, "kernel", "k", 0, 10);
  EXPECT_TRUE(Get().is_null());
}

TEST_F(RanksTest, CommunicationThatComputingHidesIsNotCounted) {
  Track(1, "0", 0);
  Track(2, "0", 0);
  Track(3, "1", 1);
  Span(1, 1, "kernel", "gemm", 0, 1000);
  Span(2, 2, "kernel", "ncclDevKernel_AllReduce", 600, 2000);
  Span(3, 2, "memcpy", "Memcpy", 1900, 2500);
  Span(4, 3, "kernel", "gemm", 500, 4000);
  const json rows = Get()["rows"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["compute_ns"], 1000);
  EXPECT_EQ(rows[0]["communication_ns"], 1000);
  EXPECT_EQ(rows[0]["copy_ns"], 500);
  EXPECT_EQ(rows[1]["compute_ns"], 3500);
  EXPECT_EQ(rows[1]["first_ns"], 500);
}

TEST_F(RanksTest, WhatDoesNotFitIsCountedAsACut) {
  for (int rank = 0; rank < 5; ++rank) {
    Track(rank + 1, std::to_string(rank).c_str(), 0);
    Span(rank + 1, rank + 1, "kernel", "k", 0, 10);
  }
  EXPECT_EQ(Get(3)["rows"].size(), 3u);
  ASSERT_EQ(cuts_.size(), 1u);
  EXPECT_EQ(cuts_[0]["total"], 5);
}

TEST_F(RanksTest, AgreesWithMarkingEveryNanosecond) {
  std::mt19937 random(11);
  constexpr long kLength = 3000;
  constexpr const char* kTypes[] = {"kernel", "kernel", "memset"};
  constexpr const char* kNames[] = {"gemm", "rcclKernel", "Memset"};
  std::vector<std::vector<std::vector<bool>>> marked(
      2, std::vector<std::vector<bool>>(3, std::vector<bool>(kLength)));
  for (int rank = 0; rank < 2; ++rank) Track(rank + 1, std::to_string(rank).c_str(), rank);
  for (int id = 1; id <= 120; ++id) {
    const int rank = static_cast<int>(random() % 2), activity = static_cast<int>(random() % 3);
    const long start = static_cast<long>(random() % (kLength - 200));
    const long end = start + 1 + static_cast<long>(random() % 60);
    Span(id, rank + 1, kTypes[activity], kNames[activity], start, end);
    for (long at = start; at < end; ++at)
      marked[rank][activity][static_cast<std::size_t>(at)] = true;
  }
  const json ranks = Get();
  const long stretch = ranks["stretch_ns"];
  long first = kLength;
  for (const auto& rank : marked)
    for (const auto& activity : rank)
      first = std::min(first, static_cast<long>(std::find(activity.begin(), activity.end(), true) -
                                                activity.begin()));
  for (std::size_t rank = 0; rank < 2; ++rank) {
    double total[3] = {};
    std::vector<std::array<double, 3>> strip(ranks["rows"][rank]["strip"]["compute"].size());
    for (long at = first; at < kLength; ++at)
      for (std::size_t activity = 0; activity < 3; ++activity)
        if (marked[rank][activity][static_cast<std::size_t>(at)]) {
          ++total[activity];
          ++strip.at(static_cast<std::size_t>((at - first) / stretch))[activity];
          break;  // What comes first hides the others.
        }
    constexpr const char* kActivities[] = {"compute", "communication", "copy"};
    for (std::size_t activity = 0; activity < 3; ++activity) {
      const json& row = ranks["rows"][rank];
      EXPECT_EQ(row[fmt::format("{}_ns", kActivities[activity])], total[activity]);
      for (std::size_t part = 0; part < strip.size(); ++part)
        EXPECT_NEAR(row["strip"][kActivities[activity]][part].get<double>(),
                    1000 * strip[part][activity] / static_cast<double>(stretch), 1)
            << part;
    }
  }
}

}  // namespace
}  // namespace xsp::report
