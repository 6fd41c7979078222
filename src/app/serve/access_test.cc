#include "app/serve/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "app/serve/secrets.h"

namespace xsp::serve {
namespace {

using nlohmann::json;
using std::chrono::hours;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kRightToken = "0123456789abcdef0123456789abcdef";
// scrypt with N = 4, so that tests are quick under sanitizers: of "right-horse", "other-staple".
const std::string kHashOfHorse =
    "scrypt$2$1$1$0102$e33442ce2d48d9be97fe9d8af6ee512f9599de1ef5073b5c6d09bcbe6c232e3f";
const std::string kHashOfStaple =
    "scrypt$2$1$1$0102$19e331ab0c3bee99235524b3ae0974cbc1d32c4db423d403994d325c5bd3ff45";

/// The time of Access in these tests.
std::atomic<Access::Clock::duration> clock_of_access;

class AccessTest : public testing::Test {
 protected:
  AccessTest() { clock_of_access = hours(1000); }

  static void Wait(Access::Clock::duration time) {
    clock_of_access = clock_of_access.load() + time;
  }

  static Access::Settings WithToken() {
    return {.token = kRightToken, .cookie_suffix = "-7077", .now = [] {
              return Access::Clock::time_point(clock_of_access.load());
            }};
  }
  static Access::Settings WithUsers() {
    Access::Settings settings = WithToken();
    settings.users = {{"anna", Role::kView, kHashOfHorse}, {"ben", Role::kMeasure, kHashOfStaple}};
    return settings;
  }

  static Request With(const std::string& header, const std::string& value) {
    Request request;
    request.headers[header] = value;
    return request;
  }
  static Request Bearing(const std::string& token) {
    return With("authorization", "Bearer " + token);
  }
  static Request WithCookie(const std::string& cookies) { return With("cookie", cookies); }

