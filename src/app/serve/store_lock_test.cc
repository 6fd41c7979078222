#include "app/serve/store_lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "store/store_testing.h"

namespace xsp::serve {
namespace {

TEST(StoreLock, IsHeldByOne) {
  const store::TestFolder folder;
  const std::filesystem::path place = folder.path() / "a" / "b";
  std::optional<StoreLock> first(StoreLock::Take(place).value());
  const auto second = StoreLock::Take(place);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(second.error().what, testing::HasSubstr("another server"));
  first.reset();
  EXPECT_TRUE(StoreLock::Take(place).ok());
}

TEST(StoreLock, IsHeldWhereItWasMoved) {
  const store::TestFolder folder;
  std::optional<StoreLock> first(StoreLock::Take(folder.path()).value());
  {
    const StoreLock moved(std::move(*first));
    first.reset();
    EXPECT_FALSE(StoreLock::Take(folder.path()).ok());
  }
  EXPECT_TRUE(StoreLock::Take(folder.path()).ok());
}

TEST(StoreLock, StoresHaveOneEach) {
  const store::TestFolder one, other;
  const auto first = StoreLock::Take(one.path()), second = StoreLock::Take(other.path());
  EXPECT_TRUE(first.ok());
  EXPECT_TRUE(second.ok());
}

TEST(StoreLock, OfAFolderThatCannotBeMadeIsAnError) {
  const store::TestFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  const auto lock = StoreLock::Take(folder.path() / "file" / "below");
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::serve
