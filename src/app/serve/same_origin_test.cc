#include "app/serve/same_origin.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace xsp::serve {
namespace {

Request WithHeaders(std::map<std::string, std::string, std::less<>> headers) {
  Request request;
  request.headers = std::move(headers);
  return request;
}

TEST(SameOrigin, FindsTheHostWithoutItsPort) {
  EXPECT_EQ(HostWithoutPort("Name.Example:80"), "name.example");
  EXPECT_EQ(HostWithoutPort("name"), "name");
  EXPECT_EQ(HostWithoutPort("127.0.0.1:7077"), "127.0.0.1");
  EXPECT_EQ(HostWithoutPort("[::1]:80"), "::1");
  EXPECT_EQ(HostWithoutPort("[FE80::A]"), "fe80::a");
  EXPECT_EQ(HostWithoutPort("[::1"), "");
  EXPECT_EQ(HostWithoutPort("[]:80"), "");
  EXPECT_EQ(HostWithoutPort(":80"), "");
  EXPECT_EQ(HostWithoutPort(""), "");
}

TEST(SameOrigin, KnowsItsOwnNamesOnly) {
  const std::vector<std::string> hosts = {"localhost", "127.0.0.1", "::1", "machine.example"};
  for (const std::string host : {"localhost", "localhost:7077", "LocalHost:1", "127.0.0.1:7077",
                                 "[::1]:7077", "[::1]", "machine.example"})
    EXPECT_TRUE(IsKnownHost(WithHeaders({{"host", host}}), hosts)) << host;
  for (const std::string host :
       {"", ":7077", "evil.example", "localhost.evil.example", "evil.localhost", "localhost.",
        "127.0.0.1.evil.example:7077", "127.0.0.2", "::1", "[::1", "[::2]:7077", " localhost",
        "user@localhost", "localhost, evil.example", "machine.example.", "machine"})
    EXPECT_FALSE(IsKnownHost(WithHeaders({{"host", host}}), hosts)) << host;
  EXPECT_FALSE(IsKnownHost({}, hosts));
  EXPECT_FALSE(IsKnownHost(WithHeaders({{"host", ""}}), {""}));
}

struct OriginCase {
  std::string site, origin, host;
  bool is_same;
};

TEST(SameOrigin, GoesByWhatBrowsersSend) {
  const OriginCase cases[] = {
      // Not a browser.
      {"", "", "localhost:7077", true},
      // Browsers that send Sec-Fetch-Site: whatever Origin says.
      {"same-origin", "", "localhost:7077", true},
      {"same-origin", "http://localhost:7077", "localhost:7077", true},
      {"none", "", "localhost:7077", true},
      {"same-site", "", "localhost:7077", false},
      {"same-site", "http://localhost:7077", "localhost:7077", false},
      {"cross-site", "", "localhost:7077", false},
      {"cross-site", "http://localhost:7077", "localhost:7077", false},
      {"Same-Origin", "", "localhost:7077", false},
      {"same-origin, same-origin", "", "localhost:7077", false},
      // Older browsers.
      {"", "http://localhost:7077", "localhost:7077", true},
      {"", "https://Machine.example", "machine.Example", true},
      {"", "http://[::1]:7077", "[::1]:7077", true},
      {"", "http://localhost:7078", "localhost:7077", false},
      {"", "http://localhost", "localhost:7077", false},
      {"", "http://evil.example", "localhost:7077", false},
      {"", "http://localhost:7077.evil.example", "localhost:7077", false},
      {"", "http://localhost:7077@evil.example", "localhost:7077", false},
      {"", "http://localhost:7077/", "localhost:7077", false},
      {"", "http://localhost:7077, http://evil.example", "localhost:7077", false},
      {"", "null", "localhost:7077", false},
      {"", "localhost:7077", "localhost:7077", false},
      {"", "file://", "localhost:7077", false}};
  for (const OriginCase& test : cases) {
    std::map<std::string, std::string, std::less<>> headers = {{"host", test.host}};
    if (!test.site.empty()) headers["sec-fetch-site"] = test.site;
    if (!test.origin.empty()) headers["origin"] = test.origin;
    EXPECT_EQ(IsSameOrigin(WithHeaders(headers)), test.is_same) << test.site << " " << test.origin;
  }
}

}  // namespace
}  // namespace xsp::serve
