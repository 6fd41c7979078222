#include "answer/trace_formats/span_slices.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>

#include "store/database.h"
#include "store/table.h"

namespace xsp::trace_formats {
namespace {

TEST(CutSpans, FindsEachSpanInOneSlice) {
  const auto database = store::Database::OpenEmpty();
  ASSERT_TRUE(database.ok());
  // Track 3 has 1000 spans, the others 10 each; extreme starts are spans, too.
  ASSERT_TRUE(database.value()
                  .Query("INSERT INTO span SELECT i, 0, 'layer', 'op', 'x', "
                         "CASE WHEN i < 1000 THEN 3 ELSE i % 7 END, (i * 7919) % 500, 1, 'none', "
                         "NULL, 0 FROM range(1070) r(i)")
                  .ok());
  ASSERT_TRUE(
      database.value()
          .Query("INSERT INTO span VALUES "
                 "(2000, 0, 'layer', 'op', 'x', 3, -9223372036854775808, 1, 'none', NULL, 0), "
                 "(2001, 0, 'layer', 'op', 'x', 3, 9223372036854775807, 1, 'none', NULL, 0)")
          .ok());
  for (const std::int64_t most : {5, 64, 100'000}) {
    const auto slices = CutSpans(database.value(), most);
    ASSERT_TRUE(slices.ok()) << slices.error().what;
    std::string sum = "SELECT count(*)::BIGINT, sum(n)::BIGINT, max(n)::BIGINT FROM (SELECT id, (0";
    for (const SpanSlice& slice : slices.value())
      sum += " + CASE WHEN " + slice.condition + " THEN 1 ELSE 0 END";
    const auto counted = database.value().Query(sum + ") AS n FROM span)");
    ASSERT_TRUE(counted.ok()) << counted.error().what;
    const auto& row = counted.value().rows.front();
    EXPECT_EQ(std::get<std::int64_t>(row[0]), 1072);
    EXPECT_EQ(std::get<std::int64_t>(row[1]), 1072);
    EXPECT_EQ(std::get<std::int64_t>(row[2]), 1);
  }
}

TEST(CutSpans, KeepsSlicesSmall) {
  const auto database = store::Database::OpenEmpty();
  ASSERT_TRUE(database.ok());
  ASSERT_TRUE(database.value()
                  .Query("INSERT INTO span SELECT i, 0, 'layer', 'op', 'x', i % 3, i, 1, 'none', "
                         "NULL, 0 FROM range(3000) r(i)")
                  .ok());
  const auto slices = CutSpans(database.value(), 300);
  ASSERT_TRUE(slices.ok());
  for (const SpanSlice& slice : slices.value()) {
    const auto found = database.value().Query("SELECT count(*) FROM span WHERE " + slice.condition);
    ASSERT_TRUE(found.ok());
    EXPECT_LE(std::get<std::int64_t>(found.value().rows[0][0]), 301);
  }
}

}  // namespace
}  // namespace xsp::trace_formats
