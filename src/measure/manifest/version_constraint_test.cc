#include "measure/manifest/version_constraint.h"

#include <gtest/gtest.h>

namespace xsp::manifest {
namespace {

TEST(VersionConstraintTest, HoldsVersionsAgainstComparisons) {
  EXPECT_TRUE(Satisfies("2.15.0+cpu", ">=2, <3"));
  EXPECT_FALSE(Satisfies("3.0", ">=2, <3"));
  EXPECT_TRUE(Satisfies("1.10", ">1.9"));
  EXPECT_TRUE(Satisfies("1.9.1", "==1.9.*"));
  EXPECT_FALSE(Satisfies("1.10", "==1.9.*"));
  EXPECT_TRUE(Satisfies("1.10", "!=1.9.*"));
  EXPECT_TRUE(Satisfies("2", "2.0.0"));
  EXPECT_TRUE(Satisfies("1.9.1rc1", "<=1.9.1"));
  EXPECT_TRUE(Satisfies("anything", ""));
}

TEST(VersionConstraintTest, RefusesWhatItCannotRead) {
  for (const char* wrong : {"new", ">=", ">=1,", ",", ">=1 <2", "1.x", ">=1.*", "=>1", "-1",
                            "1.2.3.4.5", "99999999999999999999"})
    EXPECT_FALSE(IsVersionConstraint(wrong)) << wrong;
  for (const char* right : {"", " ", "1", ">= 1.2.3.4 , < 2", "==1.*"})
    EXPECT_TRUE(IsVersionConstraint(right)) << right;
  EXPECT_FALSE(Satisfies("two", ">=1"));
  EXPECT_FALSE(Satisfies("2", "1.x"));
}

}  // namespace
}  // namespace xsp::manifest
