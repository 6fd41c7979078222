#include "app/serve/message.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/json_text.h"

namespace xsp::serve {
namespace {

using nlohmann::json;

TEST(Message, HeadersThatAreMissingAreEmpty) {
  Request request;
  request.headers["host"] = "localhost";
  EXPECT_EQ(request.Header("host"), "localhost");
  EXPECT_EQ(request.Header("origin"), "");
}

TEST(Message, OfAQueryTheFirstValueCounts) {
  Request request;
  request.query = {{"name", "a"}, {"name", "b"}};
  EXPECT_EQ(request.QueryValue("name"), "a");
  EXPECT_EQ(request.QueryValue("other"), "");
}

struct KindCase {
  ErrorKind kind;
  std::string_view name;
  int status;
};

TEST(Message, ErrorsHaveTheStatusOfTheirKind) {
  const KindCase cases[] = {{ErrorKind::kInternal, "internal", 500},
                            {ErrorKind::kUsage, "usage", 400},
                            {ErrorKind::kBadInput, "bad_input", 422},
                            {ErrorKind::kNotPossible, "not_possible", 501},
                            {ErrorKind::kEnvironment, "environment", 503},
                            {ErrorKind::kGate, "gate", 422},
                            {ErrorKind::kInconclusive, "inconclusive", 422},
                            {ErrorKind::kInterrupted, "interrupted", 503}};
  for (const KindCase& test : cases) {
    const Error error{.kind = test.kind, .what = "what", .hint = "hint", .field = "field"};
    const Reply reply = ErrorReply(error);
    EXPECT_EQ(reply.status, test.status) << test.name;
    EXPECT_EQ(reply.content_type, "application/json");
    const json document = core::ParseJson(reply.body);
    EXPECT_EQ(document["error"], ErrorJson(error));
    EXPECT_EQ(document["error"],
              (json{{"kind", test.name}, {"what", "what"}, {"hint", "hint"}, {"field", "field"}}));
  }
}

TEST(Message, ErrorsThatOnlyHttpHasLookTheSame) {
  const Reply reply = ErrorReply(404, "not_found", "what", "hint");
  EXPECT_EQ(reply.status, 404);
  EXPECT_EQ(core::ParseJson(reply.body)["error"],
            (json{{"kind", "not_found"}, {"what", "what"}, {"hint", "hint"}, {"field", ""}}));
}

// File names and outputs of programs may be of any bytes.
TEST(Message, InvalidUtf8IsReplaced) {
  const Reply reply = ErrorReply({ErrorKind::kBadInput, "no such file: \xff", ""});
  EXPECT_EQ(core::ParseJson(reply.body)["error"]["what"], "no such file: \xef\xbf\xbd");
}

TEST(Message, RolesAreOrderedAndNamed) {
  EXPECT_LT(Role::kNone, Role::kView);
  EXPECT_LT(Role::kView, Role::kMeasure);
  EXPECT_EQ(NameOf(Role::kNone), "none");
  EXPECT_EQ(NameOf(Role::kView), "view");
  EXPECT_EQ(NameOf(Role::kMeasure), "measure");
}

TEST(Message, NobodyMayDoAnything) { EXPECT_EQ(Request{}.identity.role, Role::kNone); }

}  // namespace
}  // namespace xsp::serve
