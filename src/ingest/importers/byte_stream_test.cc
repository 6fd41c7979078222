#include "ingest/importers/byte_stream.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace xsp::importers {
namespace {

class ByteStreamTest : public testing::Test {
 protected:
  std::filesystem::path Write(std::string_view bytes, const std::string& name = "file") {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) /
        (std::string("byte_stream_") +
         testing::UnitTest::GetInstance()->current_test_info()->name() + "_" + name);
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  /// Packed by another program than ours.
  std::filesystem::path Pack(std::string_view bytes) {
    const std::filesystem::path plain = Write(bytes, "plain"), packed = plain.string() + ".gz";
    EXPECT_EQ(std::system(("gzip -1 -k -f " + plain.string()).c_str()), 0);
    return packed;
  }
  static std::string Slurp(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::string ReadAll(ByteStream& stream, std::size_t capacity) {
    std::string text, piece(capacity, '\0');
    while (const std::size_t got = stream.Read(piece.data(), capacity)) text.append(piece, 0, got);
    return text;
  }
  static std::string Noise(std::size_t size) {
    std::mt19937 random(3);
    std::string text(size, '\0');
    for (char& c : text) c = static_cast<char>('a' + random() % 20);
    return text;
  }
};

TEST_F(ByteStreamTest, GivesPlainAndPackedFilesAlike) {
  const std::string text = Noise(5'000'000);
  for (const auto& path : {Write(text), Pack(text)}) {
    for (const std::size_t capacity : {4096, 1 << 20, 7'000'001}) {
      ByteStream stream = ByteStream::Open(path).value();
      EXPECT_EQ(ReadAll(stream, capacity), text);
      EXPECT_EQ(stream.damage(), "");
    }
  }
}

TEST_F(ByteStreamTest, ReadsMembersOneAfterAnother) {
  const std::string one = Slurp(Pack("hello ")), two = Slurp(Pack("world"));
  ByteStream stream = ByteStream::Open(Write(one + two + std::string(512, '\0'))).value();
  EXPECT_EQ(ReadAll(stream, 100), "hello world");
  EXPECT_EQ(stream.damage(), "");
}

TEST_F(ByteStreamTest, KeepsWhatComesBeforeDamage) {
  const std::string text = Noise(3'000'000), packed = Slurp(Pack(text));
  ByteStream cut =
      ByteStream::Open(Write(std::string_view(packed).substr(0, packed.size() / 2))).value();
  const std::string start = ReadAll(cut, 1 << 20);
  EXPECT_GT(start.size(), text.size() / 3);
  EXPECT_TRUE(text.starts_with(start));
  EXPECT_NE(cut.damage().find("ends in the middle"), std::string::npos);

  std::string broken = packed;
  broken.replace(packed.size() / 2, 64, 64, '\xff');
  ByteStream stream = ByteStream::Open(Write(broken, "broken")).value();
  ReadAll(stream, 1 << 20);
  EXPECT_NE(stream.damage(), "");
}

TEST_F(ByteStreamTest, MayBeLeftInTheMiddle) {
  ByteStream stream = ByteStream::Open(Pack(Noise(20'000'000))).value();
  char c;
  EXPECT_EQ(stream.Read(&c, 1), 1u);
}

TEST_F(ByteStreamTest, SaysWhatCannotBeOpened) {
  EXPECT_EQ(ByteStream::Open("/nonesuch").error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(ByteStream::Open(testing::TempDir()).error().kind, ErrorKind::kBadInput);
}

TEST_F(ByteStreamTest, AnEmptyFileEndsAtOnce) {
  ByteStream stream = ByteStream::Open(Write("")).value();
  EXPECT_EQ(ReadAll(stream, 10), "");
  EXPECT_EQ(stream.damage(), "");
}

}  // namespace
}  // namespace xsp::importers
