#include "app/cli/series_picture.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace xsp::cli {
namespace {

/// Characters of UTF-8 text.
std::size_t Length(const std::string& text) {
  std::size_t length = 0;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++length;
  return length;
}

TEST(SeriesPicture, HeightIsTheLogarithm) {
  EXPECT_EQ(SeriesPicture(std::vector<double>{1, 2, 4, 8, 16, 32, 64, 128}, {}, 80), "▁▂▃▄▅▆▇█");
}

TEST(SeriesPicture, ABarStandsBeforeEachChange) {
  const std::vector<std::size_t> changes = {2, 3};
  EXPECT_EQ(SeriesPicture(std::vector<double>{1, 1, 9, 1}, changes, 80), "▁▁│█│▁");
}

TEST(SeriesPicture, EqualValuesAreLow) {
  EXPECT_EQ(SeriesPicture(std::vector<double>{5, 5}, {}, 80), "▁▁");
  EXPECT_EQ(SeriesPicture({}, {}, 80), "");
}

TEST(SeriesPicture, ManyValuesFitTheWidth) {
  std::vector<double> values(1000, 1);
  for (std::size_t i = 300; i < 600; ++i) values[i] = 2;
  // An outlier among its neighbours is not their median.
  values[100] = 50;
  const std::vector<std::size_t> changes = {300, 600};
  const std::string picture = SeriesPicture(values, changes, 42);
  EXPECT_LE(Length(picture), 42U);
  EXPECT_GE(Length(picture), 38U);
  EXPECT_NE(picture.find("▁│█"), std::string::npos);
  EXPECT_NE(picture.find("█│▁"), std::string::npos);
  EXPECT_EQ(picture.find("▂"), std::string::npos);
  // Too narrow: one character of each segment remains.
  EXPECT_EQ(SeriesPicture(values, changes, 1), "▁│█│▁");
}

}  // namespace
}  // namespace xsp::cli
