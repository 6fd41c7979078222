#include "os/paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <fstream>

namespace xsp::os {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SourceTreeHintTest : public testing::Test {
 protected:
  SourceTreeHintTest() {
    fs::create_directories(home_ / "tools");
    setenv("XSP_HOME", home_.c_str(), 1);
  }
  ~SourceTreeHintTest() override {
    unsetenv("XSP_HOME");
    std::error_code ignored;
    fs::remove_all(home_, ignored);
  }
  const fs::path home_ = fs::temp_directory_path() / ("xsp-paths-test-" + std::to_string(getpid()));
};

TEST_F(SourceTreeHintTest, AnInstalledXspSaysWhereItsToolsAre) {
  EXPECT_THAT(SourceTreeHint("run tools/setup --cuda"), HasSubstr("source tree"));
  EXPECT_THAT(SourceTreeHint("`tools/build` rebuilds it"), HasSubstr("source tree"));
  EXPECT_EQ(SourceTreeHint("free some space"), "");
}

TEST_F(SourceTreeHintTest, TheSourceTreeHasThem) {
  std::ofstream(home_ / "tools/setup") << "#!/bin/sh\n";
  EXPECT_EQ(SourceTreeHint("run tools/setup --cuda"), "");
}

}  // namespace
}  // namespace xsp::os
