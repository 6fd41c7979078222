#include "objects/s3_address.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace xsp::objects {
namespace {

TEST(S3AddressTest, BucketAndPrefix) {
  const auto address = ParseS3Address("s3://team-profiles/xsp/gpu/");
  ASSERT_TRUE(address.ok());
  EXPECT_EQ(address.value().bucket, "team-profiles");
  EXPECT_EQ(address.value().prefix, "xsp/gpu/");
  EXPECT_EQ(address.value().url(), "s3://team-profiles/xsp/gpu");
  EXPECT_EQ(ParseS3Address("s3://bucket").value().prefix, "");
  EXPECT_EQ(ParseS3Address("s3://bucket/").value().url(), "s3://bucket");
}

TEST(S3AddressTest, RefusesWhatNamesNoPlace) {
  for (const char* text :
       {"s3:", "s3:/bucket", "s3://", "s3:///prefix", "s3://ab", "s3://Bucket", "s3://bucket//a",
        "s3://bucket/../a", "s3://bucket/a/./b", "s3://bucket/a\nb", "s3://-bucket"}) {
    const auto address = ParseS3Address(text);
    ASSERT_FALSE(address.ok()) << text;
    EXPECT_EQ(address.error().kind, ErrorKind::kUsage);
  }
}

class S3ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("AWS_ENDPOINT_URL");
    unsetenv("AWS_ENDPOINT_URL_S3");
  }
};

TEST_F(S3ServerTest, AmazonNamesTheBucketInTheHost) {
  const S3Server server = ServerOf("bucket", "eu-west-1").value();
  EXPECT_EQ(server.host, "bucket.s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(server.path, "/");
  const S3Server dotted = ServerOf("a.bucket", "eu-west-1").value();
  EXPECT_EQ(dotted.host, "s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(dotted.path, "/a.bucket/");
}

TEST_F(S3ServerTest, OthersNameItInThePath) {
  setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9000/", 1);
  const S3Server server = ServerOf("bucket", "r").value();
  EXPECT_FALSE(server.is_https);
  EXPECT_EQ(server.host, "127.0.0.1");
  EXPECT_EQ(server.port, 9000);
  EXPECT_EQ(server.host_header, "127.0.0.1:9000");
  EXPECT_EQ(server.path, "/bucket/");
  setenv("AWS_ENDPOINT_URL_S3", "https://[::1]:9443/base", 1);
  const S3Server other = ServerOf("bucket", "r").value();
  EXPECT_TRUE(other.is_https);
  EXPECT_EQ(other.host, "::1");
  EXPECT_EQ(other.host_header, "[::1]:9443");
  EXPECT_EQ(other.path, "/base/bucket/");
}

TEST_F(S3ServerTest, RefusesWhatIsNoUrl) {
  for (const char* text :
       {"127.0.0.1:9000", "ftp://host", "http://", "http://host:x", "http://host:70000"}) {
    setenv("AWS_ENDPOINT_URL", text, 1);
    EXPECT_FALSE(ServerOf("bucket", "r").ok()) << text;
  }
}

}  // namespace
}  // namespace xsp::objects
