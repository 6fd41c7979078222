#include "objects/s3_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "core/hang_limit_testing.h"
#include "objects/s3_server_testing.h"

namespace xsp::objects {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using Answer = S3ServerForTests::Answer;

constexpr RetryTimes kQuick{
    .tries = 4, .first_wait = std::chrono::milliseconds(1), .timeout = core::kHangLimit};

class S3ClientTest : public testing::Test {
 protected:
  std::unique_ptr<S3Client> Client(const std::string& url = "s3://bucket/a b") {
    return S3Client::Open(ParseS3Address(url).value(), kQuick).value();
  }
  /// The next `count` requests of `method` are answered so.
  void Fail(const std::string& method, int count, Answer answer) {
    server_.fault = [=](const httplib::Request& request) mutable -> std::optional<Answer> {
      if (request.method != method || count == 0) return std::nullopt;
      --count;
      return answer;
    };
  }
  static std::string Content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  fs::path folder() const { return fs::temp_directory_path(); }

  S3ServerForTests server_;
};

TEST_F(S3ClientTest, WritesAndReads) {
  const auto client = Client();
  const auto etag = client->Put("x/ü+&.json", "text");
  ASSERT_TRUE(etag.ok()) << etag.error().what;
  EXPECT_EQ(server_.objects().begin()->first, "a b/x/ü+&.json");
  const auto text = client->Get("x/ü+&.json");
  ASSERT_TRUE(text.ok() && text.value().has_value());
  EXPECT_EQ(text.value()->text, "text");
  EXPECT_EQ(text.value()->etag, *etag.value());
  EXPECT_FALSE(client->Get("none").value().has_value());
  ASSERT_TRUE(client->Remove("x/ü+&.json").ok());
  ASSERT_TRUE(client->Remove("x/ü+&.json").ok());
  EXPECT_FALSE(client->Get("x/ü+&.json").value().has_value());
}

TEST_F(S3ClientTest, ConditionsAreTheServers) {
  const auto client = Client();
  const PutCondition is_new{PutCondition::Kind::kIsNew, {}};
  const std::string first = *client->Put("k", "1", is_new).value();
  EXPECT_FALSE(client->Put("k", "2", is_new).value().has_value());
  EXPECT_FALSE(client->Put("k", "2", {PutCondition::Kind::kIsStill, "\"x\""}).value().has_value());
  EXPECT_TRUE(client->Put("k", "2", {PutCondition::Kind::kIsStill, first}).value().has_value());
}

TEST_F(S3ClientTest, ListsRangesOfKeysThatJoinToAll) {
  server_.page = 4;
  for (int i = 0; i < 50; ++i) server_.Set(fmt::format("a b/i/{:02}", i), "1");
  server_.Set("a b/j", "1");
  const auto client = Client();
  const auto keys = [&](const KeyRange& range) {
    std::vector<std::string> all;
    const std::vector<ObjectInfo> objects = client->List("i/", range).value();
    for (const ObjectInfo& one : objects) all.push_back(one.key);
    return all;
  };
  for (const bool knows : {true, false}) {
    server_.knows_start_after = knows;
    const int before = server_.requests();
    EXPECT_THAT(keys({"i/05", "i/08"}), ElementsAre("i/06", "i/07", "i/08"));
    if (knows) {
      EXPECT_EQ(server_.requests(), before + 1);
    }
    EXPECT_THAT(keys({.until = "i/01"}), ElementsAre("i/00", "i/01"));
    EXPECT_THAT(keys({.after = "i/47"}), ElementsAre("i/48", "i/49"));
    EXPECT_THAT(keys({"i/47x", "i/47y"}), testing::IsEmpty());
    std::vector<std::string> joined;
    for (const KeyRange& range :
         {KeyRange{.until = "i/13"}, KeyRange{"i/13", "i/2"}, KeyRange{.after = "i/2"}})
      std::ranges::copy(keys(range), std::back_inserter(joined));
    EXPECT_EQ(joined, keys({}));
    EXPECT_EQ(joined.size(), 50u);
  }
}

TEST_F(S3ClientTest, ListsAllPages) {
  server_.page = 3;
  for (int i = 0; i < 10; ++i) server_.Set(fmt::format("a b/x{}/f", i), "1");
  for (int i = 0; i < 5; ++i) server_.Set(fmt::format("a b/f{}", i), "12");
  server_.Set("other/f", "1");
  const auto client = Client();
  EXPECT_EQ(client->List("").value().size(), 15u);
  EXPECT_EQ(client->List("x").value().size(), 10u);
  const ObjectLevel level = client->ListLevel("").value();
  EXPECT_EQ(level.objects.size(), 5u);
  EXPECT_EQ(level.objects[0].key, "f0");
  EXPECT_EQ(level.objects[0].bytes, 2u);
  EXPECT_EQ(level.folders.size(), 10u);
  EXPECT_THAT(client->ListLevel("x3/").value().folders, ElementsAre());
  EXPECT_EQ(Client("s3://bucket")->ListLevel("").value().folders.size(), 2u);
}

TEST_F(S3ClientTest, GoesToTheRegionThatTheServerNamesWithAllRequests) {
  server_.Set("a b/k", "1");
  server_.fault = [](const httplib::Request& request) -> std::optional<Answer> {
    const std::string signed_for = request.get_header_value("Authorization");
    if (signed_for.find("/eu-central-1/s3/") != std::string::npos) return std::nullopt;
    return Answer{301, "PermanentRedirect", "eu-central-1"};
  };
  for (int round = 0; round < 10; ++round) {
    const auto client = Client();
    std::atomic<int> found = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 6; ++i)
      threads.emplace_back([&] { found += client->Get("k").ok() ? 1 : 0; });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(found, 6);
  }
}

