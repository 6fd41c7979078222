#include "ingest/importers/zip_members.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "ingest/importers/container_testing.h"

namespace xsp::importers {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class ZipMembersTest : public testing::Test {
 protected:
  ~ZipMembersTest() override { fs::remove(file_); }

  std::vector<std::string> Read(const std::string& bytes) {
    std::ofstream(file_, std::ios::binary) << bytes;
    return ZipMembers(file_);
  }

  const fs::path file_ = fs::path(testing::TempDir()) / "members.zip";
};

TEST_F(ZipMembersTest, NamesMembersInTheirOrder) {
  EXPECT_THAT(Read(Archive({"b.json", "a/"})), ElementsAre("b.json", "a/"));
  EXPECT_THAT(Read(Archive({"a"}, "a comment")), ElementsAre("a"));
  EXPECT_THAT(Read(Archive({"a"}, "PK\5\6 and a comment that begins like the end")),
              ElementsAre("a"));
  EXPECT_THAT(Read(Archive({})), IsEmpty());
}

TEST_F(ZipMembersTest, OtherFilesHaveNone) {
  EXPECT_THAT(Read(""), IsEmpty());
  EXPECT_THAT(Read("PK\3\4"), IsEmpty());
  EXPECT_THAT(Read(std::string(100, 'x')), IsEmpty());
  EXPECT_THAT(ZipMembers("no such file"), IsEmpty());
  EXPECT_THAT(ZipMembers(testing::TempDir()), IsEmpty());
}

TEST_F(ZipMembersTest, DamageCostsNamesOnly) {
  const std::string whole = Archive({"a.json", "b.json", "c.json"});
  EXPECT_THAT(Read(whole.substr(0, whole.size() - 1)), IsEmpty());
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = whole;
    for (int hit = 0; hit < 6; ++hit) bytes[random() % bytes.size()] = static_cast<char>(random());
    EXPECT_LE(Read(bytes).size(), 4096u);
  }
}

}  // namespace
}  // namespace xsp::importers
