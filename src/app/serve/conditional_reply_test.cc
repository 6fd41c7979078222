#include "app/serve/conditional_reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace xsp::serve {
namespace {

using testing::Contains;
using testing::Pair;

StoredAnswer SomeAnswer() {
  StoredAnswer answer;
  answer.reply = {.body = "the body", .headers = {{"X-Total-Count", "3"}}};
  answer.compressed = "compressed";
  answer.etag = "\"0123abcd\"";
  return answer;
}

Reply ReplyTo(const std::string& header, const std::string& value) {
  Request request;
  request.headers[header] = value;
  return ConditionalReply(request, SomeAnswer());
}

TEST(ConditionalReply, HasTheBodyAndItsTag) {
  const Reply reply = ConditionalReply({}, SomeAnswer());
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "the body");
  EXPECT_EQ(reply.content_type, "application/json");
  EXPECT_FALSE(reply.is_compressed);
  EXPECT_THAT(reply.headers, Contains(Pair("ETag", "\"0123abcd\"")));
  EXPECT_THAT(reply.headers, Contains(Pair("X-Total-Count", "3")));
  EXPECT_THAT(reply.headers, Contains(Pair("Vary", "Accept-Encoding")));
}

// No proxy may give one user's answer to another.
TEST(ConditionalReply, IsStoredByItsBrowserOnly) {
  const auto header = Contains(Pair("Cache-Control", "private, no-cache"));
  EXPECT_THAT(ConditionalReply({}, SomeAnswer()).headers, header);
  EXPECT_THAT(ReplyTo("if-none-match", "*").headers, header);
}

TEST(ConditionalReply, HasNoBodyWhereTheTagIsKnown) {
  for (const std::string tags : {"\"0123abcd\"", "W/\"0123abcd\"", "\"x\", \"0123abcd\"", "*"}) {
    const Reply reply = ReplyTo("if-none-match", tags);
    EXPECT_EQ(reply.status, 304) << tags;
    EXPECT_EQ(reply.body, "") << tags;
    EXPECT_EQ(reply.content_type, "") << tags;
    EXPECT_FALSE(reply.is_compressed) << tags;
    EXPECT_THAT(reply.headers, Contains(Pair("ETag", "\"0123abcd\"")));
  }
  for (const std::string tags : {"", "0123abcd", "\"0123abc\"", "\"x0123abcd\"", "\"0123abcdx\""})
    EXPECT_EQ(ReplyTo("if-none-match", tags).status, 200) << tags;
}

TEST(ConditionalReply, IsCompressedForWhoTakesGzip) {
  for (const std::string codings :
       {"gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.5", "deflate;q=0,gzip", "gzip;q=0.001",
        "gzip;q=1", "gzip,br;q=0"}) {
    EXPECT_TRUE(ReplyTo("accept-encoding", codings).is_compressed) << codings;
    EXPECT_EQ(ReplyTo("accept-encoding", codings).body, "compressed") << codings;
  }
  for (const std::string codings : {"", "identity", "br", "gzip;q=0", "gzip; q=0", "gzip;q=0.0",
                                    "gzip;q=0.000, br", "br, gzip;q=0"}) {
    EXPECT_FALSE(ReplyTo("accept-encoding", codings).is_compressed) << codings;
    EXPECT_EQ(ReplyTo("accept-encoding", codings).body, "the body") << codings;
  }
}

TEST(ConditionalReply, IsNotCompressedWhereThatIsNotWorthIt) {
  Request request;
  request.headers["accept-encoding"] = "gzip";
  StoredAnswer answer = SomeAnswer();
  answer.compressed.clear();
  EXPECT_FALSE(ConditionalReply(request, answer).is_compressed);
  EXPECT_EQ(ConditionalReply(request, answer).body, "the body");
}

}  // namespace
}  // namespace xsp::serve