TEST_F(S3ClientTest, TriesAgainWhatMayPass) {
  const auto client = Client();
  for (const Answer& answer : {Answer{503, "SlowDown"}, Answer{500, "InternalError"},
                               Answer{429, ""}, Answer{400, "RequestTimeout"}, Answer{0, ""}}) {
    Fail("PUT", 3, answer);
    EXPECT_TRUE(client->Put("k", "text").ok()) << answer.code;
    Fail("PUT", 4, answer);
    const auto failed = client->Put("k", "text");
    ASSERT_FALSE(failed.ok()) << answer.code;
    EXPECT_EQ(failed.error().kind, ErrorKind::kEnvironment);
  }
}

TEST_F(S3ClientTest, OtherAnswersAreErrorsAtOnce) {
  const auto client = Client();
  const int before = server_.requests();
  Fail("PUT", 100, {403, "AccessDenied"});
  const auto denied = client->Put("k", "text");
  ASSERT_FALSE(denied.ok());
  EXPECT_EQ(denied.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(denied.error().what, HasSubstr("AccessDenied: of a test"));
  EXPECT_EQ(server_.requests(), before + 1);
  Fail("PUT", 100, {403, "RequestTimeTooSkewed"});
  EXPECT_THAT(client->Put("k", "text").error().hint, HasSubstr("clock"));
  const auto nowhere = Client("s3://elsewhere")->Get("k");
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().what, "no such bucket: elsewhere");
}

TEST_F(S3ClientTest, KeysThatExpiredAreReadAgainOnce) {
  const auto client = Client();
  Fail("GET", 1, {400, "ExpiredToken"});
  EXPECT_TRUE(client->Get("k").ok());
  Fail("GET", 2, {400, "ExpiredToken"});
  const auto expired = client->Get("k");
  ASSERT_FALSE(expired.ok());
  EXPECT_THAT(expired.error().hint, HasSubstr("have expired"));
}

TEST_F(S3ClientTest, ALostAnswerOfAConditionalWriteIsNoConflict) {
  const auto client = Client();
  // The object is written, and the answer is lost.
  server_.fault = [this](const httplib::Request& request) -> std::optional<Answer> {
    if (request.method != "PUT") return std::nullopt;
    server_.fault = nullptr;
    return Answer{0, ""};
  };
  server_.Set("a b/k", "mine");
  EXPECT_TRUE(client->Put("k", "mine", {PutCondition::Kind::kIsNew, {}}).value().has_value());
}

TEST_F(S3ClientTest, ATransferGoesOnWhereItBroke) {
  std::string bytes;
  for (int i = 0; i < 100'000; ++i) bytes += std::to_string(i);
  server_.Set("a b/k", bytes);
  server_.breaks = {100, 5000, 100'000};
  const fs::path file = folder() / "k";
  const auto got = Client()->GetFile("k", file);
  ASSERT_TRUE(got.ok()) << got.error().what;
  EXPECT_TRUE(got.value());
  EXPECT_EQ(Content(file), bytes);
  EXPECT_FALSE(Client()->GetFile("none", folder() / "none").value());
  EXPECT_FALSE(fs::exists(folder() / "none"));
}

TEST_F(S3ClientTest, AnObjectThatChangesMeanwhileIsReadFromItsBeginning) {
  server_.Set("a b/k", std::string(10'000, 'a'));
  server_.breaks = {100};
  int gets = 0;
  server_.fault = [&](const httplib::Request&) -> std::optional<Answer> {
    return ++gets == 2 ? std::optional(Answer{412, "PreconditionFailed"}) : std::nullopt;
  };
  const auto got = Client()->GetFile("k", folder() / "k");
  ASSERT_TRUE(got.ok()) << got.error().what;
  EXPECT_EQ(Content(folder() / "k"), std::string(10'000, 'a'));
}

TEST_F(S3ClientTest, LargeFilesGoInParts) {
  const fs::path file = folder() / "large";
  std::string bytes(40 << 20, 'x');
  for (std::size_t i = 0; i < bytes.size(); i += 4096) bytes[i] = static_cast<char>(i >> 12);
  std::ofstream(file, std::ios::binary) << bytes;
  int failures = 2;
  server_.fault = [&](const httplib::Request& request) -> std::optional<Answer> {
    const bool fails = request.has_param("partNumber") &&
                       request.get_param_value("partNumber") == "2" && failures-- > 0;
    return fails ? std::optional(Answer{503, "SlowDown"}) : std::nullopt;
  };
  const Status sent = Client()->PutFile("large", file, os::Sha256(bytes));
  ASSERT_TRUE(sent.ok()) << sent.error().what;
  EXPECT_EQ(server_.objects().at("a b/large").bytes, bytes);
}

}  // namespace
}  // namespace xsp::objects
