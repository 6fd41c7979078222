#include "objects/credentials.h"

#include <fmt/format.h>
#include <time.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/json_text.h"
#include "objects/http_exchange.h"
#include "objects/profile_file.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/subprocess.h"

namespace xsp::objects {
namespace {

using nlohmann::json;
using std::chrono::system_clock;

constexpr std::chrono::seconds kRenewBefore{300};
constexpr std::chrono::milliseconds kNearby{1000};  // An address of the machine's own network.
constexpr std::chrono::milliseconds kFar{10'000};

/// Of "2026-11-27T18:00:00Z".
std::optional<system_clock::time_point> TimeOf(const std::string& text) {
  struct tm date = {};
  if (strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &date) == nullptr) return std::nullopt;
  return system_clock::from_time_t(timegm(&date));
}

Error Refused(std::string_view source, std::string_view why) {
  return {ErrorKind::kEnvironment, fmt::format("no keys from {}: {}", source, why),
          "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY come before all other means."};
}

/// Keys as containers, instances and `credential_process` give them.
Result<Credentials> FromJson(std::string_view text, std::string source, const char* token_name) {
  const json object = core::ParseJson(text);
  const auto text_of = [&](const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!object.is_object()) return Refused(source, "the answer is no JSON object");
  Credentials keys{text_of("AccessKeyId"), text_of("SecretAccessKey"), text_of(token_name),
                   TimeOf(text_of("Expiration")), source};
  if (keys.key_id.empty() || keys.secret.empty()) {
    const std::string why = text_of("Message");
    return Refused(source, why.empty() ? "the answer has none" : why);
  }
  return keys;
}

std::optional<Credentials> FromEnvironment() {
  const auto id = os::Environment("AWS_ACCESS_KEY_ID");
  const auto secret = os::Environment("AWS_SECRET_ACCESS_KEY");
  if (!id || !secret) return std::nullopt;
  return Credentials{
      *id, *secret, os::Environment("AWS_SESSION_TOKEN").value_or(""), {}, "AWS_ACCESS_KEY_ID"};
}

Result<Credentials> FromWebIdentity(const std::string& token_file, const std::string& role,
                                    const std::string& region) {
  const std::string source = "AWS_WEB_IDENTITY_TOKEN_FILE";
  const auto token = os::ReadFile(token_file, 1 << 20);
  if (!token.ok()) return Refused(source, token.error().what);
  const std::string server =
      os::Environment("AWS_ENDPOINT_URL_STS")
          .value_or(os::Environment("AWS_ENDPOINT_URL")
                        .value_or("https://sts." + region + ".amazonaws.com"));
  const Query query = {
      {"Action", "AssumeRoleWithWebIdentity"},
      {"Version", "2011-06-15"},
      {"RoleArn", role},
      {"RoleSessionName", os::Environment("AWS_ROLE_SESSION_NAME").value_or("xsp")},
      {"WebIdentityToken", token.value().substr(0, token.value().find_last_not_of("\r\n") + 1)}};
  XSP_TRY(const HttpAnswer answer,
          Exchange("POST", fmt::format("{}/?{}", server, EncodeQuery(query)), {}, kFar));
  if (answer.status != 200) return Refused(source, fmt::format("HTTP status {}", answer.status));
  boost::property_tree::ptree tree;
  try {
    std::istringstream stream(answer.body);
    boost::property_tree::read_xml(stream, tree);
  } catch (const boost::property_tree::xml_parser_error& error) {
    return Refused(source, error.message());
  }
  const std::string path =
      "AssumeRoleWithWebIdentityResponse.AssumeRoleWithWebIdentityResult.Credentials.";
  const auto value = [&](const char* name) { return tree.get<std::string>(path + name, ""); };
  Credentials keys{value("AccessKeyId"), value("SecretAccessKey"), value("SessionToken"),
                   TimeOf(value("Expiration")), source};
  if (keys.key_id.empty() || keys.secret.empty()) return Refused(source, "the answer has none");
  return keys;
}

/// Nothing: the profile has no keys.
Result<std::optional<Credentials>> FromProfile() {
  const std::map<std::string, std::string> profile = ReadProfile();
  const auto value = [&](const char* name) {
    const auto found = profile.find(name);
    return found != profile.end() ? found->second : std::string();
  };
  const std::string name = os::Environment("AWS_PROFILE").value_or("default");
  const std::string source = fmt::format("the profile {}", name);
  if (!value("aws_access_key_id").empty() && !value("aws_secret_access_key").empty())
    return std::optional(Credentials{value("aws_access_key_id"),
                                     value("aws_secret_access_key"),
                                     value("aws_session_token"),
                                     {},
                                     source});
  if (const std::string command = value("credential_process"); !command.empty()) {
    os::SpawnOptions process;
    process.argv = {"/bin/sh", "-c", command};
    XSP_TRY(const os::Completed completed, os::RunToEnd(process, std::chrono::seconds(60)));
    if (!completed.exit.success())
      return Refused(
          source, fmt::format("credential_process: {}: {}", os::ToString(completed.exit), command));
    XSP_TRY(Credentials keys, FromJson(completed.out, source, "SessionToken"));
    return std::optional(std::move(keys));
  }
  // A profile that somebody named is meant.
  if (os::Environment("AWS_PROFILE") && profile.empty())
    return Refused(source, "there is no such profile");
  return std::optional<Credentials>();
}

Result<Credentials> FromContainer(const std::string& url) {
  std::map<std::string, std::string> headers;
  if (const auto token = os::Environment("AWS_CONTAINER_AUTHORIZATION_TOKEN"))
    headers["Authorization"] = *token;
  if (const auto file = os::Environment("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")) {
    XSP_TRY(std::string token, os::ReadFile(*file, 1 << 20));
    headers["Authorization"] = token.substr(0, token.find_last_not_of("\r\n") + 1);
  }
  XSP_TRY(const HttpAnswer answer, Exchange("GET", url, headers, kFar));
  if (answer.status != 200)
    return Refused("the container", fmt::format("HTTP status {}", answer.status));
  return FromJson(answer.body, "the container", "Token");
}

/// Nothing: this is no such machine, or it has no role.
std::optional<Credentials> FromInstance() {
  if (os::Environment("AWS_EC2_METADATA_DISABLED") == "true") return std::nullopt;
  const std::string server =
      os::Environment("AWS_EC2_METADATA_SERVICE_ENDPOINT").value_or("http://169.254.169.254");
  const auto token = Exchange("PUT", server + "/latest/api/token",
                              {{"X-aws-ec2-metadata-token-ttl-seconds", "300"}}, kNearby);
  if (!token.ok() || token.value().status != 200) return std::nullopt;
  const std::map<std::string, std::string> headers = {
      {"X-aws-ec2-metadata-token", token.value().body}};
  const std::string roles = server + "/latest/meta-data/iam/security-credentials/";
  const auto role = Exchange("GET", roles, headers, kNearby);
  if (!role.ok() || role.value().status != 200) return std::nullopt;
  const std::string name = role.value().body.substr(0, role.value().body.find('\n'));
  const auto keys = Exchange("GET", roles + EncodePart(name), headers, kNearby);
  if (!keys.ok() || keys.value().status != 200) return std::nullopt;
  const auto found = FromJson(keys.value().body, "the role " + name, "Token");
  return found.ok() ? std::optional(found.value()) : std::nullopt;
}

}  // namespace

Result<Credentials> CredentialSource::Find() const {
  if (auto keys = FromEnvironment()) return *keys;
  const auto token_file = os::Environment("AWS_WEB_IDENTITY_TOKEN_FILE");
  const auto role = os::Environment("AWS_ROLE_ARN");
  if (token_file && role) return FromWebIdentity(*token_file, *role, region_);
  XSP_TRY(const std::optional<Credentials> of_profile, FromProfile());
  if (of_profile) return *of_profile;
  if (const auto path = os::Environment("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"))
    return FromContainer("http://169.254.170.2" + *path);
  if (const auto url = os::Environment("AWS_CONTAINER_CREDENTIALS_FULL_URI"))
    return FromContainer(*url);
  if (auto keys = FromInstance()) return *keys;
  return Error{ErrorKind::kNotPossible, "no keys for object storage",
               "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE for a profile of "
               "~/.aws/credentials; a container's and a machine's role are found, too."};
}

Result<Credentials> CredentialSource::Get() {
  const std::lock_guard lock(mutex_);
  const bool is_known =
      known_ && (!known_->expires || system_clock::now() + kRenewBefore < *known_->expires);
  if (!is_known) {
    XSP_TRY(known_, Find());
  }
  return *known_;
}

void CredentialSource::Forget() {
  const std::lock_guard lock(mutex_);
  known_.reset();
}

std::string DefaultRegion() {
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"})
    if (auto region = os::Environment(name)) return *region;
  const std::map<std::string, std::string> profile = ReadProfile();
  const auto found = profile.find("region");
  return found != profile.end() && !found->second.empty() ? found->second : "us-east-1";
}

}  // namespace xsp::objects
