#include "core/counted.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace xsp::core {
namespace {

TEST(CountedTest, WordFollowsTheNumber) {
  EXPECT_EQ(Counted(1, "workload"), "1 workload");
  EXPECT_EQ(Counted(std::size_t{2}, "workload"), "2 workloads");
  EXPECT_EQ(Counted(0, "workload"), "0 workloads");
  EXPECT_EQ(Counted(-1, "step"), "-1 steps");
}

TEST(CountedTest, WordsThatTakeNoSAreGivenWhole) {
  EXPECT_EQ(Counted(1, "class", "classes"), "1 class");
  EXPECT_EQ(Counted(3, "class", "classes"), "3 classes");
}

TEST(CountedTest, VerbFollowsTheNumber) {
  EXPECT_EQ(ByNumber(1, "is", "are"), "is");
  EXPECT_EQ(ByNumber(0, "is", "are"), "are");
}

}  // namespace
}  // namespace xsp::core
