#include "os/files.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "os/parallel.h"

namespace xsp::os {
namespace {

namespace fs = std::filesystem;

class FilesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

TEST_F(FilesTest, WritesWhatItReadsBack) {
  const std::string text("a\0b\n", 4);
  ASSERT_TRUE(WriteFileAtomically(folder_ / "x", text).ok());
  EXPECT_EQ(ReadFile(folder_ / "x").value(), text);
}

TEST_F(FilesTest, ThreadsThatWriteOnePathLeaveTheTextOfOne) {
  const auto text_of = [](std::size_t i) {
    return std::string(100'000, static_cast<char>('a' + i));
  };
  for (const Durable durable : {Durable::kNow, Durable::kLater}) {
    const Status written = ForEachWaiting(
        16, [&](std::size_t i) { return WriteFileAtomically(folder_ / "x", text_of(i), durable); });
    ASSERT_TRUE(written.ok()) << written.error().what;
    const std::string text = ReadFile(folder_ / "x").value();
    EXPECT_EQ(text, text_of(static_cast<std::size_t>(text[0] - 'a')));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
  }
}

TEST_F(FilesTest, ReadsFilesThatStateNoSize) {
  EXPECT_NE(ReadFile("/proc/self/status").value().find("Pid:"), std::string::npos);
}

TEST_F(FilesTest, SaysWhatIsWrongWithAPath) {
  EXPECT_EQ(ReadFile(folder_ / "none").error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(ReadFile(folder_).error().what, "is a directory: " + folder_.string());
}

TEST_F(FilesTest, RefusesFilesOverTheLimit) {
  std::ofstream(folder_ / "big") << std::string(100, 'x');
  EXPECT_EQ(ReadFile(folder_ / "big", 99).error().kind, ErrorKind::kBadInput);
  EXPECT_TRUE(ReadFile(folder_ / "big", 100).ok());
}

TEST_F(FilesTest, LeavesNoTemporaryFileBehindWhenItFails) {
  fs::create_directories(folder_ / "taken" / "inside");
  const Status status = WriteFileAtomically(folder_ / "taken", "text");
  EXPECT_EQ(status.error().kind, ErrorKind::kEnvironment);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator{}), 1);
}

TEST_F(FilesTest, DevicesAreWrittenAsTheyStand) {
  fs::create_symlink("/dev/null", folder_ / "null");
  EXPECT_TRUE(WriteFileAtomically(folder_ / "null", "text").ok());
  EXPECT_TRUE(fs::is_symlink(folder_ / "null"));
  fs::create_symlink("/dev/full", folder_ / "full");
  EXPECT_EQ(WriteFileAtomically(folder_ / "full", "text").error().kind, ErrorKind::kEnvironment);
  EXPECT_TRUE(fs::is_symlink(folder_ / "full"));
}

TEST_F(FilesTest, AFullDiskIsAnEnvironmentError) {
  EXPECT_EQ(WriteFileAtomically("/proc/none/x", "text").error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::os
