#include "app/serve/listen_address.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::serve {
namespace {

struct AddressCase {
  std::string text, host;
  int port;
};

TEST(ListenAddress, HasAHostAndAPort) {
  const AddressCase cases[] = {{"", "127.0.0.1", 7077},
                               {"localhost", "localhost", 7077},
                               {"0.0.0.0:80", "0.0.0.0", 80},
                               {":80", "127.0.0.1", 80},
                               {"name.example:65535", "name.example", 65535},
                               {"localhost:0", "localhost", 0},
                               {"[::1]:80", "::1", 80},
                               {"[::1]", "::1", 7077},
                               {"[::]:1", "::", 1}};
  for (const AddressCase& test : cases) {
    const auto address = ParseListenAddress(test.text);
    ASSERT_TRUE(address.ok()) << test.text;
    EXPECT_EQ(address.value().host, test.host) << test.text;
    EXPECT_EQ(address.value().port, test.port) << test.text;
  }
}

TEST(ListenAddress, OfAnotherFormIsRefused) {
  for (const std::string text :
       {"localhost:", "localhost:-1", "localhost:+1", "localhost:65536", "localhost:99999999999",
        "localhost:80x", "localhost: 80", "localhost:80 ", "localhost:http", "localhost:80:80",
        "::1", "::1:80", "[::1", "[::1]80", "[::1]x", "[::1]:", "[", ":"}) {
    const auto address = ParseListenAddress(text);
    ASSERT_FALSE(address.ok()) << text;
    EXPECT_EQ(address.error().kind, ErrorKind::kUsage) << text;
    EXPECT_NE(address.error().hint, "") << text;
  }
}

TEST(ListenAddress, IsWrittenWithBracketsWhereItNeedsThem) {
  EXPECT_EQ((ListenAddress{.host = "127.0.0.1"}.Text(80)), "127.0.0.1:80");
  EXPECT_EQ((ListenAddress{.host = "::1"}.Text(80)), "[::1]:80");
}

// What is not loopback is not served without encryption.
TEST(ListenAddress, OnlyLoopbackIsOfThisMachineAlone) {
  for (const std::string host : {"localhost", "127.0.0.1", "127.1.2.3", "::1"})
    EXPECT_TRUE(ListenAddress{.host = host}.is_loopback()) << host;
  for (const std::string host :
       {"", "0.0.0.0", "::", "10.0.0.1", "1127.0.0.1", "localhost.example", "127.example",
        "127.0.0.1.example", "::ffff:10.0.0.1", "::127.0.0.1", "machine"})
    EXPECT_FALSE(ListenAddress{.host = host}.is_loopback()) << host;
}

}  // namespace
}  // namespace xsp::serve
