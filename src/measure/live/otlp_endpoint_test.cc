#include "measure/live/otlp_endpoint.h"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace xsp::live {
namespace {

using Environment = std::map<std::string, std::string>;

Variables Of(Environment environment) {
  return [environment = std::move(environment)](const char* name) -> std::optional<std::string> {
    const auto it = environment.find(name);
    return it != environment.end() ? std::optional(it->second) : std::nullopt;
  };
}

std::string Whole(const std::string& url, const Environment& environment = {}) {
  const auto endpoint = ReadOtlpEndpoint(url, Of(environment));
  return endpoint.ok() ? endpoint.value().server + endpoint.value().path
                       : "error: " + endpoint.error().what;
}

TEST(OtlpEndpoint, AddsThePathOfTraces) {
  EXPECT_EQ(Whole("http://host:4318"), "http://host:4318/v1/traces");
  EXPECT_EQ(Whole("https://host/otlp/"), "https://host/otlp/v1/traces");
  EXPECT_EQ(Whole("http://host/v1/traces"), "http://host/v1/traces");
  EXPECT_EQ(Whole("http://[::1]:4318?a=b#c"), "http://[::1]:4318/v1/traces?a=b");
}

TEST(OtlpEndpoint, KnowsHostAndPort) {
  const auto of = [](const char* url) {
    const auto endpoint = ReadOtlpEndpoint(url, Of({}));
    EXPECT_TRUE(endpoint.ok()) << url;
    return std::tuple(endpoint.value().is_https, endpoint.value().host, endpoint.value().port);
  };
  EXPECT_EQ(of("http://a:4318/x"), std::tuple(false, "a", 4318));
  EXPECT_EQ(of("https://a"), std::tuple(true, "a", 443));
  EXPECT_EQ(of("http://[fe80::1]:4318"), std::tuple(false, "fe80::1", 4318));
  EXPECT_EQ(of("http://[::1]"), std::tuple(false, "::1", 80));
}

TEST(OtlpEndpoint, TakesTheDefaultFromTheEnvironment) {
  EXPECT_EQ(Whole("default"), "http://localhost:4318/v1/traces");
  EXPECT_EQ(Whole("default", {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"}}),
            "http://a:1/v1/traces");
  // By the specification this one is used as it is.
  EXPECT_EQ(Whole("default", {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"},
                              {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://b:2"}}),
            "http://b:2/");
  EXPECT_EQ(Whole("http://c:3", {{"OTEL_EXPORTER_OTLP_ENDPOINT", "http://a:1"}}),
            "http://c:3/v1/traces");
}

TEST(OtlpEndpoint, ReadsSettings) {
  const auto endpoint = ReadOtlpEndpoint(
      "http://a", Of({{"OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%20x, x-tenant = 7 ,"},
                      {"OTEL_EXPORTER_OTLP_TIMEOUT", "1"},
                      {"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "2500"},
                      {"OTEL_EXPORTER_OTLP_COMPRESSION", "gzip"},
                      {"OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"}}));
  ASSERT_TRUE(endpoint.ok()) << endpoint.error().what;
  const std::vector<std::pair<std::string, std::string>> headers = {{"Authorization", "Bearer x"},
                                                                    {"x-tenant", "7"}};
  EXPECT_EQ(endpoint.value().headers, headers);
  EXPECT_EQ(endpoint.value().timeout.count(), 2500);
  EXPECT_TRUE(endpoint.value().is_gzip);
}

TEST(OtlpEndpoint, RefusesWhatIsNoEndpoint) {
  for (const char* url : {"", "host:4318", "ftp://host", "http://", "http://:4318", "http://a b",
                          "http://a:0", "http://::1:4318", "http://[::1", "http://[::1]x:4318",
                          "http://[nonsense]:4318", "http://a:99999", "http://a:x"})
    EXPECT_TRUE(Whole(url).starts_with("error: ")) << url;
  // A password would be stored with the command line.
  const auto secret = ReadOtlpEndpoint("http://user:secret@host", Of({}));
  ASSERT_FALSE(secret.ok());
  EXPECT_EQ(secret.error().what.find("secret"), std::string::npos);
}

TEST(OtlpEndpoint, RefusesSettingsThatAreNotAllowed) {
  for (const auto& [name, value] : Environment{{"OTEL_EXPORTER_OTLP_TIMEOUT", "soon"},
                                               {"OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"},
                                               {"OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"},
                                               {"OTEL_EXPORTER_OTLP_HEADERS", "a=b%0d%0aevil: 1"},
                                               {"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "no value"}}) {
    const auto endpoint = ReadOtlpEndpoint("http://a", Of({{name, value}}));
    ASSERT_FALSE(endpoint.ok()) << name;
    EXPECT_NE(endpoint.error().what.find(name), std::string::npos) << endpoint.error().what;
    EXPECT_EQ(endpoint.error().what.find("evil"), std::string::npos) << "values are secrets";
  }
}

}  // namespace
}  // namespace xsp::live
