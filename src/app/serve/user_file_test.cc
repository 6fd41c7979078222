#include "app/serve/user_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "store/store_testing.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kSomeHash = "scrypt$4$1$1$00$" + std::string(64, '0');

TEST(UserFile, HasALinePerUser) {
  const auto users = ParseUsers("# people\n\nanna:view:" + kSomeHash +
                                    "\r\nBen Öz:measure:" + kSomeHash + "\n#ben:view:x\n\n",
                                "f")
                         .value();
  ASSERT_EQ(users.size(), 2U);
  EXPECT_EQ(users[0].name, "anna");
  EXPECT_EQ(users[0].role, Role::kView);
  EXPECT_EQ(users[0].password_hash, kSomeHash);
  EXPECT_EQ(users[1].name, "Ben Öz");
  EXPECT_EQ(users[1].role, Role::kMeasure);
}

TEST(UserFile, NeedsNoEndOfItsLastLine) {
  EXPECT_EQ(ParseUsers("anna:view:" + kSomeHash, "f").value().size(), 1U);
}

TEST(UserFile, NamesTheLineThatIsWrong) {
  const std::string good = "anna:view:" + kSomeHash + "\n";
  const std::pair<std::string, std::string> wrong[] = {
      {"ben", "not a user"},
      {"ben:view", "not a user"},
      {":view:" + kSomeHash, "not a user"},
      {" ", "not a user"},
      {"ben::" + kSomeHash, "unknown role"},
      {"ben:none:" + kSomeHash, "unknown role"},
      {"ben:Measure:" + kSomeHash, "unknown role"},
      {"ben: view:" + kSomeHash, "unknown role"},
      {"ben:measure:", "not a hash of a password"},
      {"ben:measure:secret", "not a hash of a password"},
      {"ben:measure:scrypt$$$$$", "not a hash of a password"},
      {"ben:measure:" + kSomeHash + ":", "not a hash of a password"},
      {"ben:measure:" + kSomeHash + " ", "not a hash of a password"},
      {"anna:measure:" + kSomeHash, "this user is there twice"}};
  for (const auto& [line, why] : wrong) {
    const auto users = ParseUsers(good + "#\n" + line + "\n", "the-file");
    ASSERT_FALSE(users.ok()) << line;
    EXPECT_EQ(users.error().kind, ErrorKind::kBadInput) << line;
    EXPECT_EQ(users.error().what, why + ": the-file, line 3") << line;
  }
}

// A hash is a secret, and errors go to logs.
TEST(UserFile, DoesNotShowHashesInErrors) {
  const auto users = ParseUsers("ben:admin:" + kSomeHash, "f");
  EXPECT_EQ(users.error().what.find("scrypt"), std::string::npos);
  EXPECT_EQ(users.error().hint.find(kSomeHash), std::string::npos);
}

TEST(UserFile, WithoutUsersIsAnError) {
  for (const std::string text : {"", "\n\n", "# anna\n"}) {
    const auto users = ParseUsers(text, "the-file");
    ASSERT_FALSE(users.ok());
    EXPECT_EQ(users.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(users.error().what, HasSubstr("the-file"));
  }
}

class UserFileOnDisk : public testing::Test {
 protected:
  UserFileOnDisk() { std::ofstream(file_) << "anna:view:" + kSomeHash + "\n"; }

  store::TestFolder folder_;
  const fs::path file_ = folder_.path() / "users";
};

TEST_F(UserFileOnDisk, IsRead) {
  fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  EXPECT_EQ(ReadUserFile(file_).value().front().name, "anna");
}

TEST_F(UserFileOnDisk, IsRefusedWhereOthersMayWriteIt) {
  for (const fs::perms others : {fs::perms::group_write, fs::perms::others_write}) {
    fs::permissions(file_, fs::perms::owner_read | fs::perms::owner_write | others);
    const auto users = ReadUserFile(file_);
    ASSERT_FALSE(users.ok());
    EXPECT_EQ(users.error().kind, ErrorKind::kBadInput);
    EXPECT_THAT(users.error().what, HasSubstr("others may write"));
    EXPECT_THAT(users.error().hint, HasSubstr("chmod go-w"));
  }
}

TEST_F(UserFileOnDisk, IsRefusedByWhatALinkLeadsTo) {
  fs::permissions(file_, fs::perms::others_write, fs::perm_options::add);
  fs::create_symlink(file_, folder_.path() / "link");
  EXPECT_FALSE(ReadUserFile(folder_.path() / "link").ok());
}

TEST_F(UserFileOnDisk, ThatIsMissingIsReportedAsMissing) {
  const auto users = ReadUserFile(folder_.path() / "none");
  ASSERT_FALSE(users.ok());
  EXPECT_EQ(users.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(users.error().what.find("others may write"), std::string::npos) << users.error().what;
  EXPECT_FALSE(ReadUserFile(folder_.path()).ok());
}

}  // namespace
}  // namespace xsp::serve
