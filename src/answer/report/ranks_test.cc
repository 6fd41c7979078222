#include "answer/report/ranks.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace xsp::report {
namespace {

using nlohmann::json;

class RanksTest : public testing::Test {
 protected:
  void Run(const std::string& sql) const {
    const auto done = database_.Query(sql);
    ASSERT_TRUE(done.ok()) << done.error().what;
  }
  /// A device that starts at `start` and computes for 60 of 100 ns.
  void Device(int rank, int device, int start) const {
    Run(
        fmt::format("INSERT INTO device_time VALUES (1, {}, {}, NULL, {}, 100, 90, 10, 60, 50, 10, "
                    "30, 20, 10, 7)",
                    rank, device, start));
  }
  json Get(std::size_t most_rows = 64) {
    auto ranks = Ranks(database_, 1, 1, most_rows, cuts_);
    EXPECT_TRUE(ranks.ok()) << ranks.error().what;
    return ranks.value();
  }

  store::Database database_ = store::Database::OpenEmpty().value();
  json cuts_ = json::array();
};

TEST_F(RanksTest, OneRankIsNoComparison) {
  Device(0, 0, 0);
  Device(0, 1, 0);
  EXPECT_TRUE(Get().is_null());
}

TEST_F(RanksTest, ShowsWhatHidesNothing) {
  Device(0, 0, 1000);
  Device(1, 0, 1050);
  Run("INSERT INTO step VALUES (1, 1, 3, 's', 0, 40, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL),"
      "(1, 1, 4, 's', 40, 60, NULL, 0, 0, 0, 0, 0, 0, false, NULL, NULL)");
  Run("INSERT INTO device_strip VALUES (1, 0, 0, 0, 1000, 50, 25, 10, 0), "
      "(1, 1, 0, 2, 1100, 50, 50, 0, 0)");
  const json ranks = Get();
  ASSERT_EQ(ranks["rows"].size(), 2U);
  const json& first = ranks["rows"][0];
  EXPECT_EQ(first["compute_ns"], 60);
  EXPECT_EQ(first["communication_ns"], 20);
  EXPECT_EQ(first["copy_ns"], 10);
  EXPECT_EQ(first["first_ns"], 0);
  EXPECT_EQ(first["steps"], 0);
  EXPECT_EQ(first["strip"]["compute"], json({500, 0, 0}));
  EXPECT_EQ(first["strip"]["communication"], json({200, 0, 0}));
  const json& second = ranks["rows"][1];
  EXPECT_EQ(second["first_ns"], 50);
  EXPECT_EQ(second["steps"], 2);
  EXPECT_EQ(second["step_ns"], 50);
  EXPECT_EQ(second["strip"]["compute"], json({0, 0, 1000}));
  EXPECT_EQ(ranks["duration_ns"], 150);
  EXPECT_EQ(ranks["stretch_ns"], 50);
}

TEST_F(RanksTest, WhatDoesNotFitIsCountedAsACut) {
  for (int rank = 0; rank < 5; ++rank) Device(rank, 0, 0);
  EXPECT_EQ(Get(3)["rows"].size(), 3U);
  ASSERT_EQ(cuts_.size(), 1U);
  EXPECT_EQ(cuts_[0]["total"], 5);
}

}  // namespace
}  // namespace xsp::report
