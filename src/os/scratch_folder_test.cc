#include "os/scratch_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

namespace xsp::os {
namespace {

namespace fs = std::filesystem;

/// As old as a folder that is abandoned.
void MakeOld(const fs::path& folder) {
  fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(25));
}

TEST(ScratchFolderTest, IsRemovedWithWhatItHolds) {
  std::optional<ScratchFolder> folder(ScratchFolder::Create().value());
  const fs::path path = folder->path();
  std::ofstream(path / "file") << "text";
  std::optional<ScratchFolder> moved(std::move(*folder));
  folder.reset();
  EXPECT_TRUE(fs::exists(path / "file"));
  moved.reset();
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolderTest, StaysWhereItIsKept) {
  fs::path path;
  {
    ScratchFolder folder = ScratchFolder::Create().value();
    path = folder.path();
    folder.Keep();
  }
  MakeOld(path);
  RemoveAbandonedFolders(path.parent_path());
  EXPECT_TRUE(fs::exists(path));
  fs::remove_all(path);
}

TEST(RemoveAbandonedFoldersTest, RemovesOldFoldersThatNoProcessHolds) {
  const ScratchFolder parent = ScratchFolder::Create().value();
  const auto make = [&](const char* name) {
    const fs::path folder = parent.path() / name;
    fs::create_directories(folder / "within");
    return folder;
  };
  const fs::path abandoned = make("xsp-run-abandoned"), young = make("xsp-run-young"),
                 kept = make("xsp-run-kept"), held = make("xsp-run-held"), other = make("other");
  std::ofstream(kept / ".kept");
  fs::create_directory_symlink(other, parent.path() / "xsp-run-link");
  for (const fs::path& folder : {abandoned, kept, held, other}) MakeOld(folder);
  const int lock = open(held.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  ASSERT_EQ(flock(lock, LOCK_EX), 0);
  RemoveAbandonedFolders(parent.path());
  EXPECT_FALSE(fs::exists(abandoned));
  for (const fs::path& folder : {young, kept, held, other})
    EXPECT_TRUE(fs::exists(folder / "within")) << folder;
  close(lock);  // Its process was killed.
  RemoveAbandonedFolders(parent.path());
  EXPECT_FALSE(fs::exists(held));
  EXPECT_TRUE(fs::exists(kept));
}

TEST(RemoveAbandonedFoldersTest, LeavesAFolderThatIsInUseForLong) {
  const ScratchFolder folder = ScratchFolder::Create().value();
  MakeOld(folder.path());
  RemoveAbandonedFolders(folder.path().parent_path());
  EXPECT_TRUE(fs::exists(folder.path()));
}

}  // namespace
}  // namespace xsp::os