  /// "NAME=SECRET" of a header Set-Cookie.
  static std::string Pair(const std::string& set_cookie) {
    return set_cookie.substr(0, set_cookie.find(';'));
  }
  static json Fields(const std::string& user, const std::string& password) {
    return {{"user", user}, {"password", password}};
  }
  /// A session of the token.
  static std::string Begin(Access& access) {
    return Pair(access.LogIn({{"token", kRightToken}}).value().cookie);
  }
};

TEST_F(AccessTest, TakesTheTokenWhole) {
  const Access access(WithToken());
  const Identity identity = access.Identify(Bearing(kRightToken));
  EXPECT_EQ(identity.user, "token");
  EXPECT_EQ(identity.role, Role::kMeasure);
  const std::string wrong[] = {"",
                               " ",
                               kRightToken.substr(1),
                               kRightToken.substr(0, 31),
                               kRightToken + "0",
                               kRightToken + " ",
                               " " + kRightToken,
                               kRightToken + ", Bearer " + kRightToken,
                               std::string(kRightToken) + '\0',
                               std::string(1'000'000, '0')};
  for (const std::string& token : wrong) {
    const Identity nobody = access.Identify(Bearing(token));
    EXPECT_EQ(nobody.role, Role::kNone) << token.substr(0, 80);
    EXPECT_EQ(nobody.user, "");
  }
}

TEST_F(AccessTest, NobodyIsWhoSendsNothing) {
  const Access access(WithToken());
  EXPECT_EQ(access.Identify({}).role, Role::kNone);
  EXPECT_EQ(access.Identify(With("authorization", kRightToken)).role, Role::kNone);
  EXPECT_EQ(access.Identify(With("authorization", "Basic " + kRightToken)).role, Role::kNone);
  EXPECT_EQ(access.Identify(WithCookie("xsp-session-7077=" + kRightToken)).role, Role::kNone);
}

TEST_F(AccessTest, AnEmptyTokenAcceptsNothing) {
  Access::Settings settings = WithToken();
  settings.token.clear();
  Access access(settings);
  EXPECT_EQ(access.Identify(Bearing("")).role, Role::kNone);
  EXPECT_EQ(access.Identify(Bearing("x")).role, Role::kNone);
  EXPECT_EQ(access.LogIn({{"token", ""}}).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(access.LogIn({{"token", "x"}}).error().kind, ErrorKind::kNotPossible);
}

// A request that shows a token is not checked for its origin: it must not fall back to the cookie,
// which browsers send by themselves.
TEST_F(AccessTest, AWrongTokenIsNotSavedByACookie) {
  Access access(WithToken());
  Request request = WithCookie(Begin(access));
  EXPECT_FALSE(Access::HasBearer(request));
  request.headers["authorization"] = "Bearer wrong";
  EXPECT_TRUE(Access::HasBearer(request));
  EXPECT_EQ(access.Identify(request).role, Role::kNone);
}

TEST_F(AccessTest, ASessionIsFoundAmongOtherCookies) {
  Access access(WithToken());
  const std::string cookie = Begin(access);
  for (const std::string& cookies :
       {cookie, "a=b; " + cookie, cookie + "; a=b", "a=b;" + cookie + ";c=d", ";; ;  " + cookie,
        "xsp-session-707=x; xsp-session-70770=y; xsp-session=z; " + cookie})
    EXPECT_EQ(access.Identify(WithCookie(cookies)).role, Role::kMeasure) << cookies;
}

TEST_F(AccessTest, OtherCookiesAreNoSession) {
  Access access(WithToken());
  const std::string cookie = Begin(access);
  const std::string secret = cookie.substr(cookie.find('=') + 1);
  for (const std::string& cookies :
       {"xsp-session-7078=" + secret, "xsp-session=" + secret, "xsp-session-70770=" + secret,
        "x" + cookie, "a=" + cookie, std::string("xsp-session-7077="),
        std::string("xsp-session-7077"), cookie.substr(0, cookie.size() - 1), cookie + "0",
        "XSP-SESSION-7077=" + secret, secret})
    EXPECT_EQ(access.Identify(WithCookie(cookies)).role, Role::kNone) << cookies;
}

TEST_F(AccessTest, ScriptsAndOtherSitesDoNotGetTheCookie) {
  Access access(WithToken());
  const std::string cookie = access.LogIn({{"token", kRightToken}}).value().cookie;
  EXPECT_THAT(cookie, StartsWith("xsp-session-7077="));
  EXPECT_THAT(cookie, HasSubstr("; HttpOnly"));
  EXPECT_THAT(cookie, HasSubstr("; SameSite=Strict"));
  EXPECT_THAT(cookie, HasSubstr("; Max-Age=43200"));
  EXPECT_THAT(cookie, Not(HasSubstr("Secure")));
  EXPECT_THAT(cookie, Not(HasSubstr(kRightToken)));
  EXPECT_EQ(Pair(cookie).size(), std::string("xsp-session-7077=").size() + 64);
}

TEST_F(AccessTest, ACookieOfHttpsIsSecure) {
  Access::Settings settings = WithToken();
  settings.is_secure = true;
  Access access(settings);
  EXPECT_THAT(access.LogIn({{"token", kRightToken}}).value().cookie, HasSubstr("; Secure"));
  EXPECT_THAT(access.LogOut({}), HasSubstr("; Secure"));
}

TEST_F(AccessTest, ForgetsASessionAfterTwelveHours) {
  Access access(WithToken());
  const Request request = WithCookie(Begin(access));
  Wait(hours(12) - seconds(1));
  EXPECT_EQ(access.Identify(request).role, Role::kMeasure);
  Wait(seconds(1));
  EXPECT_EQ(access.Identify(request).role, Role::kNone);
  Begin(access);
  EXPECT_EQ(access.Identify(request).role, Role::kNone);
}

TEST_F(AccessTest, LogsOutOneSession) {
  Access access(WithToken());
  const std::string one = Begin(access), other = Begin(access);
  ASSERT_NE(one, other);
  const std::string removed = access.LogOut(WithCookie(one));
  EXPECT_THAT(removed, StartsWith("xsp-session-7077=;"));
  EXPECT_THAT(removed, HasSubstr("Max-Age=0"));
  EXPECT_EQ(access.Identify(WithCookie(one)).role, Role::kNone);
  EXPECT_EQ(access.Identify(WithCookie(other)).role, Role::kMeasure);
  access.LogOut({});
  access.LogOut(WithCookie("xsp-session-7077=unknown"));
  EXPECT_EQ(access.Identify(WithCookie(other)).role, Role::kMeasure);
}

TEST_F(AccessTest, NobodyHasMoreThanTheHighestRole) {
  Access::Settings settings = WithUsers();
  settings.highest = Role::kView;
  Access access(settings);
  EXPECT_EQ(access.Identify(Bearing(kRightToken)).role, Role::kView);
  const auto ben = access.LogIn(Fields("ben", "other-staple")).value();
  EXPECT_EQ(ben.identity.role, Role::kView);
  EXPECT_EQ(access.Identify(WithCookie(Pair(ben.cookie))).role, Role::kView);
  EXPECT_EQ(access.Identify(WithCookie(Begin(access))).role, Role::kView);
}

TEST_F(AccessTest, UsersHaveTheirRoles) {
  Access access(WithUsers());
  EXPECT_TRUE(access.has_users());
  const auto anna = access.LogIn(Fields("anna", "right-horse")).value();
  const auto ben = access.LogIn(Fields("ben", "other-staple")).value();
  EXPECT_EQ(access.Identify(WithCookie(Pair(anna.cookie))).user, "anna");
  EXPECT_EQ(access.Identify(WithCookie(Pair(anna.cookie))).role, Role::kView);
  EXPECT_EQ(access.Identify(WithCookie(Pair(ben.cookie))).user, "ben");
  EXPECT_EQ(access.Identify(WithCookie(Pair(ben.cookie))).role, Role::kMeasure);
}

TEST_F(AccessTest, ALogInNeedsItsFields) {
  Access access(WithUsers());
  for (const json& fields :
       {json(), json::array({"token"}), json("token"), json::object(), json{{"user", "anna"}},
        json{{"password", "right-horse"}}, json{{"token", 5}}, json{{"token", nullptr}},
        Fields("", "right-horse"), Fields("anna", ""),
        json{{"user", "anna"}, {"password", json::array({"right-horse"})}}}) {
    const auto logged_in = access.LogIn(fields);
    ASSERT_FALSE(logged_in.ok()) << fields;
    EXPECT_EQ(logged_in.error().kind, ErrorKind::kUsage) << fields;
  }
}

TEST_F(AccessTest, WithoutUsersOnlyTheTokenLogsIn) {
  Access access(WithToken());
  EXPECT_FALSE(access.has_users());
  EXPECT_EQ(access.LogIn(Fields("anna", "right-horse")).error().kind, ErrorKind::kNotPossible);
  EXPECT_EQ(access.LogIn({{"token", "wrong"}}).error().kind, ErrorKind::kNotPossible);
}

TEST_F(AccessTest, WrongPasswordsAreRefused) {
  Access access(WithUsers());
  for (const std::string& password :
       {std::string("right-hors"), std::string("right-horse "), std::string("Right-horse"),
        std::string("other-staple"), kHashOfHorse}) {
    EXPECT_EQ(access.LogIn(Fields("anna", password)).error().kind, ErrorKind::kNotPossible);
    Wait(seconds(61));
  }
  EXPECT_TRUE(access.LogIn(Fields("anna", "right-horse")).ok());
}

TEST_F(AccessTest, LongPasswordsAreComparedWhole) {
  Access::Settings settings = WithUsers();
  const std::string password(2000, 'p');
  settings.users.push_back({"carl", Role::kView, HashPassword(password).value()});
  Access access(settings);
  EXPECT_TRUE(access.LogIn(Fields("carl", password)).ok());
  EXPECT_FALSE(access.LogIn(Fields("carl", password.substr(0, 1024))).ok());
  Wait(seconds(2));
  EXPECT_FALSE(access.LogIn(Fields("carl", password.substr(1) + "x")).ok());
  EXPECT_FALSE(access.LogIn(Fields("anna", std::string(1 << 20, 'x'))).ok());
}

TEST_F(AccessTest, UnknownNamesAreToldFromWrongPasswordsByNothing) {
  Access access(WithUsers());
  const Error known = access.LogIn(Fields("anna", "wrong")).error();
  const Error unknown = access.LogIn(Fields("nobody", "wrong")).error();
  EXPECT_EQ(unknown.what, known.what);
  EXPECT_EQ(unknown.hint, known.hint);
  EXPECT_EQ(unknown.kind, known.kind);
  EXPECT_EQ(access.LogIn(Fields("nobody", "wrong")).error().what,
            access.LogIn(Fields("anna", "wrong")).error().what);
}

TEST_F(AccessTest, AnUnknownNameIsNotThePasswordsOwner) {
  Access access(WithUsers());
  EXPECT_FALSE(access.LogIn(Fields("nobody", "right-horse")).ok());
  EXPECT_FALSE(access.LogIn(Fields("Anna", "right-horse")).ok());
}

// That somebody's hash is computed shows where it cannot be.
TEST_F(AccessTest, AnUnknownNameCostsTheSameWork) {
  Access::Settings settings = WithToken();
  settings.users = {{"anna", Role::kView, "damaged"}};
  Access access(settings);
  EXPECT_EQ(access.LogIn(Fields("anna", "x")).error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(access.LogIn(Fields("nobody", "x")).error().kind, ErrorKind::kBadInput);
}

TEST_F(AccessTest, EachWrongLogInDelaysTheNextByASecondMore) {
  Access access(WithUsers());
  for (int i = 1; i <= 70; ++i) {
    const Error wrong = access.LogIn(Fields("anna", "wrong")).error();
    EXPECT_THAT(wrong.what, HasSubstr("wrong user or password")) << i;
    Wait(seconds(std::min(i, 60)) - std::chrono::milliseconds(1));
    const auto early = access.LogIn(Fields("anna", "right-horse"));
    ASSERT_FALSE(early.ok()) << i;
    EXPECT_EQ(early.error().kind, ErrorKind::kNotPossible);
    EXPECT_EQ(early.error().what, "too soon after a wrong log-in: wait 1 s") << i;
    Wait(std::chrono::milliseconds(1));
  }
  EXPECT_TRUE(access.LogIn(Fields("anna", "right-horse")).ok());
}

TEST_F(AccessTest, ARightLogInEndsTheDelays) {
  Access access(WithUsers());
  for (int i = 1; i <= 5; ++i) {
    EXPECT_FALSE(access.LogIn(Fields("anna", "wrong")).ok());
    Wait(seconds(i));
  }
  ASSERT_TRUE(access.LogIn(Fields("anna", "right-horse")).ok());
  EXPECT_FALSE(access.LogIn(Fields("anna", "wrong")).ok());
  Wait(seconds(1));
  EXPECT_TRUE(access.LogIn(Fields("anna", "right-horse")).ok());
}

TEST_F(AccessTest, WrongLogInsOfOneUserDelayNoOther) {
  Access access(WithUsers());
  EXPECT_FALSE(access.LogIn(Fields("anna", "wrong")).ok());
  EXPECT_FALSE(access.LogIn(Fields("nobody", "wrong")).ok());
  EXPECT_TRUE(access.LogIn(Fields("ben", "other-staple")).ok());
  EXPECT_TRUE(access.LogIn({{"token", kRightToken}}).ok());
  EXPECT_FALSE(access.LogIn(Fields("anna", "right-horse")).ok());
}

TEST_F(AccessTest, LongNamesOfNobodyAreRefusedLikeOthers) {
  Access access(WithUsers());
  const std::string name(1 << 20, 'n');
  EXPECT_THAT(access.LogIn(Fields(name, "x")).error().what, HasSubstr("wrong user"));
  EXPECT_THAT(access.LogIn(Fields(name, "x")).error().what, HasSubstr("too soon"));
  EXPECT_THAT(access.LogIn(Fields(name + "n", "x")).error().what, HasSubstr("wrong user"));
}

TEST_F(AccessTest, OfManyGuessesAtOnceOneIsLookedAt) {
  constexpr int kThreads = 16;
  Access access(WithUsers());
  std::latch start(kThreads);
  std::atomic<int> looked_at = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        const auto guess = access.LogIn(Fields("anna", "guess " + std::to_string(i)));
        EXPECT_FALSE(guess.ok());
        if (guess.error().what == "wrong user or password") ++looked_at;
      });
  }
  EXPECT_EQ(looked_at, 1);
}

TEST_F(AccessTest, SessionsBeginAndEndOnManyThreads) {
  Access access(WithUsers());
  std::latch start(8);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      const json fields = i % 2 == 0 ? Fields("anna", "right-horse") : json{{"token", kRightToken}};
      start.arrive_and_wait();
      for (int round = 0; round < 20; ++round) {
        const auto logged_in = access.LogIn(fields);
        ASSERT_TRUE(logged_in.ok());
        const Request request = WithCookie(Pair(logged_in.value().cookie));
        EXPECT_EQ(access.Identify(request).user, i % 2 == 0 ? "anna" : "token");
        access.LogOut(request);
        EXPECT_EQ(access.Identify(request).role, Role::kNone);
      }
    });
}

TEST_F(AccessTest, HasTenThousandSessionsAtMost) {
  Access access(WithToken());
  for (int i = 0; i < 9'999; ++i) ASSERT_TRUE(access.LogIn({{"token", kRightToken}}).ok());
  const std::string last = Begin(access);
  EXPECT_EQ(access.LogIn({{"token", kRightToken}}).error().kind, ErrorKind::kEnvironment);
  access.LogOut(WithCookie(last));
  EXPECT_TRUE(access.LogIn({{"token", kRightToken}}).ok());
  EXPECT_FALSE(access.LogIn({{"token", kRightToken}}).ok());
  Wait(hours(12));
  EXPECT_TRUE(access.LogIn({{"token", kRightToken}}).ok());
}

}  // namespace
}  // namespace xsp::serve
