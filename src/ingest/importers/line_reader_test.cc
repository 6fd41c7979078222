#include "ingest/importers/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xsp::importers {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Lines(const std::string& text, std::size_t chunk_bytes, bool& is_whole) {
  ByteStream stream = ByteStream::OfText(text);
  LineReader reader(stream, chunk_bytes);
  std::vector<std::string> lines;
  is_whole = true;
  while (const auto line = reader.Next()) {
    lines.emplace_back(*line);
    is_whole = reader.is_whole();
  }
  return lines;
}

TEST(LineReaderTest, GivesTheSameLinesForAnyChunk) {
  bool is_whole = false;
  for (const std::size_t chunk_bytes : {1, 2, 3, 100}) {
    EXPECT_THAT(Lines("a\n\nbc\n", chunk_bytes, is_whole), ElementsAre("a", "", "bc"));
    EXPECT_TRUE(is_whole);
    EXPECT_THAT(Lines("a\nbc", chunk_bytes, is_whole), ElementsAre("a", "bc"));
    EXPECT_FALSE(is_whole);
  }
  EXPECT_THAT(Lines("", 1, is_whole), IsEmpty());
}

TEST(LineReaderTest, KeepsTheBeginningOfALongLine) {
  bool is_whole = false;
  const std::string text = std::string(3 * LineReader::kLongest, 'x') + "\ny\n";
  for (const std::size_t chunk_bytes : {std::size_t{7}, 4 * LineReader::kLongest}) {
    const auto lines = Lines(text, chunk_bytes, is_whole);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0].size(), LineReader::kLongest);
    EXPECT_EQ(lines[1], "y");
  }
}

}  // namespace
}  // namespace xsp::importers
