#include "app/serve/json_body.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace xsp::serve {
namespace {

using nlohmann::json;

Result<json> BodyIn(const std::string& body, const std::string& type = "application/json") {
  Request request;
  request.headers["content-type"] = type;
  request.body = body;
  return JsonBody(request);
}

std::string Nested(std::size_t depth) {
  return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
}

TEST(JsonBody, IsAnObject) {
  EXPECT_EQ(BodyIn(R"({"a": [1, "x"]})").value(), (json{{"a", json::array({1, "x"})}}));
  EXPECT_TRUE(BodyIn("{}", "application/json; charset=utf-8").ok());
  EXPECT_EQ(JsonBody({}).value(), json::object());
}

TEST(JsonBody, OfWhatFormsCanSendIsRefused) {
  for (const std::string type :
       {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
        "text/plain; application/json", "text/plain, application/json", " application/json"}) {
    const auto body = BodyIn("{}", type);
    ASSERT_FALSE(body.ok()) << type;
    EXPECT_EQ(body.error().kind, ErrorKind::kUsage) << type;
  }
}

TEST(JsonBody, ThatIsNoObjectIsRefused) {
  for (const std::string text : {" ",
                                 "null",
                                 "1",
                                 "[]",
                                 "[{}]",
                                 "\"{}\"",
                                 "{",
                                 "}",
                                 "{}{}",
                                 "{} x",
                                 "{a: 1}",
                                 "{'a': 1}",
                                 "{\"a\": 1,}",
                                 "{\"a\": NaN}",
                                 "{\"a\": 1e400}",
                                 "{\"a\": \"\\x\"}",
                                 "{\"a\": \"\\ud800\"}",
                                 "{\"a\": \"\xff\"}",
                                 "{\"a\": \"\xc0\xaf\"}",
                                 "{\"a\": \"\xed\xa0\x80\"}",
                                 "{\"\xff\": 1}",
                                 "{\"a\": \"\n\"}",
                                 "{\"a\": \"",
                                 "{\"a\": \"\\",
                                 "{} // comment"}) {
    const auto body = BodyIn(text);
    ASSERT_FALSE(body.ok()) << text;
    EXPECT_EQ(body.error().kind, ErrorKind::kBadInput) << text;
  }
  EXPECT_FALSE(BodyIn(std::string("{\0}", 3)).ok());
}

TEST(JsonBody, NestedTooDeepIsRefused) {
  EXPECT_TRUE(BodyIn(Nested(64)).ok());
  EXPECT_FALSE(BodyIn(Nested(65)).ok());
  std::string objects;
  for (int i = 0; i < 65; ++i) objects += "{\"a\":";
  EXPECT_FALSE(BodyIn(objects + "1" + std::string(65, '}')).ok());
}

TEST(JsonBody, AHundredThousandBracketsAreRefused) {
  const std::string open(100'000, '['), close(100'000, ']');
  EXPECT_FALSE(BodyIn(open).ok());
  EXPECT_FALSE(BodyIn(close).ok());
  EXPECT_FALSE(BodyIn("{\"a\":" + open + close + "}").ok());
  EXPECT_FALSE(BodyIn(close + open).ok());
  // A text that seems to hold them, but ended before.
  EXPECT_FALSE(BodyIn("{\"a\\\\\":" + open + close + "}").ok());
  EXPECT_FALSE(BodyIn("{\"a\\\"\":" + open + close + "}").ok());
}

TEST(JsonBody, BracketsWithinTextsDoNotCount) {
  const std::string open(1000, '[');
  EXPECT_EQ(BodyIn("{\"a\": \"" + open + "\"}").value()["a"], open);
  EXPECT_EQ(BodyIn("{\"a\": \"\\\"" + open + "\"}").value()["a"], "\"" + open);
  EXPECT_EQ(BodyIn("{\"a\": \"\\\\\", \"b\": \"" + open + "\"}").value()["b"], open);
}

TEST(JsonBody, BesideEachOtherIsNotNested) {
  std::string many = "{\"a\": [[]";
  for (int i = 0; i < 1000; ++i) many += ",[{}]";
  EXPECT_TRUE(BodyIn(many + "]}").ok());
}

}  // namespace
}  // namespace xsp::serve
