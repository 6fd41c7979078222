#include "objects/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "os/sha256.h"

namespace xsp::objects {
namespace {

using testing::EndsWith;

// The examples of "Authenticating Requests: Using the Authorization Header" in Amazon's S3
// reference: keys, time and signatures are theirs.
const Credentials kExampleKey{
    "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "", {}, ""};
constexpr auto kExampleTime =
    std::chrono::system_clock::time_point(std::chrono::seconds(1369353600));  // 2013-05-24

std::string SignatureOf(SignedRequest request) {
  request.headers["host"] = "examplebucket.s3.amazonaws.com";
  return SignatureHeaders(request, kExampleKey, "us-east-1", "s3", kExampleTime)
      .at("authorization");
}

TEST(SignatureTest, GetOfARange) {
  EXPECT_THAT(
      SignatureOf({"GET", EncodePath("/test.txt"), {}, {{"range", "bytes=0-9"}}, os::Sha256("")}),
      EndsWith("SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature="
               "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"));
}

TEST(SignatureTest, PutOfAnEncodedName) {
  EXPECT_THAT(SignatureOf({"PUT",
                           EncodePath("/test$file.text"),
                           {},
                           {{"date", "Fri, 24 May 2013 00:00:00 GMT"},
                            {"x-amz-storage-class", "REDUCED_REDUNDANCY"}},
                           os::Sha256("Welcome to Amazon S3.")}),
              EndsWith("98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"));
}

TEST(SignatureTest, QueriesAreSorted) {
  EXPECT_THAT(SignatureOf({"GET", "/", {{"prefix", "J"}, {"max-keys", "2"}}, {}, os::Sha256("")}),
              EndsWith("34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"));
  EXPECT_THAT(SignatureOf({"GET", "/", {{"lifecycle", ""}}, {}, os::Sha256("")}),
              EndsWith("fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"));
}

TEST(SignatureTest, TemporaryKeysSendTheirToken) {
  Credentials temporary = kExampleKey;
  temporary.session_token = "token";
  const auto headers = SignatureHeaders({"GET", "/", {}, {{"host", "h"}}, os::Sha256("")},
                                        temporary, "r", "s3", kExampleTime);
  EXPECT_EQ(headers.at("x-amz-security-token"), "token");
  EXPECT_THAT(headers.at("authorization"), testing::HasSubstr(";x-amz-security-token,"));
}

TEST(SignatureTest, EncodesWhatIsNotPlain) {
  EXPECT_EQ(EncodePath("/a b/ü+~"), "/a%20b/%C3%BC%2B~");
  EXPECT_EQ(EncodePart("a/b=c"), "a%2Fb%3Dc");
  EXPECT_EQ(EncodeQuery({{"b", "2 3"}, {"a", ""}}), "a=&b=2%203");
}

}  // namespace
}  // namespace xsp::objects
