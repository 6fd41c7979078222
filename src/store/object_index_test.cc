#include "store/object_index.h"

#include <gtest/gtest.h>

namespace xsp::store {
namespace {

TEST(ObjectIndexTest, IsReadAsItWasWritten) {
  const ObjectIndex index{.state = ObjectIndex::State::kPublished,
                          .writer = "w",
                          .time = "2026-11-27T00:00:00Z",
                          .summary = {{"model", "net"}},
                          .experiment = "{\"a\": \"\xC3\xBC\"}\n",
                          .files = {{"point.parquet", 5, "ab"}, {"r/run.json", 0, ""}}};
  const ObjectIndex read = ReadIndex(IndexText(index)).value();
  EXPECT_EQ(read.state, index.state);
  EXPECT_EQ(read.writer, index.writer);
  EXPECT_EQ(read.time, index.time);
  EXPECT_EQ(read.summary, index.summary);
  EXPECT_EQ(read.experiment, index.experiment);
  EXPECT_EQ(read.files, index.files);
  EXPECT_EQ(ReadIndex(IndexText({.state = ObjectIndex::State::kRemoving})).value().state,
            ObjectIndex::State::kRemoving);
}

std::string WithPath(const std::string& path) {
  return R"({"format_version": 1, "state": "published", "summary": {}, "experiment": "{}",)"
         R"( "files": [{"path": ")" +
         path + R"(", "bytes": 1, "sha256": ""}]})";
}

TEST(ObjectIndexTest, RefusesDamage) {
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string("{}"),
        std::string(R"({"format_version": 2, "state": "writing"})"),
        std::string(R"({"format_version": 1, "state": "lost"})"),
        std::string(R"({"format_version": 1, "state": "published"})"), WithPath(""),
        WithPath("../x"), WithPath("/x"), WithPath("a//b"), WithPath("a/../b"), WithPath("a/"),
        WithPath(".hidden"), WithPath("a\\u0000b")})
    EXPECT_FALSE(ReadIndex(text).ok()) << text;
  EXPECT_TRUE(ReadIndex(WithPath("a/b.parquet")).ok());
}

}  // namespace
}  // namespace xsp::store
