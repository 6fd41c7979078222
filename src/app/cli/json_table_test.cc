#include "app/cli/json_table.h"

#include <gtest/gtest.h>

#include "core/json_text.h"

namespace xsp::cli {
namespace {

TEST(TableOfTest, KeepsTheOrderOfColumnsAndTheTypesOfCells) {
  const store::Table table =
      TableOf({"z", "a", "m"}, core::ParseJson(R"([{"a": 1, "m": 2.0, "z": "x"}])"));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"z", "a", "m"}));
  EXPECT_EQ(table.rows.at(0), (std::vector<store::Cell>{std::string("x"), std::int64_t{1}, 2.0}));
}

TEST(TableOfTest, WhatARowLacksIsNull) {
  const store::Table table = TableOf({"a", "b"}, core::ParseJson(R"([{"b": null}])"));
  EXPECT_EQ(table.rows.at(0), (std::vector<store::Cell>{store::Cell(), store::Cell()}));
}

}  // namespace
}  // namespace xsp::cli
