#include "answer/suite/vectors_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "store/store_testing.h"

namespace xsp::suite {
namespace {

namespace fs = std::filesystem;
using store::Cell;

class VectorsCacheTest : public testing::Test {
 protected:
  VectorsCacheTest() {
    analysis_.id = "an_analysis";
    analysis_.columns = {{"name", "", "", ""}, {"value", "1", "", ""}};
    analysis_.sql = "SELECT 1";
    setenv("XSP_CACHE", folder_.path().c_str(), 1);
  }
  ~VectorsCacheTest() override { unsetenv("XSP_CACHE"); }

  ExperimentVectors Vectors(std::vector<Cell> values) const {
    ExperimentVectors vectors{.provenance = {"", "measured:xsp"}, .table = {{"name", "value"}, {}}};
    for (Cell& value : values) vectors.table.rows.push_back({std::string("a \"b\""), value});
    return vectors;
  }

  store::TestFolder folder_;
  analyze::Analysis analysis_;
};

TEST_F(VectorsCacheTest, WhatIsKeptIsFoundWithItsTypes) {
  const VectorsCache cache(analysis_);
  EXPECT_FALSE(cache.Find("f"));
  const ExperimentVectors vectors = Vectors(
      {Cell(), Cell(true), Cell(std::int64_t{9007199254740993}), Cell(0.1), Cell(3.0), Cell("x")});
  ASSERT_TRUE(cache.Keep("f", vectors).ok());
  const auto found = VectorsCache(analysis_).Find("f");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->provenance, vectors.provenance);
  EXPECT_EQ(found->table.columns, vectors.table.columns);
  EXPECT_EQ(found->table.rows, vectors.table.rows);
  EXPECT_FALSE(cache.Find("g"));
}

TEST_F(VectorsCacheTest, AnotherQuestionHasAnotherAnswer) {
  ASSERT_TRUE(VectorsCache(analysis_).Keep("f", Vectors({Cell(1.5)})).ok());
  analysis_.sql = "SELECT 2";
  EXPECT_FALSE(VectorsCache(analysis_).Find("f"));
}

TEST_F(VectorsCacheTest, WhatJsonCannotHoldIsNotKept) {
  const VectorsCache cache(analysis_);
  ASSERT_TRUE(cache.Keep("f", Vectors({Cell(HUGE_VAL)})).ok());
  EXPECT_FALSE(cache.Find("f"));
}

TEST_F(VectorsCacheTest, AFileOfAnotherFormIsNotKnown) {
  const VectorsCache cache(analysis_);
  ASSERT_TRUE(cache.Keep("f", Vectors({Cell(1.5)})).ok());
  fs::path file;
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path()))
    if (entry.is_regular_file()) file = entry.path();
  for (const char* text :
       {"[]", R"({"provenance": [1], "rows": []})", R"({"provenance": ["", ""], "rows": [[1]]})",
        R"({"provenance": ["", ""], "rows": [[1, {}]]})", R"({"provenance": [""], "rows": []})"}) {
    std::ofstream(file) << text;
    EXPECT_FALSE(cache.Find("f")) << text;
  }
}

}  // namespace
}  // namespace xsp::suite
