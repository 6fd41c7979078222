#include "app/mcp/line_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <thread>

namespace xsp::mcp {
namespace {

using Kind = LineReader::Kind;

class LineReaderTest : public testing::Test {
 protected:
  LineReaderTest() {
    EXPECT_EQ(pipe(input_), 0);
    EXPECT_EQ(pipe(wake_), 0);
  }
  ~LineReaderTest() override {
    EndInput();
    for (const int fd : {input_[0], wake_[0], wake_[1]}) close(fd);
  }

  void Write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = write(input_[1], text.data(), text.size());
      ASSERT_GT(count, 0);
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  void EndInput() {
    if (input_[1] >= 0) close(input_[1]);
    input_[1] = -1;
  }

  void ExpectLine(LineReader& reader, std::string_view text) {
    const LineReader::Line line = reader.Next();
    EXPECT_EQ(line.kind, Kind::kLine);
    EXPECT_EQ(line.text, text);
  }

  int input_[2], wake_[2];
};

TEST_F(LineReaderTest, LinesEndWithTheInput) {
  LineReader reader(input_[0], wake_[0], 100);
  Write("one\n\ntwo\nlast");
  EndInput();
  ExpectLine(reader, "one");
  ExpectLine(reader, "");
  ExpectLine(reader, "two");
  ExpectLine(reader, "last");
  EXPECT_EQ(reader.Next().kind, Kind::kEnd);
}

TEST_F(LineReaderTest, ALineMayComeInPieces) {
  LineReader reader(input_[0], wake_[0], 100);
  Write("be");
  std::thread writer([this] {
    Write("gin");
    Write("ning\nn");
    EndInput();
  });
  ExpectLine(reader, "beginning");
  ExpectLine(reader, "n");
  writer.join();
}

TEST_F(LineReaderTest, ALineThatIsTooLongIsPassedOver) {
  LineReader reader(input_[0], wake_[0], 10);
  std::thread writer([this] {
    Write("1234567890\n12345678901\n" + std::string(1'000'000, 'x') + "\nnext\n" +
          std::string(300'000, 'y'));
    EndInput();
  });
  ExpectLine(reader, "1234567890");
  EXPECT_EQ(reader.Next().kind, Kind::kTooLong);
  EXPECT_EQ(reader.Next().kind, Kind::kTooLong);
  ExpectLine(reader, "next");
  EXPECT_EQ(reader.Next().kind, Kind::kTooLong);
  EXPECT_EQ(reader.Next().kind, Kind::kEnd);
  writer.join();
}

TEST_F(LineReaderTest, ARequestToStopEndsTheWaiting) {
  LineReader reader(input_[0], wake_[0], 100);
  Write("one\nincomplete");
  ExpectLine(reader, "one");
  ASSERT_EQ(write(wake_[1], "", 1), 1);
  EXPECT_EQ(reader.Next().kind, Kind::kStopped);
}

}  // namespace
}  // namespace xsp::mcp
