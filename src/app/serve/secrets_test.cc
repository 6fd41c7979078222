#include "app/serve/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace xsp::serve {
namespace {

using testing::MatchesRegex;

const std::string kKeyOfZeros(64, '0');

TEST(Secrets, RandomTokensAreHexadecimalAndDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(RandomToken());
  EXPECT_EQ(tokens.size(), 100U);
  for (const std::string& token : tokens) {
    EXPECT_EQ(token.size(), 64U);
    EXPECT_THAT(token, MatchesRegex("[0-9a-f]*"));
  }
  EXPECT_EQ(RandomToken(3).size(), 6U);
}

TEST(Secrets, AreTheSameOnlyIfAllOfThemIs) {
  EXPECT_TRUE(IsSameSecret("0123456789abcdef", "0123456789abcdef"));
  EXPECT_FALSE(IsSameSecret("0123456789abcdeX", "0123456789abcdef"));
  EXPECT_FALSE(IsSameSecret("0123456789abcde", "0123456789abcdef"));
  EXPECT_FALSE(IsSameSecret("0123456789abcdef0", "0123456789abcdef"));
  EXPECT_FALSE(IsSameSecret(std::string("0123456789abcdef\0", 17), "0123456789abcdef"));
  EXPECT_FALSE(IsSameSecret("", "0123456789abcdef"));
  EXPECT_FALSE(IsSameSecret(std::string(1'000'000, 'a'), "0123456789abcdef"));
}

TEST(Secrets, AnEmptySecretIsNobodys) {
  EXPECT_FALSE(IsSameSecret("", ""));
  EXPECT_FALSE(IsSameSecret("a", ""));
}

// RFC 7914, section 12. scrypt ends with PBKDF2 (step 3), whose blocks of 32 bytes do not depend on
// how many there are: our key is the first half of the key there.
TEST(Secrets, PasswordsAgreeWithThePublishedTestVectors) {
  const std::string first =
      "scrypt$4$1$1$$77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442";
  const std::string second =
      "scrypt$10$8$16$4e61436c$fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162";
  const std::string third =
      "scrypt$14$8$1$536f6469756d43686c6f72696465$"
      "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2";
  EXPECT_TRUE(IsPassword("", first).value());
  EXPECT_TRUE(IsPassword("password", second).value());
  EXPECT_TRUE(IsPassword("pleaseletmein", third).value());
  EXPECT_FALSE(IsPassword("x", first).value());
  EXPECT_FALSE(IsPassword("Password", second).value());
  EXPECT_FALSE(IsPassword("pleaseletmei", third).value());
}

TEST(Secrets, HashesHaveASaltEach) {
  const std::string password("correct\0horse", 13);
  const std::string hash = HashPassword(password).value();
  EXPECT_THAT(hash, MatchesRegex(R"(scrypt\$15\$8\$3\$[0-9a-f]*\$[0-9a-f]*)"));
  EXPECT_EQ(hash.size(), std::string("scrypt$15$8$3$$").size() + 32 + 64);
  EXPECT_TRUE(IsPasswordHash(hash));
  EXPECT_NE(HashPassword(password).value(), hash);
  EXPECT_TRUE(IsPassword(password, hash).value());
  EXPECT_FALSE(IsPassword("correct", hash).value());
}

TEST(Secrets, RefuseWhatIsNoHash) {
  const std::string good = "scrypt$4$1$1$00$" + kKeyOfZeros;
  ASSERT_TRUE(IsPasswordHash(good));
  const std::string hashes[] = {"",
                                "scrypt",
                                "$$$$$",
                                "scrypt$$$$$",
                                "bcrypt$4$1$1$00$" + kKeyOfZeros,
                                "scrypt$4$1$1$" + kKeyOfZeros,
                                good + "$",
                                " " + good,
                                good + " ",
                                good + "\n",
                                "scrypt$4$1$1$0$" + kKeyOfZeros,
                                "scrypt$4$1$1$0g$" + kKeyOfZeros,
                                "scrypt$4$1$1$-1$" + kKeyOfZeros,
                                "scrypt$4$1$1$00$" + kKeyOfZeros.substr(2),
                                "scrypt$4$1$1$00$" + kKeyOfZeros + "00",
                                "scrypt$4$1$1$00$",
                                "scrypt$4.0$1$1$00$" + kKeyOfZeros,
                                "scrypt$ 4$1$1$00$" + kKeyOfZeros,
                                "scrypt$0x4$1$1$00$" + kKeyOfZeros};
  for (const std::string& hash : hashes) {
    EXPECT_FALSE(IsPasswordHash(hash)) << hash;
    const auto compared = IsPassword("", hash);
    ASSERT_FALSE(compared.ok()) << hash;
    EXPECT_EQ(compared.error().kind, ErrorKind::kBadInput) << hash;
  }
}

// Were they computed, they would take tebibytes and hours.
TEST(Secrets, RefuseParametersThatTakeTooMuch) {
  for (const std::string parameters :
       {"0$1$1", "-1$1$1", "4$0$1", "4$-1$1", "4$1$0", "4$1$-1", "21$8$1", "20$2$1", "63$1$1",
        "64$1$1", "20$64$16", "15$65$1", "4$1$17", "99999999999999999999$1$1", "18$8$1",
        "2147483647$2147483647$2147483647", "16$1$1"})
    EXPECT_FALSE(IsPasswordHash("scrypt$" + parameters + "$00$" + kKeyOfZeros)) << parameters;
  EXPECT_TRUE(IsPasswordHash("scrypt$17$8$1$00$" + kKeyOfZeros));  // 128 MiB.
}

}  // namespace
}  // namespace xsp::serve
