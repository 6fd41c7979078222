#include "objects/credentials.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "objects/profile_file.h"

namespace xsp::objects {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string InSeconds(std::int64_t seconds) {
  const std::time_t then = std::time(nullptr) + seconds;
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(then));
}

std::string KeysJson(const std::string& id, const char* token_name, std::int64_t seconds) {
  return fmt::format(
      R"({{"Version": 1, "AccessKeyId": "{}", "SecretAccessKey": "s", "{}": "t", "Expiration": "{}"}})",
      id, token_name, InSeconds(seconds));
}

/// No keys at all, until a test gives some.
class CredentialsTest : public testing::Test {
 protected:
  CredentialsTest() {
    for (const char* name :
         {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE",
          "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN", "AWS_REGION", "AWS_DEFAULT_REGION",
          "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
          "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AWS_ENDPOINT_URL"})
      unsetenv(name);
    setenv("HOME", home_.c_str(), 1);
    setenv("AWS_EC2_METADATA_DISABLED", "true", 1);
    fs::create_directories(home_ / ".aws");
  }
  ~CredentialsTest() override {
    if (!thread_.joinable()) return;
    server_.stop();
    thread_.join();
  }

  void Write(const std::string& name, const std::string& text) {
    std::ofstream(home_ / ".aws" / name) << text;
  }
  std::string Serve() {
    const int port = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    return fmt::format("http://127.0.0.1:{}", port);
  }

  const fs::path home_ =
      fs::temp_directory_path() / testing::UnitTest::GetInstance()->current_test_info()->name();
  CredentialSource source_{"eu-west-1"};
  httplib::Server server_;
  std::thread thread_;
};

