#include "measure/workers/known_descriptions.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace xsp::workers {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

/// A worker that notes each time that it is asked.
class KnownDescriptionsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-known-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    Write("counting");
  }
  void TearDown() override {
    unsetenv("XSP_TEST_SETTING");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void Write(const std::string& name) {
    std::ofstream(Program()) << "#!/bin/sh\necho asked >> " << folder_ / "asked"
                             << "\necho '"
                             << R"({"protocol": 2, "worker": ")" << name << R"("})"
                             << "'\n";
    fs::permissions(Program(), fs::perms::owner_all);
  }
  fs::path Program() const { return folder_ / "xsp-worker-counting"; }
  int TimesAsked() const {
    std::ifstream file(folder_ / "asked");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }

  fs::path folder_;
};

TEST_F(KnownDescriptionsTest, AsksAWorkerOnce) {
  KnownDescriptions known(seconds(3600));
  EXPECT_EQ(known.Describe(Program()).value().name, "counting");
  EXPECT_EQ(known.Describe(Program()).value().name, "counting");
  EXPECT_EQ(TimesAsked(), 1);
}

TEST_F(KnownDescriptionsTest, AsksAgainAfterItsFileOrTheEnvironmentChanged) {
  KnownDescriptions known(seconds(3600));
  ASSERT_TRUE(known.Describe(Program()).ok());
  Write("another");
  EXPECT_EQ(known.Describe(Program()).value().name, "another");
  setenv("XSP_TEST_SETTING", "1", 1);
  ASSERT_TRUE(known.Describe(Program()).ok());
  EXPECT_EQ(TimesAsked(), 3);
}

TEST_F(KnownDescriptionsTest, AsksAgainWhenTheAnswerIsOld) {
  KnownDescriptions known(seconds(0));
  ASSERT_TRUE(known.Describe(Program()).ok());
  ASSERT_TRUE(known.Describe(Program()).ok());
  EXPECT_EQ(TimesAsked(), 2);
}

TEST_F(KnownDescriptionsTest, KeepsNoErrors) {
  KnownDescriptions known(seconds(3600));
  std::ofstream(Program()) << "#!/bin/sh\nexit 1\n";
  EXPECT_FALSE(known.Describe(Program()).ok());
  Write("mended");
  EXPECT_EQ(known.Describe(Program()).value().name, "mended");
}

}  // namespace
}  // namespace xsp::workers
