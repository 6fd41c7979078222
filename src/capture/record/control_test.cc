#include "capture/record/control.h"

#include <gtest/gtest.h>

#include "capture/record/process.h"

namespace xsp::record {
namespace {

TEST(AskedRange, IsOfAnyDomainUnlessOneIsNamed) {
  const AskedRange asked = ParseAskedRange("step");
  EXPECT_TRUE(IsAsked(asked, Intern("step"), 0));
  EXPECT_TRUE(IsAsked(asked, Intern("step"), Intern("mine")));
  EXPECT_FALSE(IsAsked(asked, Intern("steps"), 0));
}

TEST(AskedRange, TakesTheDomainBehindTheLastAt) {
  const AskedRange asked = ParseAskedRange("user@host@mine");
  EXPECT_TRUE(IsAsked(asked, Intern("user@host"), Intern("mine")));
  EXPECT_FALSE(IsAsked(asked, Intern("user@host"), 0));
  const AskedRange unnamed = ParseAskedRange("step@");
  EXPECT_TRUE(IsAsked(unnamed, Intern("step"), 0));
  EXPECT_FALSE(IsAsked(unnamed, Intern("step"), Intern("mine")));
}

TEST(AskedRange, IsNoneWithoutAName) {
  const AskedRange none = ParseAskedRange("");
  EXPECT_FALSE(IsAsked(none, 0, 0)) << "a range without a message is not asked for";
}

}  // namespace
}  // namespace xsp::record