TEST_F(CredentialsTest, WithoutAnyTheErrorSaysWhatToSet) {
  const auto keys = source_.Get();
  ASSERT_FALSE(keys.ok());
  EXPECT_EQ(keys.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(keys.error().hint, HasSubstr("AWS_ACCESS_KEY_ID"));
  EXPECT_EQ(DefaultRegion(), "us-east-1");
}

TEST_F(CredentialsTest, TheEnvironmentComesFirst) {
  Write("credentials", "[default]\naws_access_key_id = of-file\naws_secret_access_key = s\n");
  setenv("AWS_ACCESS_KEY_ID", "id", 1);
  setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
  EXPECT_EQ(source_.Get().value().key_id, "id");
  unsetenv("AWS_ACCESS_KEY_ID");
  EXPECT_EQ(source_.Get().value().key_id, "id");  // Kept.
  source_.Forget();
  EXPECT_EQ(source_.Get().value().key_id, "of-file");
}

TEST_F(CredentialsTest, ProfilesOfBothFiles) {
  Write("credentials",
        "# keys\n[default]\naws_access_key_id=a\naws_secret_access_key=b\n"
        "[team]\n aws_access_key_id = nested\n");
  Write("config",
        "[default]\nregion = eu-north-1\n[profile team]\nregion=ap-south-1\n"
        "aws_access_key_id = team-id\naws_secret_access_key = x\naws_session_token = y\n");
  EXPECT_EQ(source_.Get().value().key_id, "a");
  EXPECT_EQ(DefaultRegion(), "eu-north-1");
  setenv("AWS_PROFILE", "team", 1);
  source_.Forget();
  const Credentials keys = source_.Get().value();
  EXPECT_EQ(keys.key_id, "team-id");
  EXPECT_EQ(keys.session_token, "y");
  EXPECT_EQ(DefaultRegion(), "ap-south-1");
  setenv("AWS_PROFILE", "none", 1);
  source_.Forget();
  EXPECT_THAT(source_.Get().error().what, HasSubstr("the profile none"));
}

TEST_F(CredentialsTest, AProgramOfTheProfile) {
  Write("keys.json", KeysJson("made", "SessionToken", 3600));
  Write("config",
        fmt::format("[default]\ncredential_process = cat '{}/.aws/keys.json'\n", home_.string()));
  const Credentials keys = source_.Get().value();
  EXPECT_EQ(keys.key_id, "made");
  EXPECT_EQ(keys.session_token, "t");
  Write("config", "[default]\ncredential_process = exit 3\n");
  source_.Forget();
  EXPECT_THAT(source_.Get().error().what, HasSubstr("exit status 3"));
}

TEST_F(CredentialsTest, KeysThatAreAboutToExpireAreReadAgain) {
  Write("config",
        fmt::format("[default]\ncredential_process = cat '{}/.aws/keys.json'\n", home_.string()));
  Write("keys.json", KeysJson("first", "SessionToken", 60));
  EXPECT_EQ(source_.Get().value().key_id, "first");
  Write("keys.json", KeysJson("second", "SessionToken", 3600));
  EXPECT_EQ(source_.Get().value().key_id, "second");
  Write("keys.json", KeysJson("third", "SessionToken", 3600));
  EXPECT_EQ(source_.Get().value().key_id, "second");
}

TEST_F(CredentialsTest, OfAContainer) {
  server_.Get("/keys", [](const httplib::Request& request, httplib::Response& response) {
    if (request.get_header_value("Authorization") != "secret") response.status = 403;
    response.set_content(KeysJson("container", "Token", 3600), "application/json");
  });
  setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", (Serve() + "/keys").c_str(), 1);
  EXPECT_THAT(source_.Get().error().what, HasSubstr("403"));
  Write("token", "secret\n");
  setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", (home_ / ".aws/token").c_str(), 1);
  EXPECT_EQ(source_.Get().value().key_id, "container");
}

TEST_F(CredentialsTest, OfTheMachine) {
  const std::string roles = "/latest/meta-data/iam/security-credentials/";
  const auto has_token = [](const httplib::Request& request) {
    return request.get_header_value("X-aws-ec2-metadata-token") == "t0";
  };
  server_.Put("/latest/api/token", [](const httplib::Request&, httplib::Response& response) {
    response.set_content("t0", "text/plain");
  });
  server_.Get(roles, [&](const httplib::Request& request, httplib::Response& response) {
    if (!has_token(request)) response.status = 401;
    response.set_content("role", "text/plain");
  });
  server_.Get(roles + "role", [&](const httplib::Request& request, httplib::Response& response) {
    if (!has_token(request)) response.status = 401;
    response.set_content(KeysJson("machine", "Token", 3600), "application/json");
  });
  setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", Serve().c_str(), 1);
  setenv("AWS_EC2_METADATA_DISABLED", "false", 1);
  EXPECT_EQ(source_.Get().value().key_id, "machine");
}

TEST_F(CredentialsTest, OfAWebIdentity) {
  server_.Post("/", [](const httplib::Request& request, httplib::Response& response) {
    if (request.get_param_value("WebIdentityToken") != "a b") response.status = 400;
    response.set_content(
        "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
        "<AccessKeyId>web</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t"
        "</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials>"
        "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>",
        "text/xml");
  });
  Write("token", "a b\n");
  setenv("AWS_WEB_IDENTITY_TOKEN_FILE", (home_ / ".aws/token").c_str(), 1);
  setenv("AWS_ROLE_ARN", "arn:aws:iam::1:role/r", 1);
  setenv("AWS_ENDPOINT_URL_STS", Serve().c_str(), 1);
  EXPECT_EQ(source_.Get().value().key_id, "web");
  Write("token", "other");
  source_.Forget();
  EXPECT_THAT(source_.Get().error().what, HasSubstr("400"));
}

TEST(ProfileFileTest, ReadsItsSectionOnly) {
  const auto section = SectionOf("a=0\n[x]\n; no\n a = nested\nb = 1 = 2\r\n[ y ]\nb=3\n[x", "x");
  EXPECT_EQ(section, (std::map<std::string, std::string>{{"b", "1 = 2"}}));
  EXPECT_TRUE(SectionOf("", "x").empty());
  EXPECT_TRUE(SectionOf("[", "x").empty());
}

}  // namespace
}  // namespace xsp::objects
