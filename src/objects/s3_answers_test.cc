#include "objects/s3_answers.h"

#include <gtest/gtest.h>

#include <random>

namespace xsp::objects {
namespace {

const std::string kList =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>b</Name>"
    "<IsTruncated>true</IsTruncated><NextContinuationToken>t/=</NextContinuationToken>"
    "<Contents><Key>a%2Fb+c%C3%BC</Key><Size>12</Size><ETag>&quot;e&quot;</ETag></Contents>"
    "<CommonPrefixes><Prefix>d%2F</Prefix></CommonPrefixes></ListBucketResult>";

TEST(S3AnswersTest, APage) {
  const ListPage page = ReadListPage(kList).value();
  ASSERT_EQ(page.entries.size(), 1u);
  EXPECT_EQ(page.entries[0].key, "a/b c\xC3\xBC");
  EXPECT_EQ(page.entries[0].bytes, 12u);
  EXPECT_EQ(page.entries[0].etag, "\"e\"");
  EXPECT_EQ(page.prefixes, std::vector<std::string>{"d/"});
  EXPECT_EQ(page.next_token, "t/=");
}

TEST(S3AnswersTest, WhatIsNoneIsAnError) {
  for (const char* text : {"", "no xml", "<html></html>", "<ListBucketResult>",
                           "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
                           "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"})
    EXPECT_FALSE(ReadListPage(text).ok()) << text;
  EXPECT_FALSE(ReadUploadId("<a/>").ok());
  EXPECT_EQ(ReadProblem("<Error><Code>X</Code></Error>").code, "X");
  EXPECT_EQ(ReadProblem("nothing").code, "");
}

TEST(S3AnswersTest, SurvivesDamage) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string text = kList;
    for (std::uint64_t hit = 0; hit < 1 + random() % 5; ++hit)
      text[random() % text.size()] = static_cast<char>(random());
    if (random() % 3 == 0) text.resize(random() % text.size());
    (void)ReadListPage(text);
    (void)ReadProblem(text);
  }
}

}  // namespace
}  // namespace xsp::objects
