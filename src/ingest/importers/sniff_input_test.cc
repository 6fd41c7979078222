#include "ingest/importers/sniff_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "ingest/importers/container_testing.h"
#include "ingest/importers/zip_members.h"

namespace xsp::importers {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(SniffInputTest, ReadsAListOnceAndOnlyOfAFileThatMayHaveIt) {
  const fs::path file = fs::path(testing::TempDir()) / "one.zip";
  std::ofstream(file, std::ios::binary) << Archive({"m"});
  const SniffInput input(kZipMagic, file);
  EXPECT_EQ(input.file_name(), "one.zip");
  EXPECT_THAT(input.members(), ElementsAre("m"));
  EXPECT_THAT(input.tables(), IsEmpty());
  const SniffInput other("{}", file);
  EXPECT_THAT(other.members(), IsEmpty());
  fs::remove(file);
  EXPECT_THAT(input.members(), ElementsAre("m")) << "not read again";
  EXPECT_THAT(SniffInput(kZipMagic).members(), IsEmpty());
}

}  // namespace
}  // namespace xsp::importers
