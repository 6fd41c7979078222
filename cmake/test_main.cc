// main() of every test program. All tests of a program run in one process; this keeps them apart:
// - Temporary files go into a folder of this process, removed at the end. TMPDIR names it for
//   programs and std::filesystem, TEST_TMPDIR for testing::TempDir().
// - The environment is restored after each test.
// - Skipped tests are listed by reason, one line each ("skipped: 12 tests: REASON"), for
//   tools/test_summary.py. So are tests that the file of XSP_LEFT_OUT_TESTS names, which do not
//   run: a line is "SUITE.CASE: REASON", and CASE may be * (tools/emulate).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
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
  /// Leaves out those of this program's tests that `file` names.
  void LeaveOut(const char* file) {
    std::ifstream lines(file);
    if (!lines) {
      std::fprintf(stderr, "cannot read the list of tests to leave out: %s\n", file);
      std::exit(1);
    }
    std::string filter = testing::GTEST_FLAG(filter);
    bool has_negative = filter.find('-') != std::string::npos;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with('#') || colon == std::string::npos) continue;
      const std::string name = line.substr(0, colon);
      const int count = CountTests(name);
      if (count == 0) continue;
      count_[line.substr(colon + 2)] += count;
      filter += (has_negative ? ":" : "-") + name;
      has_negative = true;
    }
    testing::GTEST_FLAG(filter) = filter;
  }
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
  static int CountTests(const std::string& name) {
    const testing::UnitTest& program = *testing::UnitTest::GetInstance();
    int count = 0;
    for (int i = 0; i < program.total_test_suite_count(); ++i) {
      const testing::TestSuite& suite = *program.GetTestSuite(i);
      for (int k = 0; k < suite.total_test_count(); ++k) {
        const std::string prefix = std::string(suite.name()) + '.';
        count += name == prefix + '*' || name == prefix + suite.GetTestInfo(k)->name();
      }
    }
    return count;
  }

  std::map<std::string, int> count_;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new RestoredEnvironment);
  auto* const skipped = new SkippedTests;
  if (const char* file = std::getenv("XSP_LEFT_OUT_TESTS")) skipped->LeaveOut(file);
  testing::UnitTest::GetInstance()->listeners().Append(skipped);
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
