// main() of every test program. All tests of a program run in one process; this keeps them apart:
// - Temporary files go into a folder of this process, removed at the end. TMPDIR names it for
//   programs and std::filesystem, TEST_TMPDIR for testing::TempDir().
// - The environment is restored after each test.
// - Skipped tests are listed by reason, one line each ("skipped: 12 tests: REASON"), for
//   tools/test_summary.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

extern char** environ;

namespace {

std::vector<std::string> Environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    variables.emplace_back(*variable);
  return variables;
}

class RestoredEnvironment : public testing::EmptyTestEventListener {
 public:
  void OnTestStart(const testing::TestInfo&) override { before_ = Environment(); }
  void OnTestEnd(const testing::TestInfo&) override {
    if (Environment() == before_) return;
    clearenv();
    for (const std::string& variable : before_) {
      const std::size_t equals = variable.find('=');
      if (equals != std::string::npos)
        setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
  }

 private:
  std::vector<std::string> before_;
};

class SkippedTests : public testing::EmptyTestEventListener {
 public:
  void OnTestEnd(const testing::TestInfo& test) override {
    const testing::TestResult& result = *test.result();
    if (!result.Skipped()) return;
    std::string reason = "no reason given";
    for (int i = 0; i < result.total_part_count(); ++i)
      if (result.GetTestPartResult(i).skipped()) reason = result.GetTestPartResult(i).message();
    if (reason.starts_with("Skipped\n")) reason.erase(0, std::strlen("Skipped\n"));
    ++count_[reason.substr(0, reason.find('\n'))];
  }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    for (const auto& [reason, count] : count_)
      std::printf("skipped: %d test%s: %s\n", count, count == 1 ? "" : "s", reason.c_str());
    std::fflush(stdout);
  }

 private:
  std::map<std::string, int> count_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new RestoredEnvironment);
  testing::UnitTest::GetInstance()->listeners().Append(new SkippedTests);
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  std::string folder =
      ((error ? std::filesystem::path("/tmp") : parent) / "xsp-test-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(folder.c_str());
    return 1;
  }
  setenv("TMPDIR", folder.c_str(), 1);
  setenv("TEST_TMPDIR", folder.c_str(), 1);
  const pid_t self = getpid();
  const int failed = RUN_ALL_TESTS();
  // A child process that returned from its test must not remove its parent's folder.
  if (getpid() == self) std::filesystem::remove_all(folder, error);
  return failed;
}
