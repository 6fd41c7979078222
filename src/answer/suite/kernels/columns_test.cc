#include "answer/suite/kernels/columns.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace xsp::suite::kernels {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

/// The error for a table of one column and these cells.
std::string AgainstColumn(const char* column, std::vector<store::Cell> cells) {
  store::Table table{{column}, {}};
  for (store::Cell& cell : cells) table.rows.push_back({std::move(cell)});
  const auto checked = Columns(table, "mine.csv").CheckNumbers();
  return checked.ok() ? std::string("fine") : checked.error().what;
}

TEST(ColumnsTest, NumbersBelowZeroAreRefusedWithTheirRow) {
  for (const char* column : {"time_ms", "time_us", "duration_ns", "time_percent", "calls", "count",
                             "printed_time_percent", "unique_kernels", "flops", "bytes",
                             "read_bytes", "write_bytes", "transactions", "transactions_32b"})
    EXPECT_EQ(AgainstColumn(column, {1.0, store::Cell(), -2.5}),
              std::string("mine.csv: a negative ") + column + " in row 3: -2.5");
  EXPECT_THAT(AgainstColumn("calls", {-std::numeric_limits<double>::infinity()}),
              HasSubstr("a negative calls in row 1"));
  EXPECT_EQ(AgainstColumn("altitude", {-1.0}), "fine");
}

TEST(ColumnsTest, TextAmongNumbersIsNamedRatherThanTakenAsMissing) {
  EXPECT_EQ(AgainstColumn("time_ms", {std::string("1.5"), std::string("abc")}),
            "mine.csv: no number in column time_ms, row 2: abc");
  EXPECT_EQ(AgainstColumn("name", {std::string("abc")}), "fine");
  EXPECT_EQ(AgainstColumn("time_ms", {store::Cell(), store::Cell()}), "fine");
}

TEST(ColumnsTest, TimeIsReadInWhicheverUnitThereIs) {
  const auto time = [](const char* column, double value) {
    const store::Table table{{column}, {{value}}};
    return Columns(table, "").Time(0);
  };
  EXPECT_DOUBLE_EQ(time("time_ms", 2), 2);
  EXPECT_DOUBLE_EQ(time("duration_us", 2000), 2);
  EXPECT_DOUBLE_EQ(time("time_ns", 2e6), 2);
  EXPECT_TRUE(std::isnan(time("time_s", 2)));
}

TEST(ColumnsTest, WhatIsNotSaidIsMissing) {
  const store::Table table{{"time_ms", "transactions_32b"}, {{4.0, 10.0}, {store::Cell(), 1.0}}};
  const Columns columns(table, "mine.csv");
  const Sums sums = columns.SumsAt(0);
  EXPECT_DOUBLE_EQ(sums.time_ms, 4);
  EXPECT_DOUBLE_EQ(sums.bytes, 320);
  EXPECT_TRUE(std::isnan(sums.calls));
  EXPECT_TRUE(std::isnan(sums.flops));
  std::vector<std::string> methods;
  EXPECT_TRUE(columns.SayUntimed(&methods).ok());
  EXPECT_THAT(methods, Contains(HasSubstr("1 of 2 rows has no time")));
}

}  // namespace
}  // namespace xsp::suite::kernels
