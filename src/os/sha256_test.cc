#include "os/sha256.h"

#include <gtest/gtest.h>

#include <fstream>

namespace xsp::os {
namespace {

// The examples of FIPS 180-4's companion (NIST, "SHA-256 example values").
TEST(Sha256Test, GivesThePublishedValues) {
  EXPECT_EQ(Sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(Sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, ReadsFilesInPieces) {
  const std::string path = testing::TempDir() + "sha256_test_file";
  std::ofstream(path) << std::string(3'000'000, 'a');
  EXPECT_EQ(Sha256OfFile(path).value(), Sha256(std::string(3'000'000, 'a')));
  EXPECT_EQ(Sha256OfFile(path + ".none").error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(Sha256OfFile(testing::TempDir()).error().kind, ErrorKind::kBadInput);
}

}  // namespace
}  // namespace xsp::os
