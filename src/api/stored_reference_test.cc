#include "api/stored_reference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "store/store_testing.h"

namespace xsp::api {
namespace {

using testing::HasSubstr;

TEST(StoredReferenceTest, NamesOfExperimentsAndRunsAreStored) {
  for (const char* name :
       {"", "latest", "resnet50", "resnet50 on H100", "resnet50/run-1", "a..b",
        "resnet50#batch=8,backend=torch", "resnet50/run-1#point=2", "mine#model=org/bert"})
    EXPECT_TRUE(NamesStored(name)) << name;
}

TEST(StoredReferenceTest, PathsAreNot) {
  for (const char* path :
       {"/", "/etc", "/etc/passwd", "..", "../other", "a/..", "a/../b", "a/b/c", ".", "...", "./a",
        ".tmp-a", "a/", "#batch=8", "a#/../../etc", "a#b/..", "/store/a#batch=8", "../a#batch=8"})
    EXPECT_FALSE(NamesStored(path)) << path;
}

TEST(StoredReferenceTest, ControlCharactersAreNot) {
  EXPECT_FALSE(NamesStored("a\nb"));
  EXPECT_FALSE(NamesStored("a\x1b[31m"));
  EXPECT_FALSE(NamesStored(std::string("a\0b", 3)));
  EXPECT_FALSE(NamesStored("a\x7f"));
  EXPECT_TRUE(NamesStored("größer"));
}

class CheckStoredTest : public testing::Test {
 protected:
  CheckStoredTest() {
    std::filesystem::create_directories(store_ / "resnet50" / "run-1");
    std::filesystem::create_directories(folder_.path() / "outside");
  }

  store::TestFolder folder_;
  std::filesystem::path store_ = folder_.path() / "store";
};

TEST_F(CheckStoredTest, WhatIsInTheStoreIsFound) {
  for (const char* name : {"", "latest", "resnet50", "resnet50/run-1", "resnet50#batch=8"})
    EXPECT_TRUE(CheckStored(store_, name).ok()) << name;
}

TEST_F(CheckStoredTest, AFolderOutsideIsNotFound) {
  EXPECT_EQ(CheckStored(store_, "outside").error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(CheckStored(store_, "../outside").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(CheckStored(store_, (folder_.path() / "outside").string()).error().kind,
            ErrorKind::kUsage);
}

TEST_F(CheckStoredTest, TheNearestNamesAreProposed) {
  EXPECT_THAT(CheckStored(store_, "resnet5").error().hint, HasSubstr("resnet50"));
  EXPECT_EQ(CheckStored(folder_.path() / "none", "resnet5").error().hint, "The store is empty.");
}

}  // namespace
}  // namespace xsp::api
