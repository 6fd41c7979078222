#include "answer/trace_formats/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <iterator>
#include <string>
#include <utility>

#include "os/files.h"
#include "store/store_testing.h"

namespace xsp::trace_formats {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t FilesIn(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

TEST(OutputFile, IsThereWhenItIsComplete) {
  const store::TestFolder folder;
  const fs::path path = folder.path() / "trace";
  ASSERT_TRUE(os::WriteFileAtomically(path, "old").ok());
  auto file = OutputFile::Create(path);
  ASSERT_TRUE(file.ok()) << file.error().what;
  const std::string large(3 << 20, 'x');
  ASSERT_TRUE(file.value().Append("new ").ok());
  ASSERT_TRUE(file.value().Append(large).ok());
  EXPECT_EQ(os::ReadFile(path).value(), "old");
  EXPECT_EQ(file.value().bytes(), large.size() + 4);
  OutputFile moved = std::move(file).value();
  ASSERT_TRUE(moved.Commit().ok());
  EXPECT_EQ(os::ReadFile(path).value(), "new " + large);
  EXPECT_EQ(FilesIn(folder.path()), 1);
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const store::TestFolder folder;
  {
    auto file = OutputFile::Create(folder.path() / "trace");
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file.value().Append(std::string(2 << 20, 'x')).ok());
  }
  EXPECT_EQ(FilesIn(folder.path()), 0);
}

TEST(OutputFile, AFullDiskIsAnErrorThatLeavesNothing) {
  const store::TestFolder folder;
  const fs::path path = folder.path() / "trace";
  // Whatever is written to the staging file goes to a device that is always full.
  fs::create_symlink("/dev/full", path.string() + ".tmp-" + std::to_string(getpid()));
  {
    auto file = OutputFile::Create(path);
    ASSERT_TRUE(file.ok()) << file.error().what;
    const Status written = file.value().Append(std::string(2 << 20, 'x'));
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().kind, ErrorKind::kEnvironment);
    EXPECT_THAT(written.error().hint, testing::HasSubstr("space"));
    EXPECT_FALSE(file.value().Commit().ok());
  }
  EXPECT_EQ(FilesIn(folder.path()), 0);
}

TEST(OutputFile, DevicesAreWrittenAsTheyStand) {
  const store::TestFolder folder;
  fs::create_symlink("/dev/null", folder.path() / "null");
  {
    auto file = OutputFile::Create(folder.path() / "null");
    ASSERT_TRUE(file.ok()) << file.error().what;
    EXPECT_TRUE(file.value().Append("text").ok());
    EXPECT_TRUE(file.value().Commit().ok());
  }
  EXPECT_TRUE(fs::is_symlink(folder.path() / "null"));
}

TEST(OutputFile, NamesAFolderThatDoesNotExist) {
  const store::TestFolder folder;
  const auto file = OutputFile::Create(folder.path() / "none" / "trace");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(file.error().what, testing::HasSubstr("none"));
}

}  // namespace
}  // namespace xsp::trace_formats
