#include "core/unicode.h"

#include <gtest/gtest.h>

namespace xsp::core {
namespace {

TEST(CategoryOf, NamesTheGeneralCategory) {
  EXPECT_EQ(CategoryOf(U'A'), "Lu");
  EXPECT_EQ(CategoryOf(U'\u4e2d'), "Lo");
  EXPECT_EQ(CategoryOf(U'\u0301'), "Mn");
  EXPECT_EQ(CategoryOf(U'\u00bd'), "No");
  EXPECT_EQ(CategoryOf(U'\u3002'), "Po");
  EXPECT_EQ(CategoryOf(U'\u20ac'), "Sc");
  EXPECT_EQ(CategoryOf(U'\u3000'), "Zs");
  EXPECT_EQ(CategoryOf(U'\u200b'), "Cf");
  EXPECT_EQ(CategoryOf(0xd800), "Cs");
  EXPECT_EQ(CategoryOf(0x378), "Cn");
  EXPECT_EQ(CategoryOf(0x110000), "Cn");
  EXPECT_EQ(CategoryOf(0xffffffff), "Cn");
}

TEST(Lower, KnowsMoreThanAscii) {
  EXPECT_EQ(Lower(U"AZaz\u00c4\u0416\u03a3\u1e9e"), U"azaz\u00e4\u0436\u03c3\u00df");
  EXPECT_EQ(Lower(U"\u0130"), U"i\u0307");
}

TEST(Decompose, GoesToTheLastPart) {
  EXPECT_EQ(Decompose(U"a\u1ead\u00f8"), U"aa\u0323\u0302\u00f8");
  EXPECT_EQ(Decompose(U"\u1f82"), U"\u03b1\u0313\u0300\u0345");  // the longest
  EXPECT_EQ(Decompose(U"\ud55c"), U"\u1112\u1161\u11ab");        // Hangul, by arithmetic
  EXPECT_EQ(Decompose(U"\uf900\ufb01"), U"\u8c48\ufb01");        // not the compatible one
}

TEST(Decompose, KeepsWhatIsNoCodePoint) {
  const std::u32string text = {0xd800, 0x110000, 0xffffffff};
  EXPECT_EQ(Decompose(text), text);
  EXPECT_EQ(Lower(text), text);
}

}  // namespace
}  // namespace xsp::core
